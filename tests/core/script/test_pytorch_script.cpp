// What a run becomes as a PyTorch script, and what is refused. That the losses are equal is shown by
// end_to_end/test_pytorch.cpp, which runs the scripts.
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "plan/check.h"
#include "plan/steps.h"
#include "program/test_class.h"
#include "script/pytorch.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <set>

using namespace lockstep;
using namespace Qt::StringLiterals;
using experiment::RunSpec;

namespace {

/// What lockstep-rank would say of the run; of files that are not here as of MNIST.
script::Contents contentsOf(const RunSpec& run)
{
    const std::int64_t known = experiment::knownTrainSamples(run);
    const std::int64_t samples = known == 0 ? 60000 : known;
    const plan::StepPlan steps = plan::stepPlan(run, samples);
    return {.trainSamples = samples,
        .testSamples = known == 0 ? 10000 : experiment::knownTestSamples(run),
        .steps = steps.totalSteps,
        .stepsPerEpoch = steps.stepsPerEpoch,
        .batch = steps.batch,
        .hasEqualBatches = true,
        .hasFullBatches = true};
}

QString scriptOf(const RunSpec& run)
{
    return QString::fromStdString(script::pytorchScript(run, contentsOf(run), "script"));
}

std::vector<RunSpec> presetRuns()
{
    std::vector<RunSpec> runs;
    for (const char* name : {"optimizers", "aggregation", "partitioning", "model-parallel", "sharding"}) {
        const std::vector<RunSpec> all = *experiment::expand(*experiment::preset(name));
        std::copy_if(
            all.begin(), all.end(), std::back_inserter(runs), [](const RunSpec& run) { return run.repeat == 0; });
    }
    return runs;
}

Result<RunSpec> changed(const RunSpec& run, const std::string& name, const experiment::Value& value)
{
    RunSpec other = run;
    other.settings[name] = value;
    LOCKSTEP_TRY(experiment::validate(other));
    experiment::dropInapplicable(other);
    LOCKSTEP_TRY(plan::check(other));
    return other;
}

RunSpec with(RunSpec run, const std::vector<std::pair<std::string, std::string>>& settings)
{
    for (const auto& [name, text] : settings) {
        run.settings[name] = *experiment::parseValue(*experiment::findParameter(name), text);
    }
    experiment::dropInapplicable(run);
    return run;
}

RunSpec ownRun(const std::vector<std::pair<std::string, std::string>>& settings)
{
    const std::vector<RunSpec> runs = *experiment::expand(*experiment::preset(experiment::OwnExperiment));
    return with(runs.front(), settings);
}

/// Another value of the row than the run has; none where no other is known.
std::vector<experiment::Value> otherValues(const experiment::Parameter& row, const experiment::Value& now)
{
    std::vector<experiment::Value> values;
    for (const experiment::Choice& choice : row.choices) {
        values.emplace_back(std::string(choice.name));
    }
    for (const char* text : {"true", "false", "1", "2", "3", "0.25", "0.5", "1,2", "float64", "cpu", "/tmp"}) {
        if (const auto value = experiment::parseValue(row, text); row.choices.empty() && value) {
            values.push_back(*value);
        }
    }
    std::erase(values, now);
    return values;
}

constexpr int MostLines = 124;

/// Lines that are neither empty nor comments; docstrings count.
int linesOf(const QString& text)
{
    const QStringList lines = text.split(u'\n');
    return static_cast<int>(std::count_if(lines.begin(), lines.end(), [](const QString& line) {
        const QString trimmed = line.trimmed();
        return !trimmed.isEmpty() && !trimmed.startsWith(u'#');
    }));
}

/// Settings that arrive through the folder beside the script, or that only say where files are.
const std::set<std::string> ThroughTheFolder{"dataset.seed"};

} // namespace

class TestPytorchScript : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void presetsAreShortAndWhole();
    void noSettingIsDropped();
    void refused_data();
    void refused();
    void namesStayTexts();
    void contentsAreChecked();
};

void TestPytorchScript::presetsAreShortAndWhole()
{
    static const QRegularExpression Left(u"^#(if|else|end|use)\\b|@[a-z0-9_]+@"_s, QRegularExpression::MultilineOption);
    int written = 0;
    for (const RunSpec& run : presetRuns()) {
        if (!script::checkPytorch(run)) {
            continue;
        }
        ++written;
        const QString text = scriptOf(run);
        const QByteArray what = QByteArray::fromStdString(run.experiment + ", " + run.name);
        QVERIFY2(!Left.match(text).hasMatch(), what + ": " + Left.match(text).captured().toUtf8());
        QVERIFY2(linesOf(text) <= MostLines, what + " has " + QByteArray::number(linesOf(text)) + " lines");
        for (const QString& line : text.split(u'\n')) {
            QVERIFY2(line.size() <= 120, what + ": " + line.toUtf8());
        }
        QVERIFY2(!text.contains(u"\n\n\n\n"_s), what);
        // A thread of the group that needs Python while Python ends aborts the process.
        static const QRegularExpression Ended(u"finally:\n +(dist\\.destroy_process_group|rpc\\.shutdown)\\(\\)"_s);
        const bool isGroup = text.contains(u"dist.init_process_group("_s) || text.contains(u"rpc.init_rpc("_s);
        QVERIFY2(Ended.match(text).hasMatch() == isGroup, what);
    }
    QCOMPARE(written, 43); // all but grid, zero-2, zero-3 and the asynchronous server
}

void TestPytorchScript::noSettingIsDropped()
{
    for (const RunSpec& run : presetRuns()) {
        if (!script::checkPytorch(run)) {
            continue;
        }
        const QString text = scriptOf(run);
        for (const experiment::Parameter& row : experiment::parameters()) {
            const std::string name(row.name);
            if (!experiment::applies(row, run.settings) || ThroughTheFolder.contains(name)) {
                continue;
            }
            for (const experiment::Value& value : otherValues(row, run.settings.at(name))) {
                const auto other = changed(run, name, value);
                if (other && script::checkPytorch(*other) && value != row.standard) {
                    QVERIFY2(scriptOf(*other) != text,
                        (run.name + ": " + name + " = " + experiment::toText(value) + " changes nothing").c_str());
                }
            }
        }
    }
}

void TestPytorchScript::refused_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("parameter");
    const auto row = [](const char* name, const char* settings, const char* parameter) {
        QTest::addRow("%s", name) << QString::fromLatin1(settings) << QString::fromLatin1(parameter);
    };
    row("grid", "strategy.name=grid", "strategy.name");
    row("collectives", "strategy.name=collectives", "strategy.name");
    row("own", "strategy.name=own", "strategy.name");
    row("ZeRO 2", "strategy.name=zero zero.stage=2", "zero.stage");
    row("ZeRO 3", "strategy.name=zero zero.stage=3", "zero.stage");
    row("offload", "strategy.name=zero zero.offload=disk", "zero.offload");
    row("interleaved", "strategy.name=pipeline pipeline.schedule=interleaved", "pipeline.schedule");
    row("asynchronous server", "strategy.name=data aggregation.algorithm=parameter_server_async",
        "aggregation.algorithm");
    row("latency", "strategy.name=data link.latency_us=50", "link.latency_us");
    row("bandwidth", "strategy.name=pipeline link.bandwidth_mbps=100", "link.bandwidth_mbps");
    for (const char* strategy : {"pipeline", "tensor", "zero", "local"}) {
        row(strategy, (std::string("dataset.name=text net.name=gpt strategy.name=") + strategy).c_str(),
            "strategy.name");
    }
    row("shared convolutions", "strategy.name=tensor net.name=cnn", "net.name");
    row("bfloat16", "train.precision=bfloat16", "train.precision");
    row("clipped pipeline", "strategy.name=pipeline optimizer.clip=1", "optimizer.clip");
    row("resumed", "checkpoint.from=/tmp/there", "checkpoint.from");
}

void TestPytorchScript::refused()
{
    QFETCH(QString, settings);
    QFETCH(QString, parameter);
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const QString& each : settings.split(u' ')) {
        pairs.emplace_back(each.section(u'=', 0, 0).toStdString(), each.section(u'=', 1).toStdString());
    }
    const auto checked = script::checkPytorch(ownRun(pairs));
    QVERIFY(!checked);
    QCOMPARE(checked.error().subject, parameter.toStdString());
    QVERIFY(checked.error().text().find('\n') == std::string::npos);
    QVERIFY(checked.error().text().size() > parameter.toStdString().size() + 20);
}

/// A name from a spec file is shown, never run.
void TestPytorchScript::namesStayTexts()
{
    RunSpec run = ownRun({{"dataset.name", "mnist"}, {"dataset.path", "/tmp/a\"b\\"}});
    run.experiment = "e";
    run.name = "\"\"\"\nimport os\nos.abort()\n\\";
    script::Contents contents = contentsOf(run);
    contents.files = {"/tmp/a\"b\\", "labels", "test", "test labels"};
    const QString text = QString::fromStdString(script::pytorchScript(run, contents, "script"));
    QCOMPARE(text.count(u"\"\"\""_s) % 2, 0);
    QVERIFY(!text.contains(u"\nimport os\nos.abort"_s));
    QVERIFY(text.contains(
        u"    \"train\": [\"/tmp/a\\\"b\\\\\", \"labels\"],\n    \"test\": [\"test\", \"test labels\"],\n"_s));
    QVERIFY(script::isStem("ring-2.a"));
    for (const char* name : {"", "a b", "a\"b", "a/b", "a\nb", "a'b"}) {
        QVERIFY2(!script::isStem(name), name);
    }
}

void TestPytorchScript::contentsAreChecked()
{
    for (const char* text : {"", "{}", "[1]", "{\"train_samples\": \"many\"}"}) {
        const auto contents = script::parseContents(text);
        QVERIFY2(!contents, text);
        QVERIFY(contents.error().message.starts_with("contents.json: "));
    }
}

LOCKSTEP_TEST(TestPytorchScript)
#include "test_pytorch_script.moc"
