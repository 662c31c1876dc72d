// How seldom a window redraws beside ranks that need the cores.
#include "program/test_class.h"
#include "ui/models/redraw_pace.h"

#include <QTest>

using lockstep::ui::RedrawPace;

class TestRedrawPace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawingTakesItsShareAndNoMore_data();
    void drawingTakesItsShareAndNoMore();
    void aSingleLongRedrawDoesNotStopTheNext();
};

void TestRedrawPace::drawingTakesItsShareAndNoMore_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<double>("costMs");
    QTest::addColumn<double>("share");
    QTest::newRow("no core is free") << 4 << 20.0 << RedrawPace::ShareOfBusyCore;
    QTest::newRow("more ranks than cores") << 16 << 4.0 << RedrawPace::ShareOfBusyCore / 4.0;
    QTest::newRow("a core is free") << 3 << 20.0 << RedrawPace::ShareOfFreeCore;
}

void TestRedrawPace::drawingTakesItsShareAndNoMore()
{
    QFETCH(int, ranks);
    QFETCH(double, costMs);
    QFETCH(double, share);
    RedrawPace pace(4);
    int interval = 0;
    for (int i = 0; i < 40; ++i) {
        interval = pace.intervalMs(costMs, ranks);
    }
    QVERIFY(std::abs(costMs / interval - share) < 0.02 * share);
    // Cheap ones come as often as a screen shows them, the dearest still come.
    for (int i = 0; i < 40; ++i) {
        interval = pace.intervalMs(0.1, ranks);
    }
    QCOMPARE(interval, RedrawPace::ShortestMs);
    for (int i = 0; i < 40; ++i) {
        interval = pace.intervalMs(5000.0, ranks);
    }
    QCOMPARE(interval, RedrawPace::LongestMs);
}

void TestRedrawPace::aSingleLongRedrawDoesNotStopTheNext()
{
    RedrawPace pace(2);
    for (int i = 0; i < 40; ++i) {
        static_cast<void>(pace.intervalMs(2.0, 2));
    }
    QVERIFY(pace.intervalMs(30.0, 2) < 30.0 / RedrawPace::ShareOfBusyCore / 2.0);
}

LOCKSTEP_TEST(TestRedrawPace)
#include "test_redraw_pace.moc"
