// SIGKILL of the process that carries the queue out - a window, or the command line - at random moments: no experiment
// is lost, no run finishes twice, and what was interrupted resumes. Another process adds experiments meanwhile.
#include "base/clock.h"
#include "base/random.h"
#include "experiment/spec.h"
#include "faults/marked_processes.h"
#include "launch/queue/ask_queue.h"
#include "launch/queue/queue_lock.h"
#include "launch/queue/queue_request.h"
#include "program/programs.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::launch;
using namespace lockstep::tests;
using analysis::RunStatus;
using Json = nlohmann::ordered_json;

namespace {

constexpr int Variants = 2;
constexpr int Repeats = 2;

[[nodiscard]] int killCount()
{
    return qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 300 : 20;
}

/// Two variants with two seeds each; every second experiment's variants take turns.
[[nodiscard]] std::vector<experiment::RunSpec> runsOf(int number)
{
    const std::vector<experiment::Override> overrides{{"train.seed", std::to_string(100 * (number + 1))},
        {"train.steps", "20"}, {"repeats", std::to_string(Repeats)},
        {"measure.interleave", number % 2 == 0 ? "true" : "false"}, {"measure.limit_s", "1"}};
    const std::vector<std::string> only{"SGD", "Adam"};
    return *experiment::expand(*experiment::customise(*experiment::preset("optimizers"), overrides, only));
}

class Store {
public:
    [[nodiscard]] QString path() const { return m_folder.path(); }

    /// Gives why not; empty if it was added.
    /// An owner that ends while it is asked has not answered: the queue says whether it took the entry.
    [[nodiscard]] QByteArray add()
    {
        const std::vector<experiment::RunSpec> runs = runsOf(m_added++);
        for (;;) {
            const auto answer = askQueue(path(), addRequest("queue", runs, false));
            if (answer || answer.error().text() != "queue: its owner has just ended") {
                return answer ? QByteArray() : QByteArray::fromStdString(answer.error().text());
            }
            const auto entries = queue().entries;
            if (std::ranges::any_of(entries, [&runs](const QueueEntry& entry) {
                    return entry.runs.front().spec.settings == runs.front().settings;
                })) {
                return {};
            }
        }
    }
    [[nodiscard]] int added() const { return m_added; }
    [[nodiscard]] QueueState queue() const
    {
        const auto answer = askQueue(path(), Json{{"do", "list"}});
        if (!answer) {
            qWarning("%s", answer.error().text().c_str());
            return {};
        }
        return answer->state;
    }
    /// Gives how many were interrupted; -1: one could not be resumed. A window that found entries has paused the queue.
    [[nodiscard]] int resumeInterrupted() const
    {
        int resumed = 0;
        if (!resumeQueue()) {
            return -1;
        }
        for (const QueueEntry& entry : queue().entries) {
            if (entry.state == EntryState::Interrupted) {
                if (!askQueue(path(), Json{{"do", "resume"}, {"id", entry.id}})) {
                    return -1;
                }
                ++resumed;
            }
        }
        return resumed;
    }

    [[nodiscard]] bool resumeQueue() const { return askQueue(path(), Json{{"do", "resume"}}).isOk(); }

private:
    QTemporaryDir m_folder;
    int m_added = 0;
};

enum class Owner : std::uint8_t { CommandLine, Window };

void start(QProcess& process, const Store& store, const QByteArray& mark, Owner owner)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LOCKSTEP_RANK", QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"));
    environment.insert("LOCKSTEP_FAKE", "steps=20,rate=400");
    environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("XDG_CONFIG_HOME", store.path() + "/config");
    environment.insert("XDG_DATA_HOME", store.path() + "/data");
    process.setProcessEnvironment(environment);
    const QStringList words{"--store", store.path()};
    process.start(Lockstep, owner == Owner::Window ? words : QStringList{"queue", "run"} + words);
}

/// A window starts nothing by itself: resumes its queue once it has it. Gives whether it has.
bool resumeInWindow(const QProcess& window, const Store& store, int limitMs)
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < limitMs) {
        if (QueueLock::owner(store.path()) == window.processId()) {
            return store.resumeQueue();
        }
        QTest::qWait(10);
    }
    return false;
}

/// At a random moment: every second window since its process began, the others since they carry the queue out.
void waitForMoment(const QProcess& process, const Store& store, Owner owner, Random& random, bool isEarly)
{
    const int moment = static_cast<int>(random.uniform() * 900);
    QElapsedTimer clock;
    clock.start();
    if (owner == Owner::Window) {
        static_cast<void>(resumeInWindow(process, store, isEarly ? moment : 30'000));
        if (!isEarly) {
            clock.restart();
        }
    }
    QTest::qWait(std::max(0, moment - static_cast<int>(clock.elapsed())));
}

using Run = std::tuple<std::int64_t, std::string>; ///< seed, variant

[[nodiscard]] std::map<Run, int> finishedRuns(const Store& store)
{
    std::map<Run, int> finished;
    for (const analysis::RunRecord& run : (*RunStore::open(store.path()))->list()) {
        finished[{run.spec.settings->train.seed, run.spec.name}] += run.status == RunStatus::Finished ? 1 : 0;
    }
    return finished;
}

} // namespace

class TestQueueFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void killsLoseNothing()
    {
        const Seed seed{static_cast<std::uint64_t>(wallNs())};
        Random random(seed);
        Store store;
        std::map<Owner, int> interrupted;
        int kills = 0;
        for (; kills < killCount(); ++kills) {
            while (store.queue().entries.size() < 2) {
                QCOMPARE(store.add(), QByteArray());
            }
            const QByteArray mark = markOf(kills);
            const Owner kind = kills % 2 == 0 ? Owner::CommandLine : Owner::Window;
            QProcess owner;
            start(owner, store, mark, kind);
            QVERIFY(owner.waitForStarted());
            waitForMoment(owner, store, kind, random, kills % 4 == 1);
            if (kills % 3 == 0) {
                QCOMPARE(store.add(), QByteArray()); // whether that process has the queue already or not
            }
            owner.kill();
            QTRY_COMPARE(owner.state(), QProcess::NotRunning); // it may have carried out all that there was
            QTRY_VERIFY(markedProcesses(mark).all.empty());
            const int resumed = store.resumeInterrupted();
            QVERIFY(resumed >= 0);
            interrupted[kind] += resumed;
        }
        QProcess owner;
        start(owner, store, markOf(kills), Owner::CommandLine);
        QVERIFY(owner.waitForFinished(120'000));
        QCOMPARE(owner.exitCode(), 0);
        QVERIFY(store.queue().entries.empty());
        const std::map<Run, int> finished = finishedRuns(store);
        QCOMPARE(finished.size(), static_cast<std::size_t>(store.added() * Variants * Repeats));
        for (const auto& [run, count] : finished) {
            QVERIFY2(count == 1,
                qPrintable(QStringLiteral("seed %1, %2 finished %3 times (random seed %4)")
                               .arg(std::get<0>(run))
                               .arg(QString::fromStdString(std::get<1>(run)))
                               .arg(count)
                               .arg(seed.number)));
        }
        // Else no kill came during a run.
        QVERIFY(interrupted[Owner::CommandLine] > 0 && interrupted[Owner::Window] > 0);
        qInfo("%d kills, %d experiments, interrupted and resumed: %d times of the command line, %d of a window (seed "
              "%llu)",
            kills, store.added(), interrupted[Owner::CommandLine], interrupted[Owner::Window],
            static_cast<unsigned long long>(seed.number));
    }
};

LOCKSTEP_TEST(TestQueueFaults)
#include "test_queue_faults.moc"
