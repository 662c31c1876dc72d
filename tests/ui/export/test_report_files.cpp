// Reports of stored and made-up runs in every format: what the files hold, and how long many runs take.
#include "program/full_disk.h"
#include "program/window_test.h"
#include "ui/export/preset_feeds.h"

#include "exchange/report/edits.h"
#include "store/run_store.h"
#include "ui/cli/report_command.h"
#include "ui/cli/stored_feeds.h"
#include "ui/export/report/live_chart.h"
#include "ui/export/report/report_draft.h"
#include "ui/export/report/report_files.h"
#include "ui/export/report/report_pages.h"
#include "ui/export/report/report_pdf.h"
#include "ui/export/report/report_pictures.h"
#include "ui/export/report/report_templates.h"
#include "ui/theme/window_language.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::ui;

namespace {

const std::vector<ReportFormat> AllFormats{
    ReportFormat::Docx, ReportFormat::Pdf, ReportFormat::Html, ReportFormat::Markdown, ReportFormat::Latex};

const char* const HostileTitle
    = "\\input{/etc/passwd} \\write18{touch ran} <script>document.title='ran'</script> ]]> =cmd|x "
      "](javascript:ran) <img src=http://h/i.png onerror=ran()> ^^5cinput %x $_{y}$ \\end{document} &amp; ~";

struct Made {
    std::vector<std::unique_ptr<RunFeed>> feeds;

    void add(const char* preset, std::size_t variant, int repeat = 0,
        analysis::RunStatus status = analysis::RunStatus::Finished)
    {
        feeds.push_back(presetFeed(preset, variant, repeat, status));
    }
    [[nodiscard]] std::vector<RunFeed*> shown() const { return pointersTo(feeds); }
    [[nodiscard]] report::Report report() const
    {
        return report::compose(report::templateFor(feeds.front()->record().spec.experiment),
            reportSource(shown(), analysis::Interfered::LeaveOut));
    }
    [[nodiscard]] std::vector<exchange::NewFile> files(const std::vector<ReportFormat>& formats) const
    {
        report::Report made = report();
        auto result = reportFiles(made, shown(), analysis::Interfered::LeaveOut, formats);
        return result ? std::move(*result) : std::vector<exchange::NewFile>();
    }
};

/// Copies the runs of tests/data into a store, and gives their ids.
QStringList keptRuns(const QString& store)
{
    QDir().mkpath(store);
    const QDir kept(QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/data/runs"));
    QStringList ids;
    for (const QString& name : kept.entryList({QStringLiteral("*.run")})) {
        if (QFile::copy(kept.filePath(name), store + u'/' + name)) {
            QFile::setPermissions(store + u'/' + name, QFile::ReadOwner | QFile::WriteOwner);
            ids += name.chopped(4);
        }
    }
    return ids;
}

/// What a reader sees of a page, but for commands and specs: two words of English in a row, or a space in Chinese.
QStringList foreignIn(const QByteArray& html)
{
    static const QRegularExpression Unread(
        QStringLiteral("<(style|pre|script)\\b.*?</\\1>|<[^>]*>"), QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression Foreign(
        QStringLiteral("[A-Za-z]{2,} [a-z]{3,}[^<]{0,30}|[\\p{Han}，。；：] [\\p{Han}，。；：]"));
    const QString text = QString::fromUtf8(html).replace(Unread, QStringLiteral("\n"));
    QStringList found;
    for (auto match = Foreign.globalMatch(text); match.hasNext();) {
        found += match.next().captured();
    }
    return found;
}

QByteArray bytesOf(const std::vector<exchange::NewFile>& files, const QByteArray& path)
{
    for (const exchange::NewFile& file : files) {
        if (file.path.toUtf8() == path) {
            return file.bytes;
        }
    }
    return {};
}

/// The page without its data and the script that its policy names; anything else that runs stays.
QByteArray withoutOwnScript(const QByteArray& page)
{
    static const QRegularExpression Data(QStringLiteral("<script type=\"application/json\">[^<]*</script>"));
    static const QRegularExpression Code(
        QStringLiteral("<script>(.*?)</script>"), QRegularExpression::DotMatchesEverythingOption);
    QString text = QString::fromUtf8(page).remove(Data);
    const auto code = Code.match(text);
    const QByteArray hash = QCryptographicHash::hash(code.captured(1).toUtf8(), QCryptographicHash::Sha256);
    if (text.contains(QStringLiteral("script-src 'sha256-%1';").arg(QString::fromLatin1(hash.toBase64())))) {
        text.remove(code.capturedStart(), code.capturedLength());
    }
    return text.toUtf8();
}

/// Elements and attributes of a page or picture that could do something; empty: there are none.
QString activeIn(const QByteArray& page)
{
    // What XML does not know of HTML, without which the page is read as XML.
    QString text = QString::fromUtf8(page);
    text.replace(QStringLiteral("<!DOCTYPE html>"), QString());
    text.replace(QRegularExpression(QStringLiteral("<(meta [^>]*)>")), QStringLiteral("<\\1/>"));
    QXmlStreamReader reader(text);
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement()) {
            continue;
        }
        static const QStringList Active{QStringLiteral("script"), QStringLiteral("a"), QStringLiteral("img"),
            QStringLiteral("iframe"), QStringLiteral("foreignObject"), QStringLiteral("link")};
        if (Active.contains(reader.name())) {
            return reader.name().toString();
        }
        for (const QXmlStreamAttribute& each : reader.attributes()) {
            const bool isOutside = each.name() == QLatin1String("href") && !each.value().startsWith(u'#')
                && !each.value().startsWith(QStringLiteral("data:image/"));
            if (isOutside || each.name() == QLatin1String("src") || each.name().startsWith(QLatin1String("on"))) {
                return each.name().toString() + u'=' + each.value().toString();
            }
        }
    }
    return reader.hasError() ? reader.errorString() : QString();
}

/// A curve of 200,000 points with one that is far above the others.
ChartSpec spec200k()
{
    ChartSpec chart;
    chart.id = QStringLiteral("loss");
    SeriesSpec series;
    for (int i = 0; i < 200'000; ++i) {
        series.x.push_back(i);
        series.y.push_back(i == 123'456 ? 1e3 : 1.0 / (1.0 + i));
    }
    chart.series.push_back(series);
    return chart;
}

/// Keeps files where they are looked at.
void keep(const QString& folder, const std::vector<exchange::NewFile>& files)
{
    const auto written = exchange::writeFiles(
        QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/reports/") + folder, files, exchange::Existing::Replace);
    QVERIFY2(written.isOk(), written ? "" : written.error().text().c_str());
}

/// Without blanks, and one sign for those that look alike: a PDF's fonts do not tell them apart.
QString comparable(const QString& text)
{
    return text.normalized(QString::NormalizationForm_KC).remove(u' ');
}

QString poppler(const QString& tool, const QByteArray& pdf)
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("report.pdf")));
    if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size()) {
        return {};
    }
    file.close();
    QProcess process;
    QStringList words{file.fileName()};
    if (tool == QLatin1String("pdftotext")) {
        words = QStringList{QStringLiteral("-layout"), file.fileName(), QStringLiteral("-")};
    }
    process.start(tool, words);
    process.waitForFinished();
    const QByteArray complaints = process.readAllStandardError();
    return complaints.isEmpty() ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

} // namespace

class TestReportFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }
    void cleanup() { applyLanguage(Language::English); }

    void everyTemplateInEveryFormat_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<bool>("isChinese");
        for (const char* preset :
            {"optimizers", "aggregation", "partitioning", "model-parallel", "collectives", "scaling", "sharding"}) {
            QTest::addRow("%s, en", preset) << QString::fromLatin1(preset) << false;
            QTest::addRow("%s, zh", preset) << QString::fromLatin1(preset) << true;
        }
    }
    void everyTemplateInEveryFormat()
    {
        QFETCH(QString, preset);
        QFETCH(bool, isChinese);
        applyLanguage(isChinese ? Language::Chinese : Language::English);
        Made made;
        for (std::size_t variant = 0; variant < 3; ++variant) {
            made.add(qPrintable(preset), variant);
        }
        const auto files = made.files(AllFormats);
        QVERIFY(files.size() > 5);
        keep(preset + (isChinese ? QStringLiteral("-zh") : QStringLiteral("-en")), files);
        const report::Template which = report::templateFor(preset.toStdString());
        const QByteArray title = QByteArray::fromStdString(
            which.title.in(isChinese ? report::Language::Chinese : report::Language::English));
        for (const char* path : {"report.html", "report.md", "report-latex.tex"}) {
            QVERIFY2(bytesOf(files, path).contains(title.split('(').first()), path);
        }
        const QStringList foreign = isChinese ? foreignIn(bytesOf(files, "report.html")) : QStringList();
        QVERIFY2(foreign.isEmpty(), qPrintable(foreign.join(u'\n')));
        QVERIFY(bytesOf(files, "report.docx").startsWith("PK"));
        for (const exchange::NewFile& file : files) {
            static const QRegularExpression Name(QStringLiteral("^report(-latex)?(\\.|-files/|-spec\\.json$)"));
            QVERIFY2(file.path.contains(Name), qPrintable(file.path));
            QVERIFY2(
                !file.path.endsWith(QStringLiteral(".svg")) || !file.bytes.contains(",nan\""), qPrintable(file.path));
        }
        const QByteArray pdf = bytesOf(files, "report.pdf");
        const QString fonts = poppler(QStringLiteral("pdffonts"), pdf);
        QVERIFY(!fonts.isEmpty());
        for (const QString& line : fonts.split(u'\n', Qt::SkipEmptyParts).mid(2)) {
            QVERIFY2(line.contains(QStringLiteral(" yes ")), qPrintable(line));
        }
        const QString text = comparable(poppler(QStringLiteral("pdftotext"), pdf));
        QVERIFY(text.contains(comparable(QString::fromUtf8(title))));
        // What charts say is text, too; as outlines it would make a file of megabytes.
        report::Report report = made.report();
        for (const auto& [key, chart] : reportCharts(report, made.shown(), analysis::Interfered::LeaveOut)) {
            const QString label = std::get<ChartSpec>(chart.picture()).x.label;
            QVERIFY2(text.contains(comparable(label)), qPrintable(QString::fromStdString(key) + u' ' + label));
        }
        QVERIFY2(pdf.size() < 700'000, qPrintable(QString::number(pdf.size())));
    }

    void numbersAreThoseOfTheRuns()
    {
        Made made;
        made.add("optimizers", 1);
        made.add("optimizers", 2);
        const auto files = made.files(AllFormats);
        // The training loss of the two variants.
        for (const char* path : {"report.html", "report.md", "report-latex.tex"}) {
            QVERIFY2(bytesOf(files, path).contains("0.290") && bytesOf(files, path).contains("0.280"), path);
            QVERIFY2(bytesOf(files, path).contains("91.0 ") && bytesOf(files, path).contains("0.400"), path);
        }
        QVERIFY(poppler(QStringLiteral("pdftotext"), bytesOf(files, "report.pdf")).contains(QStringLiteral("0.290")));
    }

    /// Of a run, its failure, a template, the author and an answer, in the words and in the figures.
    void textOfOthersIsText()
    {
        analysis::RunRecord named = presetRecord("aggregation", 0);
        named.label = HostileTitle;
        analysis::RunRecord other = presetRecord("aggregation", 5);
        other.spec.name = HostileTitle;
        analysis::RunRecord broken = presetRecord("aggregation", 6);
        broken.label = std::string(HostileTitle) + " failed";
        Made made;
        made.feeds.push_back(feedOf(named, 0));
        made.feeds.push_back(feedOf(other, 5));
        made.feeds.push_back(feedOf(broken, 6, analysis::RunStatus::Failed));
        const report::BothLanguages text{HostileTitle, HostileTitle};
        report::Template which = *report::builtInTemplate("aggregation");
        which.title = text;
        for (report::Section& section : which.sections) {
            section.heading = text;
            for (report::Item& item : section.content) {
                item.text = text;
            }
        }
        report::Source source = reportSource(made.shown(), analysis::Interfered::LeaveOut);
        source.author = source.number = source.date = source.templateName = HostileTitle;
        report::Report composed = report::compose(which, source);
        report::Edits edits;
        for (const report::Block& block : composed.blocks) {
            if (std::holds_alternative<report::Question>(block.content)) {
                edits.texts[block.key] = std::string(HostileTitle) + "\n" + HostileTitle;
            }
        }
        composed = report::edited(composed, edits);
        const auto files = reportFiles(composed, made.shown(), analysis::Interfered::LeaveOut, AllFormats);
        QVERIFY(files.isOk());
        keep(QStringLiteral("hostile"), *files);
        int pictures = 0;
        for (const exchange::NewFile& file : *files) {
            const bool isPage = file.path.endsWith(QStringLiteral(".html"));
            if (isPage || file.path.endsWith(QStringLiteral(".svg"))) {
                pictures += isPage ? 0 : 1;
                const QString wrong = activeIn(isPage ? withoutOwnScript(file.bytes) : file.bytes);
                QVERIFY2(wrong.isEmpty(), qPrintable(file.path + QStringLiteral(": ") + wrong));
            }
        }
        QVERIFY(pictures >= 3);
        QVERIFY(
            bytesOf(*files, "report.html").contains(QByteArray(HostileTitle).split('<').first() + "&lt;script&gt;"));
        const QString markdown = QString::fromUtf8(bytesOf(*files, "report.md")).section(QStringLiteral("\n```"), 0, 0);
        static const QRegularExpression Link(QStringLiteral("(?<!\\\\)\\](?!\\(report-files/figure)"));
        QVERIFY2(!markdown.contains(u'<') && !markdown.contains(Link), qPrintable(Link.match(markdown).captured()));
        static const QRegularExpression Comment(
            QStringLiteral("^%.*$"), QRegularExpression::MultilineOption); // of a table: whose it is
        const QString tex = QString::fromUtf8(bytesOf(*files, "report-latex.tex")).remove(Comment);
        static const QRegularExpression Command(
            QStringLiteral("\\\\(input|include|write|immediate|openin|openout|special|catcode|def|csname)\\b|\\^\\^"));
        QVERIFY2(!tex.contains(Command), qPrintable(Command.match(tex).captured()));
        QCOMPARE(tex.count(QStringLiteral("\\end{document}")), 1);
        const QString printed = comparable(poppler(QStringLiteral("pdftotext"), bytesOf(*files, "report.pdf")));
        QVERIFY(printed.contains(QStringLiteral("\\input{/etc/passwd}")) && !printed.contains(QStringLiteral("root:")));
    }

    /// Signs that would end a link or mean something to TeX.
    void namesOfFilesAreAnything()
    {
        Made made;
        made.add("optimizers", 1);
        report::Report composed = made.report();
        const QString name = QStringLiteral("我的 50% #1_a (x) ~$&{}");
        const auto files = reportFiles(composed, made.shown(), analysis::Interfered::LeaveOut, AllFormats, name);
        QVERIFY(files.isOk());
        QStringList paths;
        for (const exchange::NewFile& file : *files) {
            paths += file.path;
        }
        const QByteArray markdown = bytesOf(*files, (name + QStringLiteral(".md")).toUtf8());
        static const QRegularExpression Target(QStringLiteral("\\]\\(([^ )]+)\\)"));
        int pictures = 0;
        for (const auto& match : Target.globalMatch(QString::fromUtf8(markdown))) {
            const QString path = QUrl::fromPercentEncoding(match.captured(1).toUtf8());
            QVERIFY2(paths.contains(path), qPrintable(path));
            ++pictures;
        }
        QVERIFY(pictures >= 3);
        const QByteArray tex = bytesOf(*files, (name + QStringLiteral("-latex.tex")).toUtf8());
        static const QRegularExpression Beside(QStringLiteral("\\{([^{}]*-files/[^{}]*)\\}"));
        int tables = 0;
        for (const auto& match : Beside.globalMatch(QString::fromUtf8(tex))) {
            static const QRegularExpression Special(QStringLiteral("[ %#_~$&()]"));
            QVERIFY2(paths.contains(match.captured(1)) && !match.captured(1).contains(Special),
                qPrintable(match.captured(1)));
            ++tables;
        }
        QVERIFY(tables >= 3);
    }

    /// The data of the page's script are the curves of the charts, thinned where a page would grow too large.
    /// A learner beside runs that hardly learn: a linear axis would press the low curves together.
    void aWideRatioOfCurvesAsksForALogAxis_data()
    {
        QTest::addColumn<double>("highest");
        QTest::addColumn<bool>("isLog");
        QTest::addRow("within a factor of 20") << 0.9 << false;
        QTest::addRow("beyond it") << 2.3 << true;
        QTest::addRow("not above 0 everywhere") << 0.0 << false;
    }

    void aWideRatioOfCurvesAsksForALogAxis()
    {
        QFETCH(double, highest);
        QFETCH(bool, isLog);
        std::vector<std::unique_ptr<SampleRun>> runs;
        for (const double end : {0.05, 0.08, highest}) {
            runs.push_back(std::make_unique<SampleRun>(std::to_string(end), static_cast<int>(runs.size())));
            runs.back()->addSteps(200, [end](std::int64_t step) { return step == 1 ? 2.3 : end; });
        }
        report::Report report = report::compose(
            report::templateFor("optimizers"), reportSource(feedsOf(runs), analysis::Interfered::LeaveOut));
        const ReportCharts charts = reportCharts(report, feedsOf(runs), analysis::Interfered::LeaveOut);
        const auto loss
            = std::ranges::find_if(charts, [](const auto& each) { return idOf(each.second.picture()) == u"loss"; });
        QVERIFY(loss != charts.end());
        QCOMPARE(std::get<ChartSpec>(loss->second.picture()).y.scale == Scale::Log, isLog);
    }

    void aPageHasTheCurvesOfItsCharts()
    {
        Made made;
        made.add("optimizers", 1);
        made.add("optimizers", 2);
        report::Report report = made.report();
        const ReportCharts charts = reportCharts(report, made.shown(), analysis::Interfered::LeaveOut);
        std::size_t live = 0;
        for (const auto& [key, chart] : charts) {
            const auto* spec = std::get_if<ChartSpec>(&chart.picture());
            const std::string text = spec == nullptr ? std::string() : liveChart(*spec, 150'000);
            const QJsonDocument data = QJsonDocument::fromJson(QByteArray::fromStdString(text));
            const QJsonArray series = data[QStringLiteral("series")].toArray();
            live += text.empty() ? 0 : 1;
            for (qsizetype i = 0; i < series.size(); ++i) {
                const SeriesSpec& drawn = spec->series[static_cast<std::size_t>(i)];
                const QJsonObject own = series[i].toObject();
                QCOMPARE(own[QStringLiteral("name")].toString(), drawn.name);
                const QJsonArray values = own[QStringLiteral("y")].toArray();
                QCOMPARE(static_cast<std::size_t>(values.size()), drawn.y.size());
                for (qsizetype at = 0; at < values.size(); ++at) {
                    const double value = drawn.y[static_cast<std::size_t>(at)];
                    QCOMPARE(values[at].isNull(), !std::isfinite(value));
                    QVERIFY(values[at].isNull() || std::abs(values[at].toDouble() - value) <= 1e-5 * std::abs(value));
                }
            }
        }
        QVERIFY(live >= 2);
        const QByteArray page = bytesOf(made.files({ReportFormat::Html}), "report.html");
        QCOMPARE(static_cast<std::size_t>(page.count("<script type=\"application/json\">")), live);

        ChartSpec large = spec200k();
        const QByteArray thinned = QByteArray::fromStdString(liveChart(large, 1'000));
        QVERIFY2(thinned.size() < 40'000, qPrintable(QString::number(thinned.size())));
        const QJsonDocument data = QJsonDocument::fromJson(thinned);
        QVERIFY(data[QStringLiteral("note")].toString().contains(QStringLiteral("of 200,000 points")));
        const QJsonArray kept = data[QStringLiteral("series")][0][QStringLiteral("y")].toArray();
        QVERIFY(std::ranges::any_of(kept, [](const QJsonValue& each) { return each.toDouble() == 1e3; }));
    }

    void runsThatGoOnOrFailed()
    {
        Made made;
        made.add("aggregation", 0);
        made.add("aggregation", 1, 0, analysis::RunStatus::Failed);
        made.add("aggregation", 5, 0, analysis::RunStatus::Running);
        const QByteArray page = bytesOf(made.files({ReportFormat::Html}), "report.html");
        QVERIFY(page.contains("rank 1: killed"));
        QVERIFY(page.contains("had not ended when this report was made"));
        Made failed;
        failed.add("aggregation", 1, 0, analysis::RunStatus::Failed);
        QVERIFY(failed.files(AllFormats).size() >= AllFormats.size());
    }

    void manyRunsAreQuick()
    {
        Made made;
        for (int i = 0; i < 200; ++i) {
            made.add("optimizers", static_cast<std::size_t>(i % 3), i / 3);
        }
        for (const ReportFormat format : AllFormats) {
            // The processor's time: what else the machine does takes none of it.
            const std::clock_t begin = std::clock();
            QVERIFY(!made.files({format}).empty());
            const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
            qInfo("200 runs, format %d: %.2f s", static_cast<int>(format), seconds);
            QVERIFY(seconds < 5.0);
        }
    }

    /// Read from their files, by the command; the processor's time.
    void manyStoredRunsAreQuick()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("store"));
        const auto store = store::RunStore::open(path);
        QVERIFY(store.isOk());
        QStringList ids;
        for (int repeat = 0; repeat < 40; ++repeat) {
            ids += storedPreset(**store, "aggregation", 5, repeat);
        }
        QCOMPARE(ids.size(), 200);
        const std::clock_t begin = std::clock();
        QCOMPARE(reportCommand(ids
                     + QStringList{QStringLiteral("--store"), path, QStringLiteral("--out"),
                         folder.filePath(QStringLiteral("out")), QStringLiteral("--lang"), QStringLiteral("zh")}),
            0);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        qInfo("200 stored runs: %.2f s", seconds);
        QVERIFY(seconds < 5.0);
    }

    /// No page begins or ends with a single line of a paragraph.
    void noLineIsAlone()
    {
        constexpr int Paragraphs = 60;
        report::Report report;
        report.title = "Title";
        report.titleLines = {{"Name", "Ada"}};
        for (int i = 0; i < Paragraphs; ++i) {
            const std::string name = "p" + std::to_string(i);
            std::string text;
            for (int word = 0; word < 25 + 20 * (i % 7); ++word) {
                text += name + " ";
            }
            report.blocks.push_back({name, report::Paragraph{text}});
        }
        const auto pdf = reportPdf(report, {}, {});
        QVERIFY(pdf.isOk());
        std::map<QString, std::vector<int>> parts; // lines on each page, by paragraph
        for (const QString& page : poppler(QStringLiteral("pdftotext"), *pdf).split(QChar::FormFeed)) {
            std::map<QString, int> lines;
            for (const QString& line : page.split(u'\n', Qt::SkipEmptyParts)) {
                ++lines[line.trimmed().section(u' ', 0, 0)];
            }
            for (const auto& [name, count] : lines) {
                parts[name].push_back(count);
            }
        }
        // Each line is on its own page alone, also for who searches or selects.
        const QString all = poppler(QStringLiteral("pdftotext"), *pdf);
        for (int i = 0; i < Paragraphs; ++i) {
            QCOMPARE(all.count(QStringLiteral("p%1 ").arg(i)) + all.count(QStringLiteral("p%1\n").arg(i)),
                25 + 20 * (i % 7));
        }
        int divided = 0;
        for (const auto& [name, counts] : parts) {
            divided += name.startsWith(u'p') && counts.size() > 1 ? 1 : 0;
            QVERIFY2(!name.startsWith(u'p') || counts.size() == 1 || std::ranges::min(counts) > 1, qPrintable(name));
        }
        QVERIFY2(divided > 0, "else nothing was tried");
        const ReportPages pages(report, {});
        QCOMPARE(pages.placeOf("p59")->page, pages.count() - 1);
    }

    /// A table begins a page only where it does not fit below what is before it, also where earlier lines have moved.
    void tablesMoveOnlyWhereTheyMust()
    {
        const double below = ReportPages::pageSize().height() * 25.0 / 297.0; // the margin
        int moved = 0;
        for (int lines = 10; lines < 90; ++lines) {
            report::Report report;
            report.title = "Title";
            for (int i = 0; i < lines; ++i) {
                const bool isLong = i % 9 == 8;
                report.blocks.push_back({"p" + std::to_string(i),
                    report::Paragraph{isLong
                            ? QString(220, u'w').replace(QStringLiteral("wwww"), QStringLiteral("www ")).toStdString()
                            : "line"}});
            }
            report.blocks.push_back({"before", report::Paragraph{"before"}});
            report.blocks.push_back({"table", report::Table{"t", {"a"}, {false}, {8, {"x"}}}});
            report.blocks.push_back({"after", report::Paragraph{"after"}});
            const ReportPages pages(report, {});
            const auto before = pages.placeOf("before");
            const auto table = pages.placeOf("table");
            const auto after = pages.placeOf("after");
            if (table->page > before->page && after->page == table->page) {
                ++moved;
                const double room = ReportPages::pageSize().height() - below - before->top;
                QVERIFY2(room < after->top - table->top + 50.0, qPrintable(QString::number(lines)));
            }
        }
        QVERIFY2(moved > 2, "else nothing was tried");
    }

    /// A paragraph behind a table is as far from it as from another paragraph, at least.
    void tablesDoNotTouchWhatFollows()
    {
        report::Report report;
        report.title = "Title";
        report.titleLines = {{"Name", "Ada"}};
        report.blocks = {{"a", report::Paragraph{"HHHH"}}, {"b", report::Paragraph{"HHHH"}},
            {"c", report::Table{"HHHH", {"HHHH", "HHHH"}, {false, false}, {{"HHHH", "HHHH"}}}},
            {"d", report::Paragraph{"HHHH"}}};
        const QImage page = ReportPages(report, {}).image(0, 192);
        std::vector<int> gaps; // between lines of letters
        for (int y = 0, blank = 0; y < page.height() * 9 / 10; ++y) {
            const bool isRule = page.pixelColor(page.width() * 7 / 8, y).lightness() < 230;
            bool hasInk = false;
            for (int x = 0; x < page.width() && !hasInk && !isRule; ++x) {
                hasInk = page.pixelColor(x, y).lightness() < 100;
            }
            if (hasInk && blank > 0) {
                gaps.push_back(blank);
            }
            blank = hasInk ? 0 : blank + 1;
        }
        QCOMPARE(gaps.size(), std::size_t{8}); // title, name, a, b, caption, head, row, d
        QVERIFY2(gaps[7] >= gaps[3], qPrintable(QStringLiteral("%1 %2").arg(gaps[7]).arg(gaps[3])));
    }

    /// What laboratories and templates may name, in a room that draws nothing.
    void namesOfChartsAreThoseOfTheWindow()
    {
        const auto named = report::chartNames();
        QCOMPARE(reportChartNames(), (std::vector<std::string_view>(named.begin(), named.end())));
    }

    void pagesAreWhite()
    {
        Made made;
        made.add("optimizers", 1);
        report::Report report = made.report();
        const ReportCharts charts = reportCharts(report, made.shown(), analysis::Interfered::LeaveOut);
        const ReportPages pages(report, charts);
        QVERIFY(pages.count() >= 3);
        const QImage image = pages.image(0, 60);
        QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white));
        int ink = 0;
        for (int y = 0; y < image.height() / 4; ++y) {
            for (int x = 0; x < image.width(); ++x) {
                ink += image.pixelColor(x, y).lightness() < 128 ? 1 : 0;
            }
        }
        QVERIFY2(ink > 50, qPrintable(QString::number(ink)));
    }

    void theCommandWritesStoredRuns()
    {
        const QTemporaryDir folder;
        const QString store = folder.filePath(QStringLiteral("store"));
        const QStringList ids = keptRuns(store);
        QVERIFY(!ids.empty());
        const QString out = folder.filePath(QStringLiteral("out"));
        const QStringList words = ids
            + QStringList{QStringLiteral("--store"), store, QStringLiteral("--out"), out, QStringLiteral("--format"),
                QStringLiteral("html,docx"), QStringLiteral("--lang"), QStringLiteral("en")};
        QCOMPARE(reportCommand(words), 0);
        QFile html(out + QStringLiteral("/report.html"));
        QVERIFY(html.open(QIODevice::ReadOnly));
        QVERIFY(html.readAll().contains(ids.front().toUtf8()));
        // Again: the names exist.
        QCOMPARE(reportCommand(words), 2);
        QCOMPARE(reportCommand(words + QStringList{QStringLiteral("--overwrite")}), 0);
    }

    void aFullDiskLeavesNothing()
    {
        const QTemporaryDir folder;
        const QString store = folder.filePath(QStringLiteral("store"));
        const QString out = folder.filePath(QStringLiteral("out"));
        const QStringList words = keptRuns(store)
            + QStringList{QStringLiteral("--store"), store, QStringLiteral("--out"), out, QStringLiteral("--format"),
                QStringLiteral("html,docx,md,tex,pdf"), QStringLiteral("--lang"), QStringLiteral("en")};
        // The index is made before, so that the report is what does not fit.
        constexpr int Room = 60'000;
        QVERIFY(store::RunStore::open(store).isOk());
        QVERIFY(QFileInfo(store + QStringLiteral("/index.sqlite")).size() < Room);
        {
            const FullDisk disk(Room);
            QCOMPARE(reportCommand(words), 2);
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
            QStringList{QStringLiteral("store")});
        QCOMPARE(reportCommand(words), 0);
        QVERIFY(QFileInfo(out + QStringLiteral("/report.docx")).size() > Room);
    }

    void ownTemplatesAreFiles()
    {
        const QTemporaryDir home;
        qputenv("XDG_DATA_HOME", home.path().toUtf8());
        QVERIFY(QDir().mkpath(templateFolder()));
        const auto write = [](const QString& path, const QByteArray& text) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        const QByteArray mine = R"({"version": 1, "name": "../x", "title": "Mine",
            "sections": [{"id": "a", "heading": "Aim", "content": [{"chart": "loss"}]}]})";
        const QString path = templateFolder() + QStringLiteral("/mine.json");
        QVERIFY(write(path, mine));
        QVERIFY(templateChoices().contains(path));
        for (const QString& name : {QStringLiteral("mine"), path}) {
            const auto read = readTemplate(name);
            QVERIFY2(read.isOk(), read ? "" : read.error().text().c_str());
            QCOMPARE(read->title.english, std::string("Mine"));
        }
        QVERIFY(write(path, QByteArray(mine).replace("loss", "fog")));
        QVERIFY(
            QString::fromStdString(readTemplate(path).error().text()).startsWith(path + QStringLiteral(": a.chart: ")));
        const auto absent = readTemplate(QStringLiteral("absent"));
        QVERIFY(QString::fromStdString(absent.error().text()).contains(QStringLiteral("comparison, mine")));
        qunsetenv("XDG_DATA_HOME");
    }

    void badWordsAreRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addRow("format") << QStringList{QStringLiteral("--format"), QStringLiteral("rtf")};
        QTest::addRow("language") << QStringList{QStringLiteral("--lang"), QStringLiteral("fr")};
        QTest::addRow("no such run") << QStringList{QStringLiteral("nobody")};
        QTest::addRow("option") << QStringList{QStringLiteral("--frob")};
        QTest::addRow("printed template") << QStringList{QStringLiteral("--print-template"), QStringLiteral("no such")};
    }
    void badWordsAreRefused()
    {
        QFETCH(QStringList, words);
        const QTemporaryDir store;
        QCOMPARE(reportCommand(words + QStringList{QStringLiteral("--store"), store.path()}), 2);
    }
};

LOCKSTEP_WINDOW_TEST(TestReportFiles)
#include "test_report_files.moc"
