// PGFPlots: what the source and its tables contain, and, where XeLaTeX is installed, the compiled page.
#include "program/window_test.h"
#include "ui/export/tex/pgfplots.h"
#include "ui/export/tex/pgfplots_clip.h"
#include "ui/export/tex/tex_text.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/repeat_runs.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <set>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr double NoValue = std::numeric_limits<double>::quiet_NaN();

ui::SeriesSpec line(const QString& name, std::vector<double> x, std::vector<double> y)
{
    ui::SeriesSpec series;
    series.key = QStringLiteral("r/") + name;
    series.name = name;
    series.color = QColor(0, 119, 187);
    series.x = std::move(x);
    series.y = std::move(y);
    return series;
}

ui::ChartSpec chartOf(std::vector<ui::SeriesSpec> series)
{
    ui::ChartSpec chart;
    chart.id = QStringLiteral("loss");
    chart.title = QStringLiteral("Training loss");
    chart.x.label = QStringLiteral("Step");
    chart.y.label = QStringLiteral("Training loss");
    chart.series = std::move(series);
    return chart;
}

/// The numbers of a column of a table.
std::vector<double> column(const ui::PaperFile& table, const QByteArray& name)
{
    QList<QByteArray> lines = table.bytes.trimmed().split('\n');
    const qsizetype at = lines.takeFirst().split('\t').indexOf(name);
    std::vector<double> numbers;
    for (const QByteArray& each : std::as_const(lines)) {
        const QByteArray field = each.split('\t').value(at);
        numbers.push_back(field == "nan" ? NoValue : field.toDouble());
    }
    return numbers;
}

QByteArray withoutComments(const QByteArray& tex)
{
    QList<QByteArray> lines = tex.split('\n');
    lines.removeIf([](const QByteArray& each) { return each.startsWith('%'); });
    return lines.join('\n');
}

/// The commands that TeX would carry out.
std::set<QString> commandsOf(const QByteArray& tex)
{
    std::set<QString> commands;
    static const QRegularExpression command(QStringLiteral("\\\\([a-zA-Z]+)"));
    auto found = command.globalMatch(QString::fromUtf8(withoutComments(tex)));
    while (found.hasNext()) {
        commands.insert(found.next().captured(1));
    }
    return commands;
}

const char* const Hostile = "\\input{/etc/passwd} \\write18{id} ^^5cinput %x\n\\openout$#&_~{";

/// Compiles in an own folder; gives XeLaTeX's log where it failed.
QString compiled(const std::vector<ui::PaperFile>& files, const QString& picture)
{
    QTemporaryDir folder;
    for (const ui::PaperFile& each : files) {
        QFile file(folder.filePath(each.name));
        if (!file.open(QIODevice::WriteOnly) || file.write(each.bytes) != each.bytes.size()) {
            return QStringLiteral("cannot write ") + each.name;
        }
    }
    QProcess tex;
    tex.setWorkingDirectory(folder.path());
    tex.start(QStringLiteral("xelatex"),
        {QStringLiteral("-interaction=nonstopmode"), QStringLiteral("-halt-on-error"), files.front().name});
    tex.waitForFinished(120'000);
    const QString log = QString::fromUtf8(tex.readAllStandardOutput());
    if (tex.exitStatus() != QProcess::NormalExit || tex.exitCode() != 0 || log.contains(u"Missing character")) {
        return log.right(3000);
    }
    QProcess::execute(QStringLiteral("pdftoppm"),
        {QStringLiteral("-r"), QStringLiteral("110"), QStringLiteral("-png"), QStringLiteral("-singlefile"),
            folder.filePath(QString(files.front().name).replace(QStringLiteral(".tex"), QStringLiteral(".pdf"))),
            QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/") + picture});
    return {};
}

} // namespace

class TestPgfplots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }

    void namesAreText()
    {
        ui::ChartSpec chart = chartOf({line(QString::fromLatin1(Hostile), {1, 2}, {1, 2})});
        chart.title = QString::fromLatin1(Hostile);
        chart.remark = QString::fromLatin1(Hostile);
        chart.x.label = QString::fromLatin1(Hostile);
        chart.marks = {{1.5, QString::fromLatin1(Hostile)}};
        ui::PaperOptions options;
        options.specJson = QString::fromLatin1(Hostile);
        const auto files = ui::pgfplotsFiles(chart, options, QString::fromLatin1(Hostile));
        const std::set<QString> own{QStringLiteral("documentclass"), QStringLiteral("usepackage"),
            QStringLiteral("pgfplotsset"), QStringLiteral("usepgfplotslibrary"), QStringLiteral("usetikzlibrary"),
            QStringLiteral("pagestyle"), QStringLiteral("begin"), QStringLiteral("end"), QStringLiteral("setbox"),
            QStringLiteral("hbox"), QStringLiteral("vbox"), QStringLiteral("fontsize"), QStringLiteral("selectfont"),
            QStringLiteral("sffamily"), QStringLiteral("definecolor"), QStringLiteral("addplot"),
            QStringLiteral("addlegendimage"), QStringLiteral("addlegendentry"), QStringLiteral("draw"),
            QStringLiteral("hoffset"), QStringLiteral("voffset"), QStringLiteral("pdfpagewidth"),
            QStringLiteral("pdfpageheight"), QStringLiteral("wd"), QStringLiteral("ht"), QStringLiteral("dp"),
            QStringLiteral("dimexpr"), QStringLiteral("relax"), QStringLiteral("shipout"), QStringLiteral("box"),
            QStringLiteral("textbackslash"), QStringLiteral("textasciicircum"), QStringLiteral("textasciitilde"),
            QStringLiteral("rlap"), QStringLiteral("allowbreak"), QStringLiteral("textasciigrave")};
        for (const QString& command : commandsOf(files.front().bytes)) {
            QVERIFY2(own.contains(command), qPrintable(command));
        }
        QVERIFY(!withoutComments(files.front().bytes).contains("^^"));
        // Nothing of a name leaves a comment, and tables have names that TeX reads as they are.
        QVERIFY(!files.front().bytes.contains("\n\\openout"));
        static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_.-]+\\.tsv$"));
        QVERIFY2(plain.match(files[1].name).hasMatch(), qPrintable(files[1].name));
        QVERIFY(files.front().bytes.contains('{' + files[1].name.toUtf8() + '}'));
    }

    /// Each reads its own tables, in whatever script its name is, and no name is longer than 120 bytes.
    void chartsOfTwoNamesHaveTwoFiles()
    {
        const QStringList ids{QStringLiteral("metric-a/b"), QStringLiteral("metric-a:b"), QStringLiteral("metric-a b"),
            QStringLiteral("metric-准确率"), QStringLiteral("metric-损失率"), QString(150, u'变'),
            QString(150, u'变') + u'x'};
        std::set<QString> names;
        std::size_t files = 0;
        for (const QString& id : ids) {
            ui::ChartSpec chart = chartOf({line(id, {1, 2}, {1, 2})});
            chart.id = id;
            for (const ui::PaperFile& file : ui::pgfplotsFiles(chart, {}, ui::idOf(chart))) {
                names.insert(file.name);
                ++files;
                QVERIFY2(file.name.toUtf8().size() <= 120, qPrintable(file.name));
            }
        }
        QCOMPARE(names.size(), files);
        QVERIFY(names.contains(QStringLiteral("metric-准确率.tex")));
    }

    void textIsPrintedAsItIs_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("tex");
        QTest::addRow("underscore") << QStringLiteral("all_reduce") << QByteArray("all\\_\\allowbreak{}reduce");
        QTest::addRow("percent") << QStringLiteral("95 %") << QByteArray("95 \\%");
        QTest::addRow("hyphens") << QStringLiteral("a--b") << QByteArray("a{-}{-}b");
        QTest::addRow("line break") << QStringLiteral("a\nb") << QByteArray("a b");
        QTest::addRow("power") << QStringLiteral("10⁻⁴") << QByteArray("10\\ensuremath{^{-}}\\ensuremath{^{4}}");
        QTest::addRow("Chinese") << QStringLiteral("训练损失") << QByteArray("训练损失");
    }

    void textIsPrintedAsItIs()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, tex);
        QCOMPARE(ui::texText(text), tex);
    }

    void longCurvesKeepTheirExtremes()
    {
        std::vector<double> x(60'000);
        std::vector<double> y(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<double>(i);
            y[i] = 2.0 + std::sin(static_cast<double>(i) * 0.37);
        }
        y[31'234] = 5.0;
        y[44'321] = 0.25;
        const auto files = ui::pgfplotsFiles(chartOf({line(QStringLiteral("a"), x, y)}), {}, QStringLiteral("loss"));
        QCOMPARE(files.size(), std::size_t{2});
        const auto drawn = column(files[1], "y");
        QVERIFY(drawn.size() <= 2000 && drawn.size() > 1000);
        QCOMPARE(*std::max_element(drawn.begin(), drawn.end()), 5.0);
        QCOMPARE(*std::min_element(drawn.begin(), drawn.end()), 0.25);
        QVERIFY(files.front().bytes.contains("points for 60000"));
    }

    /// As 14 variants with their raw curves have: TeX's memory holds them, in several panels too.
    void manyLongCurvesFitTexsMemory_data()
    {
        QTest::addColumn<int>("panels");
        QTest::addRow("alone") << 1;
        QTest::addRow("panels") << 4;
    }
    void manyLongCurvesFitTexsMemory()
    {
        QFETCH(int, panels);
        std::vector<double> x(1500);
        std::vector<double> y(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<double>(i);
            y[i] = 2.0 + std::sin(static_cast<double>(i * i));
        }
        std::vector<ui::SeriesSpec> curves;
        for (int i = 0; i < 28; ++i) {
            curves.push_back(line(QString::number(i), x, y));
        }
        const std::vector<ui::ChartSpec> charts(static_cast<std::size_t>(panels), chartOf(curves));
        const auto files = ui::pgfplotsFiles(ui::panelsOf(charts, 2), {}, QStringLiteral("many"));
        std::size_t points = 0;
        for (const ui::PaperFile& file : files) {
            points += file.name.endsWith(QStringLiteral(".tsv")) ? column(file, "y").size() : 0;
        }
        QVERIFY2(points > 5'000 && points <= 10'000, qPrintable(QString::number(points)));
        if (QStandardPaths::findExecutable(QStringLiteral("xelatex")).isEmpty()) {
            QSKIP("xelatex is not installed");
        }
        const QString log = compiled(files, QStringLiteral("pgf-many-%1").arg(panels));
        QVERIFY2(log.isEmpty(), qPrintable(log));
    }

    void curvesEndAtTheAxes()
    {
        ui::ChartSpec chart = chartOf({line(QStringLiteral("a"), {0, 1, 2, 3, 4}, {0.0, 1e9, 0.0, NoValue, 0.5})});
        chart.y.minimum = 0.0;
        chart.y.maximum = 1.0;
        const auto files = ui::pgfplotsFiles(chart, {}, QStringLiteral("loss"));
        const auto x = column(files[1], "x");
        const auto y = column(files[1], "y");
        // Up to the end of the axis, a gap, down again, the gap of what is missing, the last point by itself.
        QCOMPARE(y.size(), std::size_t{7});
        QVERIFY(std::isnan(y[2]) && std::isnan(y[5]));
        for (const double each : y) {
            QVERIFY(std::isnan(each) || (each >= -0.06 && each <= 1.06));
        }
        QCOMPARE(x[6], 4.0);
        QCOMPARE(y[6], 0.5);
        QVERIFY(std::abs(x[1] - 1.05e-9) < 1e-12); // where the line to 1e9 crosses 1.05
    }

    void logarithmicAxesHaveNoZero()
    {
        ui::ChartSpec chart = chartOf({line(QStringLiteral("a"), {0, 1, 2}, {1.0, 0.0, 0.01})});
        chart.y.scale = ui::Scale::Log;
        const auto files = ui::pgfplotsFiles(chart, {}, QStringLiteral("loss"));
        const auto y = column(files[1], "y");
        QCOMPARE(y.front(), 1.0);
        QCOMPARE(y.back(), 0.01);
        QVERIFY(std::all_of(y.begin(), y.end(), [](double each) { return std::isnan(each) || each > 0.0; }));
        QVERIFY(files.front().bytes.contains("ymode=log"));
    }

    void barsStandOnEachOther()
    {
        ui::ChartSpec chart = chartOf({});
        chart.x.categories = {QStringLiteral("GD, whole"), QStringLiteral("SGD")};
        for (const double each : {1.0, 2.0}) {
            ui::SeriesSpec series = line(QString::number(each), {0, 1}, {each, 10.0 * each});
            series.style = ui::SeriesStyle::StackedBars;
            chart.series.push_back(series);
        }
        const auto files = ui::pgfplotsFiles(chart, {}, QStringLiteral("time"));
        QCOMPARE(column(files[1], "top"), (std::vector<double>{1.0, 10.0}));
        QCOMPARE(column(files[2], "top"), (std::vector<double>{3.0, 30.0}));
        QCOMPARE(column(files[2], "y"), (std::vector<double>{2.0, 20.0}));
        // The higher is drawn first, the lower over it.
        const QByteArray& tex = files.front().bytes;
        QVERIFY(tex.indexOf("time-2.tsv") < tex.indexOf("time-1.tsv"));
        QVERIFY(tex.contains("xticklabels={{GD, whole},{SGD}}"));
    }

    void bandsFillBetweenTheirEnds()
    {
        ui::SeriesSpec series = line(QStringLiteral("a"), {1, 2, 3}, {1, 2, 3});
        series.low = {0.5, NoValue, 2.5};
        series.high = {1.5, NoValue, 3.5};
        const auto files = ui::pgfplotsFiles(chartOf({series}), {}, QStringLiteral("loss"));
        QVERIFY(files.front().bytes.contains("fill between[of=lockstep1low and lockstep1high]"));
        QCOMPARE(column(files[1], "low"), (std::vector<double>{0.5, 2.5}));
        QCOMPARE(column(files[1], "high"), (std::vector<double>{1.5, 3.5}));
    }

    void xelatexCompilesEveryKind_data()
    {
        QTest::addColumn<QString>("chart");
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<int>("points");
        for (const char* kind : {"loss", "accuracy", "time"}) {
            QTest::addRow("%s", kind) << QString::fromLatin1(kind) << QString() << 625;
        }
        QTest::addRow("60,000 points") << QStringLiteral("loss") << QStringLiteral("long") << 60'000;
        QTest::addRow("Chinese") << QStringLiteral("loss") << QStringLiteral("zh") << 625;
    }

    void xelatexCompilesEveryKind()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("xelatex")).isEmpty()) {
            QSKIP("XeLaTeX is not installed (texlive-xetex, texlive-lang-chinese, texlive-pictures)");
        }
        QFETCH(QString, chart);
        QFETCH(QString, suffix);
        QFETCH(int, points);
        const auto runs = sampleRuns(points);
        ui::ChartModel model(*ui::findChart(chart));
        model.setFeeds(feedsOf(runs));
        ui::ChartSpec spec = model.fullChart();
        if (suffix == QLatin1String("zh")) {
            spec.y.label = QStringLiteral("训练损失");
            spec.series.front().name = QStringLiteral("变体“甲”_1 × 2");
            spec.y.scale = ui::Scale::Log;
            spec.marks = {{200.0, QString::fromUtf8("减速 100 %")}, {230.0, QString::fromLatin1(Hostile)}};
        }
        ui::PaperOptions options;
        options.specJson = spec.specJson;
        const QString log = compiled(ui::pgfplotsFiles(spec, options, chart), QStringLiteral("tex_") + chart + suffix);
        QVERIFY2(log.isEmpty(), qPrintable(log));
    }

    void xelatexCompilesBandsCellsAndFormulas()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("xelatex")).isEmpty()) {
            QSKIP("XeLaTeX is not installed (texlive-xetex, texlive-lang-chinese, texlive-pictures)");
        }
        std::vector<std::unique_ptr<SampleRun>> runs;
        for (int seed = 1; seed <= 3; ++seed) {
            runs.push_back(repeatRun("all_reduce", seed, seed, 2.0));
            runs.push_back(repeatRun("ring", 10 + seed, seed, 1.5));
        }
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        const QString log
            = compiled(ui::pgfplotsFiles(model.fullChart(), {}, QStringLiteral("bands")), QStringLiteral("tex_bands"));
        QVERIFY2(log.isEmpty(), qPrintable(log));

        ui::ChartSpec cells = chartOf({});
        cells.x.categories = {QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2")};
        cells.y.categories = {QStringLiteral("rank 0"), QStringLiteral("rank 1")};
        for (const double each : {100.0, 1200.0}) {
            ui::SeriesSpec row = line(QString::number(each), {0, 1, 2}, {each, 0.0, each / 2.0});
            row.style = ui::SeriesStyle::Cells;
            cells.series.push_back(row);
        }
        const QString cellLog
            = compiled(ui::pgfplotsFiles(cells, {}, QStringLiteral("cells")), QStringLiteral("tex_cells"));
        QVERIFY2(cellLog.isEmpty(), qPrintable(cellLog));

        ui::ChartSpec formula = chartOf({});
        formula.x.categories = {QStringLiteral("zero-1"), QStringLiteral("zero-2"), QStringLiteral("zero-3")};
        for (const auto style : {ui::SeriesStyle::StackedBars, ui::SeriesStyle::FormulaBars}) {
            ui::SeriesSpec bars
                = line(style == ui::SeriesStyle::FormulaBars ? QStringLiteral("formula") : QStringLiteral("measured"),
                    {0, 1, 2}, {12.0, 8.5, 4.25});
            bars.style = style;
            formula.series.push_back(bars);
        }
        const QString formulaLog
            = compiled(ui::pgfplotsFiles(formula, {}, QStringLiteral("formula")), QStringLiteral("tex_formula"));
        QVERIFY2(formulaLog.isEmpty(), qPrintable(formulaLog));
    }
};

LOCKSTEP_WINDOW_TEST(TestPgfplots)
#include "test_pgfplots.moc"
