// Power failures, from a record of everything that a run wrote: after any change, with any change missing that was not
// synced yet, with every subset missing of the last before a run is finished, and with seeded subsets. A sample of
// them; LOCKSTEP_LONG: all. Finished runs are whole, checkpoints whole or absent, and the store opens.
#include "base/checkpoint_names.h"
#include "base/clock.h"
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "faults/recorded_disk.h"
#include "program/programs.h"
#include "program/sanitizer.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int Steps = 40;
constexpr int Every = 20;
constexpr std::size_t AllStates = static_cast<std::size_t>(-1);

struct Lost {
    std::size_t end = 0;
    std::set<std::size_t> changes{};
};

/// Why the checkpoint is not whole; empty if it is.
[[nodiscard]] QString damageOf(const QString& checkpoint)
{
    const QJsonArray files
        = QJsonDocument::fromJson(contentOf(checkpoint + QStringLiteral("/manifest.json"))).object()["files"].toArray();
    if (files.isEmpty()) {
        return checkpoint + QStringLiteral(" has no manifest");
    }
    for (const QJsonValue& each : files) {
        const QString path = checkpoint + u'/' + each["name"].toString();
        const QByteArray hash = QCryptographicHash::hash(contentOf(path), QCryptographicHash::Sha256).toHex();
        if (hash != each["sha256"].toString().toLatin1()) {
            return path + QStringLiteral(" is not what was written");
        }
    }
    return {};
}

/// What is wrong with the store; empty if nothing is. `finished`: the runs that must be.
[[nodiscard]] QString problemOf(const QString& folder, const std::set<std::string>& finished)
{
    QDirIterator each(folder, QDir::Dirs | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString checkpoint = each.next();
        const QString damage = checkpointStep(each.fileName().toStdString()) ? damageOf(checkpoint) : QString();
        if (!damage.isEmpty()) {
            return damage;
        }
    }
    const auto store = store::RunStore::open(folder);
    if (!store) {
        return QString::fromStdString(store.error().text());
    }
    std::set<std::string> missing = finished;
    for (const analysis::RunRecord& run : (*store)->list()) {
        if (!missing.contains(run.id.text)) {
            continue;
        }
        const auto loaded = (*store)->load(run.id);
        if (run.status != analysis::RunStatus::Finished || !loaded || loaded->status != analysis::RunStatus::Finished
            || stepsOf(**store, run.id) != Steps) {
            return QStringLiteral("run %1 is not finished").arg(QString::fromStdString(run.id.text));
        }
        missing.erase(run.id.text);
    }
    return missing.empty() ? QString()
                           : QStringLiteral("run %1 is missing").arg(QString::fromStdString(*missing.begin()));
}

} // namespace

class TestPowerLoss : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { QVERIFY(m_checked > 0); }
    void afterEachChange();
    void withoutOneChange();
    void withoutTheLastChanges();
    void withoutSeveralChanges();

private:
    /// The runs whose file was closed, and so has all of the run, before that change.
    [[nodiscard]] std::set<std::string> finishedBefore(std::size_t end) const;
    void check(const std::vector<Lost>& states);
    /// As many of them as a test in a hurry looks at, over the whole length.
    template <typename T>
    [[nodiscard]] std::vector<T> sample(std::vector<T> all);

    QTemporaryDir m_folder;
    std::string m_root;
    std::vector<RecordedChange> m_changes;
    std::set<QByteArray> m_seen;
    std::uint64_t m_seed = isLong() ? static_cast<std::uint64_t>(wallNs()) : 1;
    std::mt19937_64 m_random{m_seed};
    std::size_t m_checked = 0;
};

void TestPowerLoss::initTestCase()
{
    if (IsSanitized) {
        QSKIP("nothing can be preloaded before the sanitizer's library");
    }
    const bool hasRanks = QFileInfo(RankProgram).isExecutable();
    m_root = m_folder.filePath(QStringLiteral("store")).toStdString();
    const QString record = m_folder.filePath(QStringLiteral("record"));
    QProcess run;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/failing_calls.so"));
    environment.insert("LOCKSTEP_RECORD_WRITES", record + u':' + QString::fromStdString(m_root));
    if (!hasRanks) {
        environment.insert("LOCKSTEP_RANK", QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"));
        environment.insert("LOCKSTEP_FAKE", QStringLiteral("steps=%1,rate=200").arg(Steps));
    }
    run.setProcessEnvironment(environment);
    QStringList words{"run", "optimizers", "--only", "SGD,Adam", "--store", QString::fromStdString(m_root)};
    for (const QString& set :
        {QStringLiteral("repeats=1"), QStringLiteral("dataset.name=digits"), QStringLiteral("measure.limit_s=0"),
            QStringLiteral("train.steps=%1").arg(Steps), QStringLiteral("checkpoint.every=%1").arg(Every)}) {
        words += {"--set", set};
    }
    run.start(Lockstep, words);
    QVERIFY(run.waitForFinished(120'000));
    QVERIFY2(run.exitCode() == 0, run.readAllStandardError().constData());
    m_changes = recordedChanges(record);
    QCOMPARE(finishedBefore(m_changes.size()).size(), std::size_t{2});
    QCOMPARE(std::ranges::any_of(m_changes,
                 [](const RecordedChange& each) {
                     return each.kind == fakes::Change::Rename && each.to.ends_with("/step-00000040");
                 }),
        hasRanks);
}

std::set<std::string> TestPowerLoss::finishedBefore(std::size_t end) const
{
    constexpr std::string_view Suffix = ".run-journal";
    std::set<std::string> finished;
    std::set<std::string> closed;
    for (std::size_t i = 0; i < end; ++i) {
        const std::string& path = m_changes[i].path;
        const std::string name = path.substr(path.rfind('/') + 1);
        if (m_changes[i].kind != fakes::Change::Unlink) {
            continue;
        }
        if (name.ends_with(".run-wal")) {
            closed.insert(name.substr(0, name.find('.')));
        } else if (name.ends_with(Suffix) && closed.contains(name.substr(0, name.find('.')))) {
            finished.insert(name.substr(0, name.find('.')));
        }
    }
    return finished;
}

template <typename T>
std::vector<T> TestPowerLoss::sample(std::vector<T> all)
{
    const std::size_t most = isLong() ? AllStates : 40;
    std::vector<T> chosen;
    std::ranges::sample(
        all, std::back_inserter(chosen), static_cast<std::ptrdiff_t>(std::min(most, all.size())), m_random);
    return chosen;
}

void TestPowerLoss::check(const std::vector<Lost>& states)
{
    const std::size_t before = m_checked;
    for (const Lost& state : states) {
        const RecordedDisk disk(m_changes, state.end, state.changes);
        const std::set<std::string> finished = finishedBefore(state.end);
        if (!m_seen.insert(disk.digest() + QByteArray::number(finished.size())).second) {
            continue;
        }
        ++m_checked;
        const QTemporaryDir folder;
        QVERIFY(disk.writeTo(folder.filePath(QStringLiteral("store")), m_root));
        const QString problem = problemOf(folder.filePath(QStringLiteral("store")), finished);
        QString lost;
        for (const std::size_t each : state.changes) {
            const RecordedChange& change = m_changes[each];
            lost += QStringLiteral(" %1 %2 %3")
                        .arg(each)
                        .arg(QLatin1Char(static_cast<char>(change.kind)))
                        .arg(change.inode);
        }
        QVERIFY2(problem.isEmpty(),
            qPrintable(QStringLiteral("%1 (after %2 of %3 changes without%4; seed %5)")
                           .arg(problem)
                           .arg(state.end)
                           .arg(m_changes.size())
                           .arg(lost)
                           .arg(m_seed)));
    }
    qInfo("%zu different disks (seed %llu)", m_checked - before, static_cast<unsigned long long>(m_seed));
}

void TestPowerLoss::afterEachChange()
{
    std::vector<Lost> states;
    for (std::size_t end = 1; end <= m_changes.size(); ++end) {
        states.push_back({end});
    }
    std::vector<Lost> chosen = sample(std::move(states));
    chosen.push_back({m_changes.size()});
    check(chosen);
}

/// Each lost just after it was made, just before it would have been synced, and at a moment between the two.
void TestPowerLoss::withoutOneChange()
{
    std::map<std::size_t, std::size_t> lastEnds; // by change, while it is not synced
    for (std::size_t end = 1; end <= m_changes.size(); ++end) {
        for (const std::size_t lost : unsyncedBefore(m_changes, end)) {
            lastEnds[lost] = end;
        }
    }
    std::vector<Lost> states;
    for (const auto& [lost, last] : lastEnds) {
        for (const std::size_t end : {lost + 1, lost + 1 + m_random() % (last - lost), last}) {
            states.push_back({end, {lost}});
        }
    }
    std::vector<Lost> chosen = sample(std::move(states));
    for (const std::size_t lost : unsyncedBefore(m_changes, m_changes.size())) {
        chosen.push_back({m_changes.size(), {lost}});
    }
    check(chosen);
}

/// The journal of the last change of a run's file may not be left without its content: SQLite would copy zeros from it
/// into the file.
void TestPowerLoss::withoutTheLastChanges()
{
    constexpr std::size_t Last = 6;
    std::vector<Lost> states;
    for (std::size_t end = 1; end <= m_changes.size(); ++end) {
        if (finishedBefore(end).size() == finishedBefore(end - 1).size()) {
            continue;
        }
        const std::vector<std::size_t> unsynced = unsyncedBefore(m_changes, end);
        const std::size_t count = std::min(Last, unsynced.size());
        for (std::size_t subset = 0; subset < std::size_t{1} << count; ++subset) {
            Lost state{end};
            for (std::size_t i = 0; i < count; ++i) { // the latest comes first
                if ((subset >> i & 1U) != 0) {
                    state.changes.insert(unsynced[i]);
                }
            }
            states.push_back(std::move(state));
        }
    }
    QVERIFY(!states.empty());
    check(states);
}

void TestPowerLoss::withoutSeveralChanges()
{
    std::vector<Lost> states;
    for (int i = 0; i < (isLong() ? 2000 : 60); ++i) {
        const std::size_t end = 1 + m_random() % m_changes.size();
        Lost state{i % 4 == 0 ? m_changes.size() : end};
        for (const std::size_t each : unsyncedBefore(m_changes, state.end)) {
            if (m_random() % 2 == 0) {
                state.changes.insert(each);
            }
        }
        states.push_back(std::move(state));
    }
    check(states);
}

LOCKSTEP_TEST(TestPowerLoss)
#include "test_power_loss.moc"
