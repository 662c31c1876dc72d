// The messages of an all-reduce against what any all-reduce must do, and against the counts of the literature.
#include "core/plan/formulas.h"
#include "plan/all_reduce_messages.h"
#include "plan/trimmed_mean.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace lockstep;
using namespace lockstep::plan;

class TestAllReduceMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSentIsReceived()
    {
        for (const std::string_view name : tests::allReduceAlgorithms()) {
            for (const int ranks : {1, 2, 3, 4, 5, 8, 13}) {
                const MessageSteps steps = allReduceMessages(name, ranks);
                QCOMPARE(steps.size(), static_cast<std::size_t>(ranks));
                std::map<std::pair<int, int>, std::vector<double>> sent;
                std::map<std::pair<int, int>, std::vector<double>> received;
                for (int rank = 0; rank < ranks; ++rank) {
                    for (const MessageStep& step : steps[static_cast<std::size_t>(rank)]) {
                        if (step.to >= 0) {
                            sent[{rank, step.to}].push_back(step.sent);
                        }
                        if (step.from >= 0) {
                            received[{step.from, rank}].push_back(step.received);
                        }
                    }
                }
                QVERIFY2(sent == received, std::string(name).c_str());
            }
        }
    }

    /// Patarasuk and Yuan (2009): 2 (p - 1) messages of one p-th of the array, the fewest bytes an all-reduce can send.
    void ringSendsTheFewestBytes()
    {
        for (const std::string_view name : {"ring", "all_reduce", "reduce_scatter_all_gather"}) {
            for (const int ranks : {2, 3, 4, 8}) {
                for (const auto& own : allReduceMessages(name, ranks)) {
                    QCOMPARE(own.size(), static_cast<std::size_t>(2 * (ranks - 1)));
                    double bytes = 0.0;
                    for (const MessageStep& step : own) {
                        bytes += step.sent;
                    }
                    QVERIFY(std::abs(bytes - 2.0 * (ranks - 1) / ranks) < 1e-12);
                }
            }
        }
    }

    /// Everyone gets the others' arrays, whole.
    void allGatherSendsWholeArrays()
    {
        for (const int ranks : {2, 3, 8}) {
            for (const auto& own : allReduceMessages("all_gather", ranks)) {
                QCOMPARE(own.size(), static_cast<std::size_t>(ranks - 1));
                for (const MessageStep& step : own) {
                    QCOMPARE(step.sent, 1.0);
                }
            }
        }
    }

    /// The whole part of the share times the ranks, at each end; at least one number is left.
    void sharesAreTrimmedDown()
    {
        QCOMPARE(trimmedAtEachEnd(0.25, 3), 0);
        QCOMPARE(trimmedAtEachEnd(0.25, 4), 1);
        QCOMPARE(trimmedAtEachEnd(0.25, 7), 1);
        QCOMPARE(trimmedAtEachEnd(0.25, 8), 2);
        QCOMPARE(trimmedAtEachEnd(0.5, 4), 1);
        QCOMPARE(trimmedAtEachEnd(0.5, 5), 2);
    }
};

LOCKSTEP_TEST(TestAllReduceMessages)
#include "test_all_reduce_messages.moc"
