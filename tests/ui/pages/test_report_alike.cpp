// One report of stored runs by every way: from the Report page and from `lockstep report`, in every format and both
// languages; with the numbers of the store.
#include "program/window_test.h"
#include "ui/export/preset_feeds.h"

#include "analysis/numbers.h"
#include "store/run_store.h"
#include "ui/cli/report_command.h"
#include "ui/cli/stored_feeds.h"
#include "ui/models/form/titles.h"
#include "ui/pages/report/report_page.h"
#include "ui/theme/window_language.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::ui;

namespace {

constexpr std::size_t ComparedVariants = 3;
constexpr const char* Presets[]
    = {"optimizers", "aggregation", "partitioning", "model-parallel", "collectives", "scaling", "sharding"};

/// All files below a folder, by their paths; a PDF without the second in which it was made and its own number.
std::map<QString, QByteArray> filesIn(const QString& folder)
{
    static const QRegularExpression Made(QStringLiteral(
        "D:\\d{14}[^)]{0,7}|<xmp:\\w+Date>[^<]*|\\d{4}-\\d\\d-\\d\\dT[\\d:+Z]+|uuid:[\\da-f-]{36}|/ID \\[[^]]*\\]"));
    std::map<QString, QByteArray> files;
    QDirIterator each(folder, QDir::Files, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        QFile file(each.next());
        QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
        if (file.fileName().endsWith(QStringLiteral(".pdf"))) {
            bytes = QString::fromLatin1(bytes).remove(Made).toLatin1();
        }
        files[QDir(folder).relativeFilePath(file.fileName())] = bytes;
    }
    return files;
}

/// The first variants of a preset in a store, and the two ways to a report of them.
class Stored {
public:
    explicit Stored(const char* preset)
    {
        const auto opened = store::RunStore::open(m_folder.filePath(QStringLiteral("store")));
        if (opened) {
            m_ids = storedPreset(**opened, preset, ComparedVariants);
        }
    }

    [[nodiscard]] bool isReady() const { return m_ids.size() == static_cast<qsizetype>(ComparedVariants); }
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    [[nodiscard]] int command(const char* formats, const char* language, const QString& out) const
    {
        return reportCommand(m_ids
            + QStringList{QStringLiteral("--store"), path("store"), QStringLiteral("--out"), out,
                QStringLiteral("--format"), QLatin1String(formats), QStringLiteral("--lang"), QLatin1String(language)});
    }

    /// As the window has them.
    [[nodiscard]] std::vector<std::unique_ptr<RunFeed>> feeds() const
    {
        auto made = storedFeeds(path("store"), records());
        return made ? std::move(*made) : std::vector<std::unique_ptr<RunFeed>>();
    }

    /// In the order in which they ran.
    [[nodiscard]] std::vector<analysis::RunRecord> records() const
    {
        const auto store = store::RunStore::open(path("store"));
        std::vector<analysis::RunRecord> records;
        for (const QString& id : m_ids) {
            if (auto record = (*store)->load(RunId{id.toStdString()})) {
                records.push_back(std::move(*record));
            }
        }
        return records;
    }

private:
    QTemporaryDir m_folder;
    QStringList m_ids;
};

using Rows = std::vector<QStringList>;

/// The tables of a Markdown report: rows of cells, the header first.
std::vector<Rows> tablesOf(const QString& path)
{
    QFile file(path);
    std::vector<Rows> tables;
    bool isTable = false;
    if (!file.open(QIODevice::ReadOnly)) {
        return tables;
    }
    for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
        if (!line.startsWith(u'|')) {
            isTable = false;
            continue;
        }
        if (!isTable) {
            tables.emplace_back();
        }
        isTable = true;
        static const QRegularExpression Bar(QStringLiteral("(?<!\\\\)\\|"));
        QStringList cells;
        for (const QString& cell : line.split(Bar)) {
            cells += QString(cell).remove(u'\\').trimmed();
        }
        if (!line.contains(QStringLiteral("---"))) {
            tables.back().push_back(cells.mid(1, cells.size() - 2));
        }
    }
    return tables;
}

using Figure = std::function<std::string(const analysis::RunRecord&)>;

/// The columns of results whose figures a summary has.
const std::map<QString, Figure>& figures()
{
    using analysis::RunRecord;
    using analysis::threeDigits;
    static const std::map<QString, Figure> All{
        {QStringLiteral("Training loss"), [](const RunRecord& run) { return threeDigits(run.summary.trainLoss); }},
        {QStringLiteral("Last batch loss"), [](const RunRecord& run) { return threeDigits(run.summary.finalLoss); }},
        {QStringLiteral("Test accuracy"),
            [](const RunRecord& run) { return analysis::onePlace(run.summary.testAccuracy * 100.0) + " %"; }},
        {QStringLiteral("Steps done"), [](const RunRecord& run) { return analysis::grouped(run.summary.steps); }},
        {QStringLiteral("Time per step (ms)"),
            [](const RunRecord& run) { return threeDigits(run.summary.msPerStepTypical); }},
        {QStringLiteral("Throughput (samples/s)"),
            [](const RunRecord& run) { return threeDigits(run.summary.samplesPerSecondTypical); }},
        {QStringLiteral("Training and evaluation time (s)"),
            [](const RunRecord& run) { return threeDigits(run.summary.trainSeconds); }}};
    return All;
}

/// How many cells of the tables are the store's figures; a cell that is not one is printed.
int equalFigures(const std::vector<Rows>& tables, const std::vector<analysis::RunRecord>& records)
{
    int equal = 0;
    for (const Rows& rows : tables) {
        for (const QStringList& row : rows) {
            for (const analysis::RunRecord& record : records) {
                if (row.front() != variantTitle(record.spec)) {
                    continue;
                }
                for (qsizetype column = 0; column < row.size(); ++column) {
                    const auto figure = figures().find(rows.front()[column]);
                    if (figure == figures().end()) {
                        continue;
                    }
                    const QString expected = QString::fromStdString(figure->second(record));
                    if (row[column] != expected) {
                        qWarning("%s of %s: %s, the store has %s", qPrintable(figure->first), qPrintable(row.front()),
                            qPrintable(row[column]), qPrintable(expected));
                    }
                    ++equal;
                }
            }
        }
    }
    return equal;
}

/// What same_cells.py prints about the formats of a report, or its error.
QByteArray numbersOf(const QString& folder)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral("python3"), {QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/ui/pages/same_cells.py")});
    process.waitForFinished();
    return process.readAllStandardOutput() + process.readAllStandardError();
}

} // namespace

class TestReportAlike : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }
    void cleanup() { applyLanguage(Language::English); }

    void windowAndCommandWriteTheSame_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("language");
        for (const char* preset : Presets) {
            for (const char* language : {"en", "zh"}) {
                QTest::addRow("%s, %s", preset, language)
                    << QString::fromLatin1(preset) << QString::fromLatin1(language);
            }
        }
    }
    void windowAndCommandWriteTheSame()
    {
        QFETCH(QString, preset);
        QFETCH(QString, language);
        const Stored stored(qPrintable(preset));
        QVERIFY(stored.isReady());
        const QString out = stored.path("command");
        for (const char* format : {"docx", "pdf", "html", "md", "tex"}) {
            QCOMPARE(stored.command(format, qPrintable(language), out), 0);
        }
        // The command has set the language of the window, too.
        const auto feeds = stored.feeds();
        QCOMPARE(feeds.size(), ComparedVariants);
        ReportPage page(stored.path("edits"));
        page.setFeeds(pointersTo(feeds));
        QVERIFY(QDir().mkpath(stored.path("window")));
        for (const char* format : {"docx", "pdf", "html", "md", "tex"}) {
            const auto written
                = page.draft().write(stored.path("window") + QStringLiteral("/report.") + QLatin1String(format));
            QVERIFY2(written.isOk(), written ? "" : written.error().text().c_str());
        }
        const auto ofCommand = filesIn(out);
        const auto ofWindow = filesIn(stored.path("window"));
        QVERIFY(ofCommand.size() > 6);
        QCOMPARE(ofWindow.size(), ofCommand.size());
        for (const auto& [path, bytes] : ofCommand) {
            QVERIFY2(ofWindow.contains(path), qPrintable(path));
            QVERIFY2(!bytes.isEmpty() && ofWindow.at(path) == bytes, qPrintable(path));
        }
    }

    void numbersAreTheStores_data()
    {
        QTest::addColumn<QString>("preset");
        for (const char* preset : Presets) {
            QTest::addRow("%s", preset) << QString::fromLatin1(preset);
        }
    }
    void numbersAreTheStores()
    {
        QFETCH(QString, preset);
        const Stored stored(qPrintable(preset));
        const QString out = stored.path("out");
        for (const char* formats : {"docx,html,md,tex", "pdf"}) {
            QCOMPARE(stored.command(formats, "en", out), 0);
        }
        const auto records = stored.records();
        QCOMPARE(records.size(), ComparedVariants);
        const auto tables = tablesOf(out + QStringLiteral("/report.md"));
        if (preset == u"collectives") {
            // The medians of the calls in place; the ranks' are equal.
            const auto sizes = std::ranges::find_if(
                tables, [](const Rows& rows) { return rows.front().front() == QStringLiteral("Message size"); });
            QVERIFY(sizes != tables.end());
            QCOMPARE(sizes->size(), std::size_t{5});
            QCOMPARE(sizes->at(1),
                (QStringList{
                    QStringLiteral("4 B"), QStringLiteral("20.0"), QStringLiteral("21.0"), QStringLiteral("22.0")}));
        } else {
            QVERIFY(equalFigures(tables, records) >= 6);
        }
        const QByteArray english = numbersOf(out);
        QVERIFY2(english.size() > 100 && !english.contains("Error"), english.constData());
        for (const char* formats : {"docx,html,md,tex", "pdf"}) {
            QCOMPARE(stored.command(formats, "zh", stored.path("zh")), 0);
        }
        QCOMPARE(numbersOf(stored.path("zh")), english);
    }

    void theButtonAsksForTheName()
    {
        const Stored stored("aggregation");
        const auto feeds = stored.feeds();
        ReportPage page(stored.path("edits"));
        page.setFeeds(pointersTo(feeds));
        page.show();
        QSignalSpy exported(&page, &ReportPage::exported);
        const QString path = stored.path("mine.docx");
        QTimer::singleShot(200, &page, [&path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
        });
        for (auto* button : page.findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Export…")) {
                button->click();
            }
        }
        QCOMPARE(exported.count(), 1);
        QCOMPARE(stored.command("docx", "en", stored.path("out")), 0);
        const auto bytesOf = [](const QString& file) {
            QFile opened(file);
            return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
        };
        QVERIFY(!bytesOf(path).isEmpty());
        QVERIFY(bytesOf(path) == bytesOf(stored.path("out/report.docx")));
    }
};

LOCKSTEP_WINDOW_TEST(TestReportAlike)
#include "test_report_alike.moc"
