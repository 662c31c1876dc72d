// The dialog that shows runs as PyTorch scripts: the text, why there is none, saving, and the race.
#include "language/language.h"
#include "launch/trust.h"
#include "program/programs.h"
#include "program/python.h"
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/pages/report/script_dialog.h"
#include "ui/shell/desktop.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace lockstep;
using namespace Qt::StringLiterals;

namespace {

std::vector<experiment::RunSpec> runsOf(const char* preset, const std::vector<std::string>& names)
{
    const std::vector<experiment::Override> settings{{"train.steps", "5"}, {"dataset.train_samples", "200"}};
    const auto chosen = experiment::customise(*experiment::preset(preset), settings, names);
    std::vector<experiment::RunSpec> runs = *experiment::expand(*chosen);
    std::erase_if(runs, [](const experiment::RunSpec& run) { return run.repeat > 0; });
    return runs;
}

QPushButton* buttonOf(const ui::ScriptDialog& dialog, const QString& text)
{
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->text() == text) {
            return button;
        }
    }
    return nullptr;
}

[[nodiscard]] bool waitFor(ui::ScriptDialog& dialog)
{
    return QTest::qWaitFor([&] { return !dialog.isWorking(); }, 60000);
}

} // namespace

class TestScriptDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void showsCopiesAndSaves();
    void saysWhyThereIsNone();
    void racesBesideTheRun();
    void theCallsOfMasterAndWorkersAreOnTheTimeline();

private:
    /// The runs that Race it starts: the run, and its script.
    [[nodiscard]] std::vector<experiment::RunSpec> raceOf(const std::vector<experiment::RunSpec>& runs);
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestScriptDialog::initTestCase()
{
    ui::loadResources();
    language::installTexts(language::TextLanguage::English);
    qputenv("LOCKSTEP_RANK", LOCKSTEP_BINARY_DIR "/bin/lockstep-rank");
}

void TestScriptDialog::showsCopiesAndSaves()
{
    ui::ScriptDialog dialog(runsOf("aggregation", {"ring", "all_reduce"}), m_folder->path());
    dialog.show();
    QVERIFY(dialog.isWorking());
    QVERIFY(!buttonOf(dialog, u"Copy"_s)->isEnabled());
    dialog.choose(1); // while the first one is being written
    QVERIFY(waitFor(dialog));
    QVERIFY2(dialog.text().contains(u"The ring all-reduce"_s), qPrintable(dialog.message()));
    QVERIFY(dialog.text().contains(u"torchrun --nproc_per_node=4 ring.py"_s));
    QVERIFY(dialog.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/script_dialog.png")));
    buttonOf(dialog, u"Copy"_s)->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), dialog.text());
    dialog.save(m_folder->filePath(u"mine.py"_s));
    QVERIFY(waitFor(dialog));
    QVERIFY(QFile::exists(m_folder->filePath(u"mine.py"_s)));
    QVERIFY(QFile::exists(m_folder->filePath(u"mine.data/weights.f32"_s)));
    QVERIFY(dialog.message().contains(u"mine.data"_s));
    QVERIFY(dialog.text().contains(u"ring.py"_s)); // what is shown stays
    dialog.choose(0);
    QVERIFY(waitFor(dialog));
    QVERIFY(dialog.text().contains(u"all_reduce.py"_s));
}

void TestScriptDialog::saysWhyThereIsNone()
{
    ui::ScriptDialog dialog(runsOf("sharding", {"zero-3"}), m_folder->path());
    QVERIFY(waitFor(dialog));
    QVERIFY(dialog.text().isEmpty());
    QVERIFY2(dialog.message().contains(u"FSDP"_s), qPrintable(dialog.message()));
    QVERIFY(!buttonOf(dialog, u"Race it"_s)->isEnabled());
}

std::vector<experiment::RunSpec> TestScriptDialog::raceOf(const std::vector<experiment::RunSpec>& runs)
{
    qputenv("XDG_CONFIG_HOME", m_folder->filePath(u"config"_s).toUtf8());
    auto* dialog = new ui::ScriptDialog(runs, m_folder->filePath(u"scripts"_s));
    std::vector<experiment::RunSpec> race;
    connect(dialog, &ui::ScriptDialog::raceRequested, this, [&](const auto& both) { race = both; });
    if (waitFor(*dialog)) {
        dialog->race();
        static_cast<void>(waitFor(*dialog));
    }
    delete dialog;
    return race;
}

/// RPC as the course has it: a master and two workers, beside a pipeline of two stages.
void TestScriptDialog::theCallsOfMasterAndWorkersAreOnTheTimeline()
{
    const QString python = lockstep::tests::pythonWith(u"torch"_s);
    if (python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    const std::vector<experiment::RunSpec> race = raceOf(runsOf("model-parallel", {"rpc"}));
    QCOMPARE(race.size(), std::size_t{2});
    QFile spec(m_folder->filePath(u"race.json"_s));
    QVERIFY(spec.open(QIODevice::WriteOnly));
    const experiment::Spec alone{.experiment = "own", .base = race[1].settings, .variants = {}, .repeats = 1};
    spec.write(QByteArray::fromStdString(experiment::toJson(alone)));
    spec.close();
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (python.startsWith(u'/')) { // the script starts with the python3 of PATH
        environment.insert(u"PATH"_s, QFileInfo(python).path() + u':' + environment.value(u"PATH"_s));
    }
    process.setProcessEnvironment(environment);
    process.start(lockstep::tests::Lockstep,
        {u"run"_s, spec.fileName(), u"--trust"_s, u"--store"_s, m_folder->filePath(u"store"_s)});
    QVERIFY(process.waitForFinished(120'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    const auto store = store::RunStore::open(m_folder->filePath(u"store"_s));
    QVERIFY(store && (*store)->list().size() == 1);
    std::map<std::pair<std::int32_t, Phase>, std::set<std::int64_t>> steps;
    QVERIFY((*store)->replay((*store)->list().front().id, [&steps](const store::Delta& delta) {
        for (const auto& [rank, batch] : delta.spans) {
            for (const wire::SpanRow& span : batch.rows) {
                steps[{rank, span.phase}].insert(span.step);
            }
        }
        return true;
    }));
    const std::set<std::int64_t> all{1, 2, 3, 4, 5};
    for (const Phase phase : {Phase::Communicate, Phase::Backward, Phase::Optimize}) {
        QCOMPARE((steps[{0, phase}]), all); // the master waits for scores, gradients and updates
    }
    for (const std::int32_t worker : {1, 2}) {
        QCOMPARE((steps[{worker, Phase::Forward}]), all);
        QCOMPARE((steps[{worker, Phase::Optimize}]), all);
    }
}

void TestScriptDialog::racesBesideTheRun()
{
    const std::vector<experiment::RunSpec> runs = runsOf("model-parallel", {"rpc"});
    const std::vector<experiment::RunSpec> race = raceOf(runs);
    QCOMPARE(race.size(), std::size_t{2});
    QCOMPARE(race[0].settings, runs.front().settings);
    QCOMPARE(std::string(nameOf(race[1].settings->rank.strategy)), std::string("own"));
    QCOMPARE(race[1].settings->rank.worldSize, 3); // the master, too
    QCOMPARE(race[1].settings->train.seed, runs.front().settings->train.seed);
    QVERIFY(launch::Trust().uncovered(race).empty());
    const auto words = experiment::programWords(race[1].settings->rank.program);
    QVERIFY(words);
    QFile script(QString::fromStdString(words->back()));
    QVERIFY(script.open(QIODevice::ReadOnly));
    QVERIFY(script.readAll().contains("import lockstep"));
}

LOCKSTEP_WINDOW_TEST(TestScriptDialog)
#include "test_script_dialog.moc"
