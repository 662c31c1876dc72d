// Lines that are drawn dot by dot look as QPainter draws them.
#include "program/window_test.h"
#include "ui/charts/curve_raster.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace lockstep;

namespace {

constexpr int Side = 120;

QImage rasterOf(const QList<QPointF>& points, double width, const QColor& color)
{
    ui::CurveRaster raster(Side, Side);
    raster.begin(color, width);
    for (qsizetype i = 1; i < points.size(); ++i) {
        raster.addLine(points[i - 1], points[i]);
    }
    raster.end();
    return raster.picture();
}

QImage paintedOf(const QList<QPointF>& points, double width, const QColor& color)
{
    QImage image(Side, Side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPolyline(points.data(), static_cast<int>(points.size()));
    return image;
}

double inkOf(const QImage& image)
{
    double ink = 0.0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            ink += qAlpha(image.pixel(x, y)) / 255.0;
        }
    }
    return ink;
}

/// Mean difference of the dots that either has, of 255.
double difference(const QImage& one, const QImage& other)
{
    double sum = 0.0;
    int dots = 0;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            const int here = qAlpha(one.pixel(x, y));
            const int there = qAlpha(other.pixel(x, y));
            sum += std::abs(here - there);
            dots += here > 0 || there > 0 ? 1 : 0;
        }
    }
    return sum / std::max(1, dots);
}

} // namespace

class TestCurveRaster : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesLookAsPainted_data()
    {
        QTest::addColumn<double>("rise");
        QTest::addColumn<double>("width");
        for (const double width : {1.0, 1.5, 2.0, 3.0}) {
            for (const double rise : {0.0, 7.0, 40.0, 80.0, -80.0, 95.0}) {
                QTest::addRow("width %.1f, rise %.0f", width, rise) << rise << width;
            }
        }
    }

    void linesLookAsPainted()
    {
        QFETCH(double, rise);
        QFETCH(double, width);
        const double begin = rise < 0.0 ? 100.3 : 10.3;
        const QList<QPointF> line{{10.0, begin}, {50.5, begin + rise * 0.506}, {90.0, begin + rise}};
        const QImage drawn = rasterOf(line, width, Qt::black);
        const QImage painted = paintedOf(line, width, Qt::black);
        const double expected = width * std::hypot(80.0, rise);
        QVERIFY2(std::abs(inkOf(drawn) / expected - 1.0) < 0.04,
            qPrintable(QStringLiteral("%1 instead of %2").arg(inkOf(drawn)).arg(expected)));
        if (width > 1.0) { // of width 1 QPainter draws slanted lines thinner
            QVERIFY2(difference(drawn, painted) < 24.0, qPrintable(QString::number(difference(drawn, painted))));
        }
    }

    /// A curve of many points is as dense as one of two: where its parts meet, the ink is neither double nor missing.
    void partsMeetWithoutASeam()
    {
        QList<QPointF> parts;
        for (int i = 0; i <= 230; ++i) {
            parts.append({2.0 + i * 0.5, 20.0 + i * 0.3});
        }
        const QImage many = rasterOf(parts, 2.0, Qt::red);
        const QImage two = rasterOf({parts.front(), parts.back()}, 2.0, Qt::red);
        QVERIFY2(difference(many, two) < 6.0, qPrintable(QString::number(difference(many, two))));
    }

    /// Of a translucent colour no dot is denser than the colour, though the curve crosses itself.
    void aPaleCurveIsEvenlyPale()
    {
        QColor pale(0, 0, 255);
        pale.setAlpha(100);
        QList<QPointF> zigzag;
        for (int i = 0; i < 60; ++i) {
            zigzag.append({2.0 + i * 1.9, i % 2 == 0 ? 20.0 : 26.0});
        }
        const QImage image = rasterOf(zigzag, 3.0, pale);
        int most = 0;
        for (int y = 0; y < Side; ++y) {
            for (int x = 0; x < Side; ++x) {
                most = std::max(most, qAlpha(image.pixel(x, y)));
            }
        }
        QCOMPARE(most, 100);
    }

    /// The curve drawn last lies on the others, and covers them where it is opaque.
    void theLastLiesOnTop()
    {
        ui::CurveRaster raster(Side, Side);
        for (const QColor& color : {QColor(Qt::red), QColor(Qt::green)}) {
            raster.begin(color, 4.0);
            raster.addLine({0.0, 50.0}, {100.0, 50.0});
            raster.end();
        }
        QCOMPARE(QColor(raster.picture().pixel(50, 50)), QColor(Qt::green));
        QCOMPARE(QColor(raster.picture().pixel(50, 48)), QColor(Qt::green));
        raster.clear();
        QCOMPARE(inkOf(raster.picture()), 0.0);
    }

    /// An upright stroke, and one within a column of dots: as wide as the curve, from end to end.
    void uprightStrokesAreWhole()
    {
        ui::CurveRaster raster(Side, Side);
        raster.begin(Qt::black, 2.0);
        raster.addBar(60.0, 10.0, 110.0);
        raster.addLine({30.2, 20.0}, {30.4, 100.0});
        raster.end();
        const QImage image = raster.picture();
        for (const int x : {59, 60}) {
            QCOMPARE(qAlpha(image.pixel(x, 10)), 255);
            QCOMPARE(qAlpha(image.pixel(x, 109)), 255);
        }
        QVERIFY(std::abs(inkOf(image) - 2.0 * 100.0 - 2.0 * 80.0) < 3.0);
    }

    /// Whatever lies outside costs nothing and draws nothing.
    void whatIsOutsideIsNotDrawn()
    {
        ui::CurveRaster raster(Side, Side);
        raster.begin(Qt::black, 2.0);
        raster.addLine({-30'000.0, -30'000.0}, {-1.0, -30'000.0});
        raster.addLine({10.0, 30'000.0}, {20.0, 30'000.0});
        raster.addLine({Side + 5.0, 5.0}, {30'000.0, 5.0});
        raster.addBar(-5.0, 0.0, 20.0);
        raster.addBar(10.0, -30'000.0, -20.0);
        raster.end();
        QCOMPARE(inkOf(raster.picture()), 0.0);
        raster.addLine({-30'000.0, 60.0}, {30'000.0, 60.0});
        raster.end();
        QVERIFY(std::abs(inkOf(raster.picture()) - 2.0 * Side) < 1.0);
    }
};

LOCKSTEP_WINDOW_TEST(TestCurveRaster)
#include "test_curve_raster.moc"
