#include "exchange/export/series_csv.h"
#include "program/window_test.h"
#include "ui/export/export_dialog.h"
#include "ui/export/render.h"
#include "ui/models/chart_axes.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/sample_runs.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <csignal>
#include <sys/resource.h>

using namespace lockstep;
using namespace lockstep::test;

namespace {

ui::ChartSpec sampleChart(const ui::ChartKind& kind, std::int64_t steps = 625)
{
    const auto runs = sampleRuns(steps);
    ui::ChartModel model(kind);
    model.setFeeds(feedsOf(runs));
    return model.fullChart();
}

/// Every file lands where pictures are looked at.
void keep(const QString& name, const QByteArray& bytes)
{
    const QDir folder(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots"));
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    QVERIFY(exchange::writeFile(folder.filePath(name), bytes).isOk());
}

/// What a poppler tool prints about a PDF; empty where the tool is not installed.
QString poppler(const QString& tool, const QStringList& words, const QByteArray& pdf)
{
    const QString program = QStandardPaths::findExecutable(tool);
    if (program.isEmpty()) {
        return {};
    }
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.pdf"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size()) {
        return {};
    }
    file.close();
    QProcess process;
    process.start(program, words + QStringList{path, QStringLiteral("-")});
    if (tool != QLatin1String("pdftotext")) {
        process.close();
        process.start(program, words + QStringList{path});
    }
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput());
}

} // namespace

class TestExports : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    { // The offscreen platform complains about every window; nothing else may be said.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void csvHoldsTheNumbers()
    {
        const auto runs = sampleRuns(100);
        runs[1]->feed->setVisible(false);
        ui::ChartModel model(*ui::findChart(u"loss"));
        ui::ChartOptions options;
        options.smoothing = 0.0;
        model.setOptions(options);
        model.setFeeds(feedsOf(runs));
        const QList<QByteArray> lines = ui::chartCsv(model.fullChart()).split('\n');
        QCOMPARE(lines.front().trimmed(), QByteArray("run,name,curve,Step,Batch loss"));
        QCOMPARE(lines.size(), 1 + 2 * 100 + 1);
        for (std::size_t i = 0; i < 100; ++i) {
            const QList<QByteArray> fields = lines[static_cast<qsizetype>(101 + i)].trimmed().split(',');
            const analysis::Curve& loss = runs[2]->feed->loss();
            QCOMPARE(fields[0].toStdString(), runs[2]->feed->id().text);
            QCOMPARE(fields[1], QByteArray("Adam"));
            QCOMPARE(fields[2], QByteArray("loss"));
            QCOMPARE(fields[3].toLongLong(), loss.step[i]);
            QCOMPARE(fields[4].toDouble(), loss.value[i]); // to the last bit
        }
    }

    void csvLeavesMissingNumbersEmpty()
    {
        ui::ChartSpec chart;
        chart.x.label = QStringLiteral("Step");
        chart.y.label = QStringLiteral("Loss, mean");
        ui::SeriesSpec series;
        series.key = QStringLiteral("r/loss");
        series.name = QStringLiteral("a \"b\"");
        series.x = {1.0, 2.0};
        series.y = {0.5, std::numeric_limits<double>::quiet_NaN()};
        chart.series.push_back(series);
        QCOMPARE(ui::chartCsv(chart),
            QByteArray(
                "run,name,curve,Step,\"Loss, mean\"\r\nr,\"a \"\"b\"\"\",loss,1,0.5\r\nr,\"a \"\"b\"\"\",loss,2,\r\n"));
    }

    void pdfHasTheSizeAskedFor_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        QTest::addColumn<double>("font");
        QTest::addRow("one column") << 89.0 << 60.0 << 8.0;
        QTest::addRow("two columns") << 183.0 << 110.0 << 7.0;
        QTest::addRow("slide") << 254.0 << 143.0 << 14.0;
    }

    void pdfHasTheSizeAskedFor()
    {
        QFETCH(double, width);
        QFETCH(double, height);
        QFETCH(double, font);
        ui::PaperOptions options;
        options.widthMm = width;
        options.heightMm = height;
        options.fontPt = font;
        options.specJson = QStringLiteral("[{\"experiment\":\"optimizers\"}]");
        const auto pdf = ui::render(sampleChart(*ui::findChart(u"loss")), ui::PaperFormat::Pdf, options);
        QVERIFY(pdf.isOk());
        QVERIFY(pdf->startsWith("%PDF-"));
        keep(QStringLiteral("export_loss_%1mm.pdf").arg(width), *pdf);
        const QString info = poppler(QStringLiteral("pdfinfo"), {}, *pdf);
        if (info.isEmpty()) {
            QSKIP("poppler-utils is not installed");
        }
        const QString attached = poppler(QStringLiteral("pdfdetach"), {QStringLiteral("-list")}, *pdf);
        QVERIFY2(attached.contains(QStringLiteral("spec.json")), qPrintable(attached));
        const auto size = QRegularExpression(QStringLiteral("Page size: *([0-9.]+) x ([0-9.]+) pts")).match(info);
        QVERIFY(size.hasMatch());
        QVERIFY2(std::fabs(size.captured(1).toDouble() / 72.0 * 25.4 - width) < 0.05, qPrintable(info));
        QVERIFY2(std::fabs(size.captured(2).toDouble() / 72.0 * 25.4 - height) < 0.05, qPrintable(info));
        const QString fonts = poppler(QStringLiteral("pdffonts"), {}, *pdf);
        QVERIFY2(fonts.contains(QLatin1String(" yes ")), qPrintable(fonts));
        // The font's size is the distance that poppler gives between ascent and descent, over that of the family.
        const QString words = poppler(QStringLiteral("pdftotext"), {QStringLiteral("-bbox")}, *pdf);
        const auto step
            = QRegularExpression(QStringLiteral("yMin=\"([0-9.]+)\" xMax=\"[0-9.]+\" yMax=\"([0-9.]+)\">Step<"))
                  .match(words);
        QVERIFY2(step.hasMatch(), qPrintable(words.left(2000)));
        const double high = step.captured(2).toDouble() - step.captured(1).toDouble();
        QVERIFY2(high > 0.95 * font && high < 1.3 * font, qPrintable(QString::number(high)));
    }

    void pngHasItsDotsAndItsSpec()
    {
        ui::PaperOptions options;
        options.widthMm = 89.0;
        options.heightMm = 60.0;
        options.dpi = 300;
        options.specJson = QStringLiteral("[{\"name\":\"Größe\"}]");
        const auto png = ui::render(sampleChart(*ui::findChart(u"loss")), ui::PaperFormat::Png, options);
        QVERIFY(png.isOk());
        keep(QStringLiteral("export_loss.png"), *png);
        const QImage image = QImage::fromData(*png, "PNG");
        QCOMPARE(image.size(), QSize(1051, 709)); // 89 and 60 mm at 300 dots in 25.4 mm
        QCOMPARE(image.dotsPerMeterX(), 11811);
        QCOMPARE(image.text(QStringLiteral("Lockstep-Spec")), options.specJson);
    }

    /// Bands are transparent elsewhere; here they must not turn the page into an image.
    void epsHasVectorsAndItsSpec()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("pdftops")).isEmpty()) {
            QSKIP("poppler-utils is not installed");
        }
        ui::ChartSpec chart = sampleChart(*ui::findChart(u"loss"));
        for (ui::SeriesSpec& each : chart.series) {
            each.low = each.y;
            each.high = each.y;
            std::ranges::for_each(each.high, [](double& value) { value *= 1.2; });
        }
        ui::PaperOptions options;
        options.widthMm = 89.0;
        options.heightMm = 60.0;
        options.specJson = QStringLiteral("[{\"name\":\"%1\"}]").arg(QString(500, u'n'));
        const auto pdf = ui::render(chart, ui::PaperFormat::Pdf, options);
        QVERIFY(pdf.isOk());
        QVERIFY(pdf->contains("/ca 0."));
        const auto eps = ui::render(chart, ui::PaperFormat::Eps, options);
        QVERIFY(eps.isOk());
        keep(QStringLiteral("export_loss.eps"), *eps);
        QVERIFY(eps->startsWith("%!PS-Adobe-3.0 EPSF-3.0"));
        QVERIFY(!eps->contains("/ImageType"));
        const auto box = QRegularExpression(QStringLiteral("%%HiResBoundingBox: 0 0 ([0-9.]+) ([0-9.]+)"))
                             .match(QString::fromLatin1(*eps));
        QVERIFY(box.hasMatch());
        QVERIFY(std::fabs(box.captured(1).toDouble() / 72.0 * 25.4 - options.widthMm) < 0.05);
        QVERIFY(std::fabs(box.captured(2).toDouble() / 72.0 * 25.4 - options.heightMm) < 0.05);
        QByteArray spec;
        for (const QByteArray& line : eps->split('\n')) {
            static constexpr QByteArrayView Begin = "%Lockstep-Spec: ";
            QVERIFY(!line.startsWith('%') || line.size() <= 255);
            spec += line.startsWith(Begin) ? line.mid(Begin.size()) : QByteArray();
        }
        QCOMPARE(QString::fromUtf8(spec), options.specJson);
    }

    void epsNamesTheProgramItNeeds()
    {
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "/nonexistent");
        const auto eps = ui::render(sampleChart(*ui::findChart(u"loss")), ui::PaperFormat::Eps, {});
        qputenv("PATH", path);
        QVERIFY(!eps.isOk());
        QVERIFY(eps.error().message.find("poppler-utils") != std::string::npos);
    }

    void svgIsWellFormedAndSaysItsSize()
    {
        ui::PaperOptions options;
        options.widthMm = 89.0;
        options.heightMm = 60.0;
        options.specJson = QStringLiteral("[{\"name\":\"a < b & c\"}]");
        const auto svg = ui::render(sampleChart(*ui::findChart(u"accuracy")), ui::PaperFormat::Svg, options);
        QVERIFY(svg.isOk());
        keep(QStringLiteral("export_accuracy.svg"), *svg);
        QXmlStreamReader reader(*svg);
        QString description;
        bool hasText = false;
        double width = 0.0;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement() && reader.name() == QLatin1String("svg")) {
                const QString value = reader.attributes().value(QLatin1String("width")).toString();
                QVERIFY(value.endsWith(QLatin1String("mm")));
                width = value.chopped(2).toDouble();
            } else if (reader.isStartElement() && reader.name() == QLatin1String("desc")) {
                description = reader.readElementText();
            }
            hasText = hasText || (reader.isStartElement() && reader.name() == QLatin1String("text"));
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(width, 89.0);
        QCOMPARE(description, options.specJson);
        QVERIFY(hasText);
        QVERIFY(QSvgRenderer(*svg).isValid());
    }

    void everyChartHasAPicture()
    {
        ui::PaperOptions options;
        options.widthMm = 89.0;
        options.heightMm = 60.0;
        for (const char16_t* id : {u"loss", u"accuracy", u"time"}) {
            for (const auto colors : {ui::PaperOptions::Colors::AsOnScreen, ui::PaperOptions::Colors::Grey}) {
                options.colors = colors;
                const ui::ChartSpec chart = sampleChart(*ui::findChart(id));
                const auto png = ui::render(chart, ui::PaperFormat::Png, options);
                QVERIFY(png.isOk());
                const char* tail = colors == ui::PaperOptions::Colors::Grey ? "_grey.png" : ".png";
                keep(QStringLiteral("paper_") + chart.id + QLatin1String(tail), *png);
                const QImage image = QImage::fromData(*png);
                int dark = 0;
                for (int x = 0; x < image.width(); ++x) {
                    dark += qGray(image.pixel(x, image.height() / 2)) < 200 ? 1 : 0;
                }
                QVERIFY(dark > 3);
            }
        }
    }

    /// A name of any length leaves room for the bars, and stands whole in the table.
    void longNamesLeaveRoom()
    {
        ui::ChartSpec chart;
        chart.id = QStringLiteral("time");
        ui::SeriesSpec bars;
        bars.key = QStringLiteral("r/time");
        bars.name = QString(200, u'n');
        bars.color = QColor(255, 0, 0);
        bars.style = ui::SeriesStyle::StackedBars;
        const QString name = QString(100, u'a') + QString(100, u'b');
        for (int i = 0; i < 3; ++i) {
            chart.x.categories.push_back(name);
            bars.x.push_back(i);
            bars.y.push_back(1.0);
        }
        chart.series.push_back(bars);
        ui::PaperOptions options;
        options.widthMm = 160.0;
        options.heightMm = 92.0;
        options.dpi = 100;
        const auto png = ui::render(chart, ui::PaperFormat::Png, options);
        QVERIFY(png.isOk());
        keep(QStringLiteral("export_long_names.png"), *png);
        const QImage image = QImage::fromData(*png);
        int red = 0;
        int firstName = 0; // dark dots below the first bar's left half
        for (int y = 0; y < image.height(); ++y) {
            const QColor color = image.pixelColor(image.width() / 2, y);
            red += color.red() > 200 && color.green() < 60 ? 1 : 0;
            for (int x = 0; x < image.width() / 8; ++x) {
                firstName += y > image.height() * 3 / 4 && qGray(image.pixel(x, y)) < 128 ? 1 : 0;
            }
        }
        QVERIFY2(red > image.height() / 3, qPrintable(QString::number(red)));
        QVERIFY2(firstName > 20, qPrintable(QString::number(firstName)));
        QCOMPARE(ui::fittedRanges(chart).y.low, 0.0);
        QVERIFY(ui::chartCsv(chart).contains(name.toUtf8()));
    }

    void longCurvesMakeSmallFiles()
    {
        const auto pdf
            = ui::render(sampleChart(*ui::findChart(u"loss"), 60'000), ui::PaperFormat::Pdf, ui::PaperOptions{});
        QVERIFY(pdf.isOk());
        QVERIFY2(pdf->size() < 600'000, qPrintable(QString::number(pdf->size())));
    }

    void fullDiskIsAnError()
    {
        QTemporaryDir folder;
        ui::ExportDialog dialog(sampleChart(*ui::findChart(u"loss")));
        // A file may have 4 KiB from now on, which is what a full disk looks like to a writer.
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        rlimit small = before;
        small.rlim_cur = 4096;
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const bool isSaved = dialog.saveTo(folder.filePath(QStringLiteral("loss.pdf")));
        const auto written = exchange::writeFile(folder.filePath(QStringLiteral("b.csv")), QByteArray(100'000, 'x'));
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!isSaved);
        QVERIFY(!written.isOk());
        QVERIFY(written.error().message.find("b.csv") != std::string::npos);
        QVERIFY(QDir(folder.path()).isEmpty(QDir::Files));
        QVERIFY(dialog.saveTo(folder.filePath(QStringLiteral("loss.pdf"))));
        QVERIFY(QFile(folder.filePath(QStringLiteral("loss.pdf"))).size() > 4096);
    }

    void dialogShowsThePaper()
    {
        ui::ExportDialog dialog(sampleChart(*ui::findChart(u"loss")));
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QVERIFY(dialog.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/export_dialog.png")));
    }
};

LOCKSTEP_WINDOW_TEST(TestExports)
#include "test_exports.moc"
