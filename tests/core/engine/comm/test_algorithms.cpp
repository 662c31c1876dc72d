// Every algorithm gives what the backend's own all-reduce gives: exact where the numbers are, the same bits on all
// ranks where they are rounded.
#include "core/engine/comm/group.h"
#include "engine/comm/algorithms/algorithms.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>
#include <cstring>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

std::int64_t numberAt(int rank, std::int64_t i)
{
    return (rank * 37 + i * 11 + i / 97) % 100 - 50;
}

void addRows()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("ranks");
    for (const Algorithm& one : algorithms()) {
        for (const int ranks : {1, 2, 3, 4, 5, 7, 8}) {
            const QByteArray name(one.name.data(), static_cast<qsizetype>(one.name.size()));
            QTest::addRow("%s, %d ranks", name.constData(), ranks) << name << ranks;
        }
    }
}

} // namespace

class TestAlgorithms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void integersAreExact_data() { addRows(); }
    void integersAreExact();
    void floatsAgree_data() { addRows(); }
    void floatsAgree();
    void ringSendsWhatTheFormulaSays();
    void unknownNames();
};

void TestAlgorithms::integersAreExact()
{
    QFETCH(QByteArray, name);
    QFETCH(int, ranks);
    const auto results = asRanks(ranks, [&](Communicator& group) -> Result<void> {
        Scratch scratch;
        for (const std::int64_t count : {0, 1, 7, 1000, 50'021}) {
            for (const Reduction reduction : {Reduction::Sum, Reduction::Min, Reduction::BitXor}) {
                std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
                std::vector<std::int64_t> expected(numbers.size());
                for (std::int64_t i = 0; i < count; ++i) {
                    std::int64_t& all = expected[static_cast<std::size_t>(i)];
                    all = numberAt(0, i);
                    for (int rank = 1; rank < ranks; ++rank) {
                        const std::int64_t next = numberAt(rank, i);
                        all = reduction == Reduction::Sum ? all + next
                            : reduction == Reduction::Min ? std::min(all, next)
                                                          : all ^ next;
                    }
                    numbers[static_cast<std::size_t>(i)] = numberAt(group.rank(), i);
                }
                auto done = algorithm(name.constData())
                                ->run(group, {numbers.data(), count, DataType::Int64}, reduction, scratch);
                if (!done || numbers != expected) {
                    return done ? Error{"wrong at " + std::to_string(count) + " numbers"} : done.error();
                }
            }
        }
        return group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestAlgorithms::floatsAgree()
{
    QFETCH(QByteArray, name);
    QFETCH(int, ranks);
    constexpr std::size_t Count = 30'011;
    std::vector<std::vector<float>> sums(static_cast<std::size_t>(ranks), std::vector<float>(Count));
    std::vector<double> exact(Count);
    for (std::size_t rank = 0; rank < sums.size(); ++rank) {
        for (std::size_t i = 0; i < Count; ++i) {
            sums[rank][i] = std::sin(static_cast<float>(i * 31 + rank * 1009)) + 2.0F;
            exact[i] += static_cast<double>(sums[rank][i]);
        }
    }
    const auto results = asRanks(ranks, [&](Communicator& group) {
        Scratch scratch;
        auto& mine = sums[static_cast<std::size_t>(group.rank())];
        return algorithm(name.constData())
            ->run(group, {mine.data(), Count, DataType::Float32}, Reduction::Sum, scratch);
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    for (const auto& sum : sums) {
        QVERIFY(std::memcmp(sum.data(), sums[0].data(), Count * sizeof(float)) == 0);
    }
    for (std::size_t i = 0; i < Count; ++i) {
        const double difference = std::fabs(static_cast<double>(sums[0][i]) - exact[i]) / exact[i];
        QVERIFY2(difference <= 1e-6, qPrintable(QString::number(difference)));
    }
}

namespace {

/// Counts what passes through it.
class CountingCommunicator final : public Communicator {
public:
    explicit CountingCommunicator(Communicator& inner)
        : Communicator(inner.rank(), inner.size())
        , m_inner(inner)
    { }
    std::string_view backend() const override { return m_inner.backend(); }
    Result<std::unique_ptr<Communicator>> split(int color, int key) override { return m_inner.split(color, key); }
    int sends = 0;
    std::size_t bytes = 0;

protected:
    Result<void> execute(const Operation& operation, OperationTimes&) override
    {
        if (operation.what == Collective::SendReceive && operation.to >= 0) {
            ++sends;
            bytes += operation.in.byteCount();
        }
        return m_inner.run(operation);
    }

private:
    Communicator& m_inner;
};

} // namespace

void TestAlgorithms::ringSendsWhatTheFormulaSays()
{
    constexpr std::int64_t Count = 6000;
    const auto results = asRanks(6, [](Communicator& group) -> Result<void> {
        CountingCommunicator counting(group);
        std::vector<float> numbers(Count);
        Scratch scratch;
        if (auto done = ringAllReduce(counting, {numbers.data(), Count, DataType::Float32}, Reduction::Sum, scratch);
            !done) {
            return done;
        }
        const bool isRight = counting.sends == 2 * 5 && counting.bytes == 2 * 5 * Count * sizeof(float) / 6;
        return isRight ? Result<void>() : Error{std::to_string(counting.sends) + " messages"};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestAlgorithms::unknownNames()
{
    QVERIFY(algorithm("butterfly") == nullptr);
    QVERIFY(algorithm("") == nullptr);
    QVERIFY(algorithm("ring")->run == ringAllReduce);
}

LOCKSTEP_TEST(TestAlgorithms)
#include "test_algorithms.moc"
