// Curves that lie on each other are all seen: on the screen, in both themes, and on paper.
#include "program/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/export/render.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/charts/coincidence.h"
#include "ui/models/repeat_runs.h"

#include <QDir>
#include <QImage>
#include <QRegularExpression>
#include <QTest>

#include <cstdlib>

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Runs = std::vector<std::unique_ptr<SampleRun>>;

Runs coinciding(int count)
{
    Runs runs;
    for (int i = 0; i < count; ++i) {
        runs.push_back(repeatRun("algorithm " + std::to_string(i), i, 1, 2.0 + 1e-8 * i, 400));
    }
    return runs;
}

/// How many dots of the picture have nearly this colour.
int dotsOf(const QColor& color, const QImage& image)
{
    int dots = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor here(image.pixel(x, y));
            const int apart = std::abs(here.red() - color.red()) + std::abs(here.green() - color.green())
                + std::abs(here.blue() - color.blue());
            dots += apart < 24 ? 1 : 0;
        }
    }
    return dots;
}

void keep(const QImage& image, const QString& name)
{
    QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
    QVERIFY(image.save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/") + name));
}

ui::ChartSpec chartOf(const char16_t* id, const Runs& runs)
{
    ui::ChartModel model(*ui::findChart(id));
    model.setFeeds(feedsOf(runs));
    return model.fullChart();
}

/// The part of the picture below the legend, which has all colours.
QImage belowLegend(const QImage& image)
{
    return image.copy(0, image.height() / 5, image.width(), image.height() * 4 / 5);
}

} // namespace

class TestCoincidingCurves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    { // The offscreen platform complains about every window; nothing else may be said.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void eachIsSeen_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addRow("loss") << "loss";
        QTest::addRow("accuracy") << "accuracy";
    }

    void eachIsSeen()
    {
        QFETCH(QString, id);
        const Runs runs = coinciding(7);
        ui::ChartModel model(*ui::findChart(id));
        model.setFeeds(feedsOf(runs));
        const ui::ChartSpec chart = model.fullChart();
        QCOMPARE(chart.remark, QStringLiteral("7 runs coincide"));
        ui::ChartView view;
        view.resize(760, 420);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (const bool isDark : {false, true}) {
            const ui::ChartTheme theme = isDark ? ui::darkTheme() : ui::lightTheme();
            view.setTheme(theme);
            view.setChart(chart);
            QTest::qWait(50);
            const QImage screen = view.grab().toImage();
            keep(screen, QStringLiteral("coincide_%1_%2.png").arg(id, isDark ? "dark" : "light"));
            for (const auto& run : runs) {
                const int dots = dotsOf(ui::onGround(run->feed->color(), theme.background), belowLegend(screen));
                QVERIFY2(dots > 20, qPrintable(QStringLiteral("%1: %2 dots").arg(run->feed->displayName()).arg(dots)));
            }
        }
        for (const auto markers : {ui::PaperOptions::Markers::Sparse, ui::PaperOptions::Markers::None}) {
            ui::PaperOptions options;
            options.markers = markers;
            const QImage paper = ui::renderImage(chart, options, 150);
            keep(paper,
                QStringLiteral("coincide_%1_paper_%2.png")
                    .arg(id, markers == ui::PaperOptions::Markers::Sparse ? "markers" : "plain"));
            for (const auto& run : runs) {
                QVERIFY2(dotsOf(run->feed->color(), belowLegend(paper)) > 20, qPrintable(run->feed->displayName()));
            }
        }
    }

    /// Where the shorter of two lines has ended the longer one is drawn whole.
    void theLongerHasNoGaps()
    {
        ui::ChartSpec chart;
        for (const int steps : {100, 93}) {
            ui::SeriesSpec line;
            line.key = QString::number(steps);
            line.color = steps == 100 ? Qt::red : Qt::blue;
            line.width = 2.0;
            for (int i = 0; i < steps; ++i) {
                line.x.push_back(i);
                line.y.push_back(1.0);
            }
            chart.series.push_back(line);
        }
        ui::markCoincident(chart, false);
        QCOMPARE(chart.series.front().stripes, 2);
        QCOMPARE(*chart.series.front().stripesEnd, 92.0);
        ui::PaperOptions options;
        options.markers = ui::PaperOptions::Markers::None;
        const QImage paper = ui::renderImage(chart, options, 150);
        keep(paper, QStringLiteral("coincide_longer.png"));
        std::vector<int> columns;
        for (int x = 0; x < paper.width(); ++x) {
            const QImage column = paper.copy(x, 0, 1, paper.height());
            if (dotsOf(Qt::red, column) + dotsOf(Qt::blue, column) > 0) {
                columns.push_back(x);
            }
        }
        QVERIFY(columns.size() > 300U);
        for (std::size_t i = 1; i < columns.size(); ++i) {
            QVERIFY2(columns[i] - columns[i - 1] <= 3, qPrintable(QStringLiteral("a gap at %1").arg(columns[i])));
        }
    }

    void theRemarkIsOnPaper()
    {
        ui::ChartSpec chart = chartOf(u"loss", coinciding(2));
        QVERIFY(!chart.remark.isEmpty());
        ui::PaperOptions options;
        const auto with = ui::render(chart, ui::PaperFormat::Svg, options);
        QVERIFY(with.isOk());
        QVERIFY(with->contains("2 runs coincide"));
    }

    void picturesOfMeans()
    {
        Runs runs;
        for (int i = 0; i < 9; ++i) {
            const char* const names[] = {"GD", "SGD", "Adam"};
            runs.push_back(repeatRun(names[i % 3], i, 1 + i / 3, 1.0 + 0.5 * (i % 3), 400, 0.02 * (i % 3)));
            runs.back()->feed->setLook(ui::lookOf(ui::PaletteName::Vibrant, static_cast<std::size_t>(i % 3)));
        }
        for (const char16_t* id : {u"loss", u"accuracy"}) {
            const ui::ChartSpec chart = chartOf(id, runs);
            ui::ChartView view;
            view.resize(760, 420);
            view.show();
            QVERIFY(QTest::qWaitForWindowExposed(&view));
            for (const bool isDark : {false, true}) {
                view.setTheme(isDark ? ui::darkTheme() : ui::lightTheme());
                view.setChart(chart);
                QTest::qWait(50);
                keep(view.grab().toImage(), QStringLiteral("mean_%1_%2.png").arg(chart.id, isDark ? "dark" : "light"));
            }
            keep(ui::renderImage(chart, {}, 150), QStringLiteral("mean_%1_paper.png").arg(chart.id));
        }
    }
};

LOCKSTEP_WINDOW_TEST(TestCoincidingCurves)
#include "test_coinciding_curves.moc"
