// What an export can change of a figure, several panels, the figure's own language, and copies.
#include "language/language.h"
#include "program/window_test.h"
#include "ui/export/copy_picture.h"
#include "ui/export/export_dialog.h"
#include "ui/export/export_fields.h"
#include "ui/export/scaled_paint.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/sample_runs.h"
#include "ui/shell/desktop.h"

#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Finds a field by its accessible name.
template <typename Widget>
Widget* field(const QWidget& of, const QString& name)
{
    for (Widget* each : of.findChildren<Widget*>()) {
        if (each->accessibleName() == name) {
            return each;
        }
    }
    return nullptr;
}

void keep(const QString& name, const QImage& image)
{
    const QString folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(image.save(folder + name));
}

QByteArray svgOf(const ui::Picture& picture, const ui::PaperOptions& options = {})
{
    const auto svg = ui::render(picture, ui::PaperFormat::Svg, options);
    return svg ? *svg : QByteArray();
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        ui::loadResources();
        language::installTexts(language::TextLanguage::English);
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        m_runs = sampleRuns(200);
        m_model = std::make_unique<ui::ChartModel>(*ui::findChart(u"loss"));
        m_model->setFeeds(feedsOf(m_runs));
    }
    void cleanup()
    {
        m_model.reset();
        m_runs.clear();
    }

    void legendStandsWhereItIsWanted_data()
    {
        QTest::addColumn<int>("place");
        QTest::addRow("above") << static_cast<int>(ui::LegendPlace::Above);
        QTest::addRow("below") << static_cast<int>(ui::LegendPlace::Below);
        QTest::addRow("top right") << static_cast<int>(ui::LegendPlace::TopRight);
        QTest::addRow("bottom right") << static_cast<int>(ui::LegendPlace::BottomRight);
        QTest::addRow("none") << static_cast<int>(ui::LegendPlace::None);
    }

    void legendStandsWhereItIsWanted()
    {
        QFETCH(int, place);
        ui::PaperOptions options;
        options.legend = static_cast<ui::LegendPlace>(place);
        options.markers = ui::PaperOptions::Markers::None;
        options.rawTraces = ui::PaperOptions::RawTraces::LeftOut;
        const QImage image = ui::renderImage(m_model->fullChart(), options, 96);
        keep(QStringLiteral("legend_%1.png").arg(place), image);
        // SGD's colour, red, at the edges: where its sample stands, and nowhere else.
        const QColor red = m_runs[1]->feed->color();
        const auto isRed = [&](const QColor& color) { // thin lines are blended with the paper
            return color.saturation() > 60 && std::abs(color.hue() - red.hue()) < 6;
        };
        const auto has = [&](const QRect& area) {
            for (int y = area.top(); y <= area.bottom(); ++y) {
                for (int x = area.left(); x <= area.right(); ++x) {
                    if (isRed(image.pixelColor(x, y))) {
                        return true;
                    }
                }
            }
            return false;
        };
        const int width = image.width();
        const int height = image.height();
        QCOMPARE(has(QRect(0, 0, width, 22)), options.legend == ui::LegendPlace::Above);
        QCOMPARE(has(QRect(0, height - 24, width, 24)), options.legend == ui::LegendPlace::Below);
        QCOMPARE(has(QRect(width * 3 / 4, 24, width / 4, height / 4)), options.legend == ui::LegendPlace::TopRight);
        // The chart fills its paper: Adam's first losses are in the upper third wherever the legend stands.
        QVERIFY(has(QRect(0, 24, width / 3, height / 3)));
    }

    void rawCurvesCanBeLeftOut()
    {
        const ui::ChartSpec chart = m_model->fullChart();
        ui::PaperOptions options;
        const qsizetype with = svgOf(chart, options).size();
        options.rawTraces = ui::PaperOptions::RawTraces::LeftOut;
        const qsizetype without = svgOf(chart, options).size();
        QVERIFY2(without < with * 3 / 4, qPrintable(QStringLiteral("%1 of %2").arg(without).arg(with)));
        // The numbers are those of the picture.
        const auto csvOf
            = [&](const ui::PaperOptions& chosen) { return *ui::render(chart, ui::PaperFormat::Csv, chosen); };
        QVERIFY(csvOf({}).contains(",loss,") && csvOf({}).contains(",loss-smoothed,"));
        QVERIFY(!csvOf(options).contains(",loss,") && csvOf(options).contains(",loss-smoothed,"));
    }

    void axesHaveTheEndsAskedFor()
    {
        ui::PaperOptions options;
        options.x = {50.0, 150.0};
        options.y = {std::nullopt, 2.0};
        const auto files
            = ui::renderFiles(m_model->fullChart(), ui::PaperFormat::Pgfplots, options, QStringLiteral("a"));
        QVERIFY(files.isOk());
        const QByteArray& tex = files->front().bytes;
        QVERIFY(tex.contains("xmin=50,") && tex.contains("xmax=150,") && tex.contains("ymax=2,"));
        options.x = {150.0, 50.0};
        QVERIFY(!ui::render(m_model->fullChart(), ui::PaperFormat::Pdf, options).isOk());
        ui::ChartSpec logarithmic = m_model->fullChart();
        logarithmic.y.scale = ui::Scale::Log;
        options.x = {};
        options.y = {0.0, 1.0};
        const auto refused = ui::render(logarithmic, ui::PaperFormat::Pdf, options);
        QVERIFY(!refused.isOk());
        QCOMPARE(QString::fromStdString(refused.error().text()),
            QStringLiteral("y: the axis is logarithmic: its ends must be above 0"));
    }

    void severalPanelsAreOneFigure()
    {
        ui::ChartModel accuracy(*ui::findChart(u"accuracy"));
        accuracy.setFeeds(feedsOf(m_runs));
        ui::ChartModel time(*ui::findChart(u"time"));
        time.setFeeds(feedsOf(m_runs));
        const ui::PanelFigure figure = ui::panelsOf({m_model->fullChart(), accuracy.fullChart(), time.fullChart()}, 2);
        QCOMPARE(figure.id, QStringLiteral("loss-accuracy-time"));
        QCOMPARE(figure.rowCount(), 2);
        keep(QStringLiteral("panels.png"), ui::renderImage(figure, {}, 150));
        const QByteArray svg = svgOf(figure);
        QVERIFY(QSvgRenderer(svg).isValid());
        for (const char* title : {"(a) Training loss (batch)", "(b) Test accuracy", "(c) Time per step by phase"}) {
            QVERIFY2(svg.contains(title), title);
        }
        const auto csv = ui::renderFiles(figure, ui::PaperFormat::Csv, {}, QStringLiteral("all"));
        QVERIFY(csv.isOk());
        QCOMPARE(csv->size(), std::size_t{3});
        QCOMPARE((*csv)[2].name, QStringLiteral("all-3-time.csv"));
        const auto tex = ui::renderFiles(figure, ui::PaperFormat::Pgfplots, {}, QStringLiteral("all"));
        QVERIFY(tex.isOk());
        QCOMPARE(tex->front().bytes.count("\\begin{tikzpicture}"), 3);
        std::set<QString> names;
        for (const ui::PaperFile& each : *tex) {
            QVERIFY2(names.insert(each.name).second, qPrintable(each.name)); // none overwrites another
        }
    }

    void figureHasItsOwnLanguage()
    {
        ui::ExportDialog dialog(
            std::vector<ui::ChartSource>{{QStringLiteral("Loss"), [this] { return m_model->fullChart(); }}});
        auto* language = field<QComboBox>(dialog, QStringLiteral("Language"));
        QVERIFY(language != nullptr);
        language->setCurrentIndex(2);
        QCOMPARE(titleOf(dialog.picture()), QStringLiteral("训练损失（批次）"));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("loss.svg"));
        field<QComboBox>(dialog, QStringLiteral("Format"))->setCurrentText(QStringLiteral("SVG"));
        QVERIFY(dialog.saveTo(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("训练损失") && !svg.contains("Training loss"));
        // The window's texts are as before.
        QCOMPARE(m_model->fullChart().title, QStringLiteral("Training loss (batch)"));
        language->setCurrentIndex(0);
        QCOMPARE(titleOf(dialog.picture()), QStringLiteral("Training loss (batch)"));
    }

    void dialogAddsPanelsAndNamesWrongEnds()
    {
        ui::ChartModel accuracy(*ui::findChart(u"accuracy"));
        accuracy.setFeeds(feedsOf(m_runs));
        ui::ExportDialog dialog(
            std::vector<ui::ChartSource>{{QStringLiteral("Loss"), [this] { return m_model->fullChart(); }},
                {QStringLiteral("Accuracy"), [&] { return accuracy.fullChart(); }}});
        auto* panels = dialog.findChild<QListWidget*>();
        QVERIFY(panels != nullptr);
        panels->item(0)->setCheckState(Qt::Checked);
        QVERIFY(std::holds_alternative<ui::PanelFigure>(dialog.picture()));
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QTest::qWait(100);
        keep(QStringLiteral("export_dialog_panels.png"), dialog.grab().toImage());
        auto* end = field<QLineEdit>(dialog, QStringLiteral("x axis to"));
        end->setText(QStringLiteral("many"));
        QTemporaryDir folder;
        QVERIFY(!dialog.saveTo(folder.filePath(QStringLiteral("a.pdf"))));
        QVERIFY(QDir(folder.path()).isEmpty(QDir::Files));
        end->setText(QStringLiteral("100"));
        QVERIFY(dialog.saveTo(folder.filePath(QStringLiteral("a.pdf"))));
    }

    void copiesAreSvgBitmapAndTable()
    {
        const auto mime = ui::mimeOf(m_model->fullChart(), {});
        QVERIFY(QSvgRenderer(mime->data(QStringLiteral("image/svg+xml"))).isValid());
        QCOMPARE(qvariant_cast<QImage>(mime->imageData()).size(), QSize(2161, 1299)); // 183 x 110 mm at 300 dpi
        const QStringList lines = mime->text().split(u'\n');
        QCOMPARE(lines.front(), QStringLiteral("run\tname\tcurve\tStep\tBatch loss"));
        QCOMPARE(lines[1].split(u'\t').size(), 5);
        QVERIFY(mime->data(QStringLiteral("text/csv")).startsWith("run,name,curve,Step,Batch loss\r\n"));
    }

    void spreadsheetsCarryNothingOut()
    {
        ui::ChartSpec chart;
        ui::SeriesSpec series;
        series.key = QStringLiteral("r/loss");
        series.name = QStringLiteral("=cmd|' /C calc'!A0");
        series.x = {1.0};
        series.y = {-0.5};
        chart.series.push_back(series);
        QCOMPARE(ui::chartCsv(chart).split('\n')[1].trimmed(), QByteArray("r,\"'=cmd|' /C calc'!A0\",loss,1,-0.5"));
    }

    void textsFillTheirPaper()
    {
        ui::Drawing drawing = ui::textDrawing(QStringLiteral("findings"), QStringLiteral("Findings"),
            QStringLiteral("<p>%1</p>").arg(QString(900, u'a')));
        QVERIFY(drawing.fittingHeight(183.0, 8.0) > 5.0);
        QVERIFY(drawing.fittingHeight(89.0, 8.0) >= drawing.fittingHeight(183.0, 8.0));
        drawing.csv = [] { return QByteArray(); };
        QVERIFY(!ui::render(drawing, ui::PaperFormat::Pgfplots, {}).isOk());
    }

private:
    std::vector<std::unique_ptr<SampleRun>> m_runs;
    std::unique_ptr<ui::ChartModel> m_model;
};

LOCKSTEP_WINDOW_TEST(TestFigures)
#include "test_figures.moc"
