// Bandwidths against the table of nccl-tests (doc/PERFORMANCE.md): algorithm bandwidth is the size over the time, bus
// bandwidth that times a factor of the collective and the number of ranks.
#include "analysis/scaling/bandwidth.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::analysis;

class TestBandwidth : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void busFactors_data()
    {
        QTest::addColumn<double>("two");
        QTest::addColumn<double>("four");
        QTest::addColumn<double>("eight");
        QTest::addRow("all_reduce") << 1.0 << 1.5 << 1.75;
        for (const char* name : {"all_gather", "reduce_scatter", "gather", "scatter", "all_to_all"}) {
            QTest::addRow("%s", name) << 0.5 << 0.75 << 0.875;
        }
        for (const char* name : {"broadcast", "reduce", "send_recv"}) {
            QTest::addRow("%s", name) << 1.0 << 1.0 << 1.0;
        }
    }

    void busFactors()
    {
        QFETCH(double, two);
        QFETCH(double, four);
        QFETCH(double, eight);
        const std::string_view name = QTest::currentDataTag();
        QCOMPARE(busFactor(name, 2), two);
        QCOMPARE(busFactor(name, 4), four);
        QCOMPARE(busFactor(name, 8), eight);
    }

    void algorithmBandwidthIsInGigabytesPerSecond()
    {
        QCOMPARE(algorithmBandwidth(4e9, 2.0), 2.0);
        QCOMPARE(algorithmBandwidth(1e6, 1e-3), 1.0);
    }
};

LOCKSTEP_TEST(TestBandwidth)
#include "test_bandwidth.moc"
