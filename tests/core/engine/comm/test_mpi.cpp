// MPI as a backend. The test restarts itself under mpirun: every process is then a rank, and reports errors.
#include "core/engine/comm/checked_call.h"
#include "core/engine/comm/mpirun.h"
#include "engine/comm/mpi/mpi_communicator.h"
#include "program/test_class.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <map>
#include <string>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

using MpiBody = Result<void> (*)(Communicator&);

Result<void> everyCombination(Communicator& group)
{
    const std::int64_t largest = qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 1'000'003 : 20'003;
    for (const Collective what : {Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather,
             Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll}) {
        for (const DataType type : DataTypes) {
            for (const Reduction reduction : Reductions) {
                if (!isDefined(reduction, type) || (!isReducing(what) && reduction != Reduction::Sum)) {
                    continue;
                }
                for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, largest}) {
                    const int root = static_cast<int>(count) % group.size();
                    if (auto right = callAndCheck(group, what, type, reduction, root, count, count == 7); !right) {
                        return right;
                    }
                }
            }
        }
    }
    return group.barrier();
}

/// Where a rank's part is a piece of the whole, as nccl-tests has it, and where both are the same memory.
Result<void> inPlace(Communicator& group)
{
    const int p = group.size();
    const int r = group.rank();
    const auto at = [](std::vector<std::int32_t>& v, int i) { return v.data() + i; };
    const auto expect = [r](bool isRight, const char* what) {
        return isRight ? Result<void>() : Error{std::string(what) + " in place is wrong on rank " + std::to_string(r)};
    };
    std::vector<std::int32_t> ranks(static_cast<std::size_t>(p));
    for (int i = 0; i < p; ++i) {
        ranks[static_cast<std::size_t>(i)] = i;
    }
    const auto wholeOf = [&](std::vector<std::int32_t>& v) { return View{v.data(), p, DataType::Int32}; };
    const auto mineOf = [&](std::vector<std::int32_t>& v) { return View{at(v, r), 1, DataType::Int32}; };

    std::vector<std::int32_t> v(ranks.size(), -1);
    v[static_cast<std::size_t>(r)] = r;
    auto done = group.allGather(mineOf(v), wholeOf(v));
    if (!done || v != ranks) {
        return done ? expect(false, "all_gather") : done;
    }
    v.assign(ranks.size(), -1);
    v[static_cast<std::size_t>(r)] = r;
    done = group.gather(mineOf(v), wholeOf(v), p - 1);
    if (!done || (r == p - 1 && v != ranks)) {
        return done ? expect(false, "gather") : done;
    }
    v = r == 0 ? ranks : std::vector<std::int32_t>(ranks.size(), -1);
    done = group.scatter(wholeOf(v), mineOf(v), 0);
    if (!done || v[static_cast<std::size_t>(r)] != r) {
        return done ? expect(false, "scatter") : done;
    }
    v = ranks;
    done = group.reduceScatter(wholeOf(v), mineOf(v), Reduction::Sum);
    if (!done || v[static_cast<std::size_t>(r)] != r * p) {
        return done ? expect(false, "reduce_scatter") : done;
    }
    v.assign(ranks.size(), r);
    done = group.allToAll(wholeOf(v), wholeOf(v));
    if (!done || v != ranks) {
        return done ? expect(false, "all_to_all") : done;
    }
    v = ranks;
    done = group.reduce(wholeOf(v), wholeOf(v), Reduction::Max, 0);
    return done ? expect(v == ranks, "reduce") : done;
}

Result<void> subGroups(Communicator& group)
{
    const int color = group.rank() == 3 ? -1 : group.rank() % 2;
    auto part = group.split(color, -group.rank());
    if (!part) {
        return part.error();
    }
    if (group.rank() == 3) {
        return *part == nullptr ? group.barrier() : Error{"rank 3 is in a group"};
    }
    std::int32_t sum = group.rank();
    const View view{&sum, 1, DataType::Int32};
    if (auto summed = (*part)->allReduce(view, view, Reduction::Sum); !summed) {
        return summed;
    }
    const bool isRight = (*part)->rank() == (group.rank() == 0 ? 1 : 0) && sum == (color == 0 ? 2 : 1);
    return isRight ? group.barrier() : Error{"the sub-group of rank " + std::to_string(group.rank()) + " is wrong"};
}

Result<void> calledApart(Communicator& group)
{
    std::vector<float> numbers(100);
    return group.allReduce({numbers.data(), group.rank() == 2 ? 50 : 100, DataType::Float32},
        {numbers.data(), group.rank() == 2 ? 50 : 100, DataType::Float32}, Reduction::Sum);
}

Result<void> messageThatDoesNotFit(Communicator& group)
{
    std::vector<float> numbers(100);
    return group.rank() == 0 ? group.send({numbers.data(), 100, DataType::Float32}, 1)
                             : group.receive({numbers.data(), 50, DataType::Float32}, 0);
}

Result<void> oneIsMissing(Communicator& group)
{
    if (auto met = group.barrier(); !met) {
        return met;
    }
    if (group.rank() == 1) {
        usleep(4'000'000);
        return {};
    }
    return group.barrier();
}

Result<void> oneDies(Communicator& group)
{
    for (std::int32_t step = 0;; ++step) {
        if (group.rank() == 1 && step == 100) {
            raise(SIGKILL);
        }
        const View view{&step, 1, DataType::Int32};
        if (auto reduced = group.allReduce(view, view, Reduction::Max); !reduced) {
            return reduced;
        }
    }
}

const std::map<std::string, MpiBody> Bodies{{"everyCombination", everyCombination}, {"inPlace", inPlace},
    {"subGroups", subGroups}, {"calledApart", calledApart}, {"messageThatDoesNotFit", messageThatDoesNotFit},
    {"oneIsMissing", oneIsMissing}, {"oneDies", oneDies}};

int beRank(const std::string& name, const std::string& body)
{
    const auto number = [](const char* variable) { return std::stoi(qgetenv(variable).toStdString()); };
    const int rank = number("OMPI_COMM_WORLD_RANK");
    auto group = joinMpi({.name = name,
        .rank = rank,
        .size = number("OMPI_COMM_WORLD_SIZE"),
        .timeout = std::chrono::milliseconds(body == "oneIsMissing" ? 1000 : 60'000)});
    const auto result = group ? Bodies.at(body)(**group) : Result<void>(group.error());
    std::printf("rank %d: %s\n", rank, result ? "fine" : result.error().message.c_str());
    std::fflush(stdout);
    return 0; // with another code mpirun would end those that have not spoken yet
}

struct JobEnding {
    QString said;
    int code = 0;
};

JobEnding underMpirun(int ranks, const char* body, const QStringList& options = {})
{
    static int runs = 0;
    QProcess process;
    process.setProcessEnvironment(mpirunEnvironment());
    const QString name = QStringLiteral("test-mpi-%1-%2").arg(getpid()).arg(++runs);
    process.start("mpirun",
        QStringList{"-n", QString::number(ranks), "--oversubscribe", "--bind-to", "none"} + options
            + QStringList{QCoreApplication::applicationFilePath(), "test_mpi", name, body});
    const bool hasEnded = process.waitForFinished(200'000);
    return {QString::fromUtf8(process.readAllStandardOutput()), hasEnded ? process.exitCode() : -1};
}

} // namespace

class TestMpi : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!canRunMpirun()) {
            QSKIP("mpirun cannot start anything here");
        }
    }

    void allRanksAreRight_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("ranks");
        for (const int ranks : {1, 2, 3, 4, 8}) {
            QTest::addRow("every combination, %d ranks", ranks) << QByteArray("everyCombination") << ranks;
        }
        QTest::newRow("in place") << QByteArray("inPlace") << 3;
        QTest::newRow("sub-groups") << QByteArray("subGroups") << 4;
    }

    void allRanksAreRight()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, ranks);
        const JobEnding ending = underMpirun(ranks, body.constData());
        QCOMPARE(ending.said.count("fine"), ranks);
        QCOMPARE(ending.code, 0);
    }

    void callsThatDifferAreAnErrorEverywhere()
    {
        const QString expected
            = "the ranks call different operations: rank 0 calls all_reduce of 100 float32 (sum), rank 2 "
              "calls all_reduce of 50 float32 (sum)";
        const JobEnding ending = underMpirun(3, "calledApart");
        QVERIFY2(ending.said.count(expected) == 3, qPrintable(ending.said));
        QCOMPARE(ending.code, 0); // else a rank has left early, for which mpirun kills those that have yet to report
    }

    void aMessageThatDoesNotFitIsAnError()
    {
        const QString said = underMpirun(2, "messageThatDoesNotFit").said;
        QVERIFY2(said.contains("rank 1: send_recv: rank 0 has sent 100 float32, rank 1 expected 50 float32"),
            qPrintable(said));
    }

    void whoNeverComesIsNamed()
    {
        // mpirun would kill one of the two for the other's leaving without MPI_Finalize.
        const QString said = underMpirun(3, "oneIsMissing", {"--mca", "orte_allowed_exit_without_sync", "1"}).said;
        for (const int rank : {0, 2}) {
            const QString expected
                = QStringLiteral("rank %1: barrier: not all ranks have arrived within 1 s; here: 0, 2; missing: 1")
                      .arg(rank);
            QVERIFY2(said.contains(expected), qPrintable(said));
        }
    }

    void nobodyOutlivesAKilledRank()
    {
        QElapsedTimer clock;
        clock.start();
        const JobEnding ending = underMpirun(3, "oneDies");
        QCOMPARE(ending.code, 128 + SIGKILL);
        QVERIFY2(clock.elapsed() < 50'000, qPrintable(QString::number(clock.elapsed()))); // its time limit is 60 s
    }

    void whatIsHowIsTold()
    {
        QCOMPARE(howMpiDoes(Collective::AllReduce, DataType::Float32), std::string_view("native"));
        QCOMPARE(howMpiDoes(Collective::AllReduce, DataType::Float16), std::string_view("composed"));
        QCOMPARE(howMpiDoes(Collective::Scatter, DataType::Float16), std::string_view("bytes"));
    }
};

namespace {

/// Under mpirun it is a rank.
int run(int argc, char** argv)
{
    if (qEnvironmentVariableIsSet("OMPI_COMM_WORLD_RANK") && argc == 3) {
        return beRank(argv[1], argv[2]);
    }
    return test::runTest<QCoreApplication, TestMpi>(argc, argv);
}

} // namespace

LOCKSTEP_TEST_BY(TestMpi, run)
#include "test_mpi.moc"
