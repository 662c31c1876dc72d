// The files of a report: their structure, and that text of others is only text in each of them.
#include "made_up_runs.h"
#include "program/test_class.h"

#include "exchange/report/table_layout.h"
#include "exchange/report/writers.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace lockstep;
using namespace lockstep::report;

namespace {

const std::string Hostile
    = "\\input{/etc/passwd} <script>alert(1)</script> ]]> & \"' =cmd|x $x$ %y _z_ ![p](http://h/i.png) #1 ^^5c "
      "\\end{document}\x01\xFF `c` <img src=http://h> {*} ~";

Picture pictureNamed(const std::string& id)
{
    Picture picture;
    picture.widthMm = 160;
    picture.heightMm = 90;
    picture.svg = R"(<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3">)"
                  R"(<g id="a"><rect width="4" height="3"/></g></svg>)";
    // A transparent pixel.
    picture.png = QByteArray::fromBase64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
                      .toStdString();
    picture.tikz = "\\begin{tikzpicture}\\begin{axis}\\addplot table {report-files/" + id
        + ".tsv};\\end{axis}\\end{tikzpicture}";
    picture.data = {{"report-files/" + id + ".tsv", "x\ty\n1\t2\n"}};
    return picture;
}

Report reportWith(const std::string& text)
{
    Report made;
    made.words = {"Figure", "Table", "Write here."};
    made.title = text;
    made.titleLines = {{"Name", text}, {"Date", ""}};
    made.blocks = {{"a", Heading{1, text}}, {"b", Paragraph{text + "\n" + text}},
        {"c", Sentences{{{"kind", text, {}, {}}}}}, {"d", Chart{"loss", "", false, {}, {}, {}, text, text}},
        {"e", Table{text, {text, "number"}, {false, true}, {{text, "1.50"}, {"", "–"}}}}, {"f", Question{text, ""}},
        {"g", Question{"q", text}}, {"h", Chart{"time", "", false, {}, {}, {}, "second", "s"}},
        {"i", Listing{text + "\n```\n" + text}}, {"j", Chart{"left out", "", false, {}, {}, {}, "has no picture", ""}}};
    return made;
}

Pictures pictures()
{
    return {{"d", pictureNamed("d")}, {"h", pictureNamed("h")}};
}

std::vector<File> filesOf(const std::string& text, TextFormat format)
{
    auto files = write(reportWith(text), pictures(), format, "report");
    return files ? std::move(*files) : std::vector<File>();
}

QString firstText(const std::string& text, TextFormat format)
{
    const auto files = filesOf(text, format);
    return files.empty() ? QString() : QString::fromStdString(files.front().bytes);
}

/// Debian's, which has Debian's packages.
QString python()
{
    const QString system = QStringLiteral("/usr/bin/python3");
    return QFileInfo::exists(system) ? system : QStringLiteral("python3");
}

/// What look_at_docx.py prints about the files, or its error.
QString lookAt(const std::vector<File>& files, const QString& what)
{
    QTemporaryDir folder;
    for (const File& file : files) {
        const QString path = folder.filePath(QString::fromStdString(file.path));
        QDir().mkpath(QFileInfo(path).path());
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(QByteArray::fromStdString(file.bytes)) < 0) {
            return QStringLiteral("not written");
        }
    }
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(python(), {QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/core/exchange/report/look_at_docx.py"), what});
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput() + process.readAllStandardError()).trimmed();
}

} // namespace

class TestReportWriters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void docxIsAZipOfXml()
    {
        const auto files = filesOf(Hostile, TextFormat::Docx);
        QCOMPARE(files.size(), std::size_t{1});
        QCOMPARE(lookAt(files, QStringLiteral("zip")), QStringLiteral("4"));
    }

    void docxOpensInPython()
    {
        if (QProcess::execute(python(), {QStringLiteral("-c"), QStringLiteral("import docx")}) != 0) {
            QSKIP("python3-docx is not installed");
        }
        QCOMPARE(lookAt(filesOf("Chapter", TextFormat::Docx), QStringLiteral("document")),
            QStringLiteral("['Chapter'] 1.50 2 160 Chapter"));
        // Words of others come back as they were, but for what no text has.
        QVERIFY(lookAt(filesOf(Hostile, TextFormat::Docx), QStringLiteral("first"))
                    .startsWith(QStringLiteral("\\input{/etc/passwd} <script>alert(1)</script> ]]> & \"' =cmd|x")));
    }

    void equalReportsAreEqualFiles()
    {
        QVERIFY(filesOf("a", TextFormat::Docx).front().bytes == filesOf("a", TextFormat::Docx).front().bytes);
        QVERIFY(filesOf("a", TextFormat::Docx).front().bytes != filesOf("b", TextFormat::Docx).front().bytes);
    }

    void htmlAsksNobody()
    {
        const QString page = firstText(Hostile, TextFormat::Html);
        QVERIFY(page.contains(QStringLiteral("default-src 'none'")));
        QVERIFY(!page.contains(QStringLiteral("<script")) && !page.contains(QStringLiteral("<img")));
        QCOMPARE(page.count(QStringLiteral("<svg")), 2);
        QVERIFY(page.contains(QStringLiteral("id=\"f1-a\"")) && page.contains(QStringLiteral("id=\"f2-a\"")));
        QVERIFY(page.contains(QStringLiteral("\\input{/etc/passwd} &lt;script&gt;")));
        // Every element is ours and closed.
        QString body = page.mid(page.indexOf(QStringLiteral("<body>")));
        body.chop(body.size() - body.indexOf(QStringLiteral("</html>")));
        QXmlStreamReader reader(body.replace(QStringLiteral("&#8194;"), QStringLiteral(" ")));
        while (!reader.atEnd()) {
            reader.readNext();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    void aLivePageRunsOneScriptOfOurs()
    {
        // What would end the data, or be markup, if it were not written as JSON's escapes.
        const std::string name = "</script><script>alert(1)</script><!-- & \u2028\u2029";
        Pictures live = pictures();
        live["d"].live = "{\"name\":\"" + name + "\"}";
        const auto files = write(reportWith(Hostile), live, TextFormat::Html, "report");
        QVERIFY(files.isOk());
        const QString page = QString::fromStdString(files->front().bytes);
        static const QRegularExpression Script(QStringLiteral("<script([^>]*)>(.*?)</script>"),
            QRegularExpression::DotMatchesEverythingOption | QRegularExpression::CaseInsensitiveOption);
        auto scripts = Script.globalMatch(page);
        const auto data = scripts.next();
        const auto code = scripts.next();
        QVERIFY(!scripts.hasNext());
        QCOMPARE(data.captured(1), QStringLiteral(" type=\"application/json\""));
        QVERIFY(!data.captured(2).contains(QRegularExpression(QStringLiteral("[<>&\u2028\u2029]"))));
        QCOMPARE(QJsonDocument::fromJson(data.captured(2).toUtf8())[QStringLiteral("name")].toString(),
            QString::fromStdString(name));
        QVERIFY(code.captured(1).isEmpty());
        const QByteArray hash = QCryptographicHash::hash(code.captured(2).toUtf8(), QCryptographicHash::Sha256);
        QVERIFY(page.contains(QStringLiteral("script-src 'sha256-%1'; ").arg(QString::fromLatin1(hash.toBase64()))));
        QVERIFY(page.contains(QStringLiteral("default-src 'none'")));
        // It asks nobody, and takes text as text.
        static const QRegularExpression Reaching(QStringLiteral(
            "https?:|fetch|XMLHttpRequest|import|eval|innerHTML|insertAdjacentHTML|document\\.write|Function\\("));
        QVERIFY2(!code.captured(2).contains(Reaching), qPrintable(Reaching.match(code.captured(2)).captured()));
    }

    void markdownHasNoHtml()
    {
        const auto files = filesOf(Hostile, TextFormat::Markdown);
        QCOMPARE(files.size(), std::size_t{3});
        QString page = QString::fromStdString(files.front().bytes);
        QVERIFY(page.contains(QStringLiteral("](report-files/figure-1-loss.svg)")));
        // The listing stands between longer fences than any line of it.
        const auto listing = page.indexOf(QStringLiteral("````\n"));
        QVERIFY(listing > 0 && page.endsWith(QStringLiteral("````\n\n")));
        page.truncate(listing);
        QVERIFY(!page.contains(u'<') && !page.contains(QStringLiteral(" ![")) && !page.contains(QStringLiteral("\n=")));
        // A cell has no bar that would end it.
        static const QRegularExpression Bar(QStringLiteral("(?<!\\\\)\\|"));
        for (const QString& line : page.split(u'\n')) {
            if (line.startsWith(u'|')) {
                QCOMPARE(line.count(Bar), 3);
            }
        }
    }

    void markdownNumbersStayReadable()
    {
        Report made = reportWith("x");
        made.blocks = {{"a", Paragraph{"-0.3 and 1.50"}}, {"b", Paragraph{"1. not a list"}},
            {"c", Paragraph{"- nor this"}}, {"d", Paragraph{"==="}}};
        const auto files = write(made, {}, TextFormat::Markdown, "report");
        const QString page = QString::fromStdString(files->front().bytes);
        QVERIFY(page.contains(QStringLiteral("\n-0.3 and 1.50\n")));
        QVERIFY(
            page.contains(QStringLiteral("\n1\\. not a list\n")) && page.contains(QStringLiteral("\n\\- nor this\n")));
        QVERIFY(page.contains(QStringLiteral("\n\\===\n")));
    }

    void columnsFitTheirWords()
    {
        const Table table{"", {"Variant", "n", "Communication per step (ms)", "测试准确率", "Note"},
            {false, true, true, true, false},
            {{"parameter_server_async", "3", "1.20", "96.7 %", "a long sentence with many short words in it"}}};
        const std::vector<double> shares = columnShares(table);
        QVERIFY(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1.0) < 1e-9);
        // In letters of a line of 100: the longest word and the space around it.
        const std::vector<double> least{24, 3, 15, 10, 10};
        for (std::size_t i = 0; i < shares.size(); ++i) {
            QVERIFY2(shares[i] * 100.0 >= least[i], qPrintable(QString::number(i)));
        }
        QVERIFY(shares[4] > shares[0]); // what is long gets what is left
    }

    /// Where there is room; with many columns an interval is divided, not a word.
    void wideTablesDivideNoWord()
    {
        Table table{"", {"Variant", "Communication per step (ms)"}, {false, true}, {}};
        table.rows = {{"asynchronous", "0.449 [0.428, 0.471]"}};
        QVERIFY(intervalsOf(table) == Intervals::Whole);
        for (int column = 0; column < 7; ++column) {
            table.header.emplace_back("Waiting per step");
            table.isNumber.push_back(true);
            table.rows.front().emplace_back("30.1 % [26.7, 33.9]");
        }
        QVERIFY(intervalsOf(table) == Intervals::Divided);
        const std::vector<double> shares = columnShares(table);
        constexpr double Letters = 121.0; // of a line in the size of such tables
        QVERIFY2(shares[0] * Letters >= 12.0, qPrintable(QString::number(shares[0] * Letters))); // "asynchronous"
        QVERIFY2(shares[1] * Letters >= 15.0, qPrintable(QString::number(shares[1] * Letters))); // bold "Communication"
        QCOMPARE(unbroken("30.1 % [26.7, 33.9]", Intervals::Divided), std::string("30.1\u00a0% [26.7, 33.9]"));
    }

    void numbersStayWithTheirUnits()
    {
        const auto shown = [](std::string_view text) {
            return QString::fromStdString(unbroken(text)).replace(QChar(QChar::Nbsp), u'~');
        };
        QCOMPARE(shown("94.9 % [92.7, 96.5] of 3 sorts"), QStringLiteral("94.9~% [92.7,~96.5] of 3 sorts"));
        QCOMPARE(shown("70,000 [10,000, 390,000]"), QStringLiteral("70,000 [10,000,~390,000]"));
        QCOMPARE(shown("+19.0 [+2.9, +35.1] points (n = 3)."), QStringLiteral("+19.0 [+2.9,~+35.1] points (n~=~3)."));
        QCOMPARE(shown("5 ms, 3 models, 610 kB"), QStringLiteral("5~ms, 3 models, 610~kB"));
        QCOMPARE(shown("[a, b] and [1, 2"), QStringLiteral("[a, b] and [1, 2"));
        const auto files = filesOf("95.1 % here", TextFormat::Markdown);
        QVERIFY(files.front().bytes.find("95.1 % here") != std::string::npos); // text to copy keeps its spaces
    }

    void latexHasNoCommandOfOthers()
    {
        const auto files = filesOf(Hostile, TextFormat::Latex);
        const QString page = QString::fromStdString(files.front().bytes);
        QVERIFY(!page.contains(QStringLiteral("\\input")) && !page.contains(QStringLiteral("\\write")));
        QCOMPARE(page.count(QStringLiteral("\\end{document}")), 1);
        QVERIFY(page.contains(QStringLiteral("\\textbackslash{}input\\{/etc/passwd\\}")));
        QVERIFY(!page.contains(QStringLiteral("^^")));
        // A row that began with a bracket would be an option of the line before it.
        static const QRegularExpression Option(QStringLiteral("\\\\\\\\\\s*[\\[*]"));
        QVERIFY(!page.section(QStringLiteral("\\midrule"), 1).contains(Option));
        QStringList names;
        for (const File& file : files) {
            names += QString::fromStdString(file.path);
        }
        QVERIFY(names.contains(QStringLiteral("report-files/d.tsv")));
        QVERIFY(names.contains(QStringLiteral("report-files/listing-1.txt")));
    }

    void figuresAndTablesAreNumberedInOrder()
    {
        for (const TextFormat format : {TextFormat::Html, TextFormat::Markdown, TextFormat::Latex}) {
            const QString page = firstText("x", format);
            QVERIFY(page.contains(QStringLiteral("Figure 1")) && page.contains(QStringLiteral("Figure 2")));
            QVERIFY(page.contains(QStringLiteral("Table 1")));
            QVERIFY(!page.contains(QStringLiteral("Figure 3")) && !page.contains(QStringLiteral("has no picture")));
        }
    }

    void allFormatsHaveTheSameNumbers()
    {
        for (const TextFormat format : {TextFormat::Html, TextFormat::Markdown, TextFormat::Latex}) {
            QVERIFY(firstText("x", format).contains(QStringLiteral("1.50")));
        }
    }

    void formatsHaveSuffixes() { QCOMPARE(suffixOf(TextFormat::Latex), std::string_view("tex")); }
};

LOCKSTEP_TEST(TestReportWriters)
#include "test_report_writers.moc"
