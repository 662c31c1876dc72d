// One system call fails, whichever it is: storing a run, importing, exporting, bundling and meeting work, or give one
// line and leave nothing. Then the same in whole runs, of the workbench and of its ranks. A sample of the calls, and in
// whole runs two of the errors; LOCKSTEP_LONG: all errors, each call or 2,000 of them.
#include "exchange/bundle/import_bundle.h"
#include "exchange/bundle/write_bundle.h"
#include "exchange/export/data_export.h"
#include "exchange/export/file_set.h"
#include "experiment/spec.h"
#include "faults/campaign.h"
#include "faults/failing_calls_control.h"
#include "faults/marked_processes.h"
#include "program/programs.h"
#include "program/sanitizer.h"
#include "program/test_class.h"
#include "rendezvous/store/store_client.h"
#include "rendezvous/store/store_server.h"
#include "store/run_store.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cerrno>
#include <future>
#include <string>
#include <vector>

#include <unistd.h>

using namespace lockstep;
using namespace lockstep::tests;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using analysis::RunStatus;

namespace {

const QString KnownRun = u"" LOCKSTEP_SOURCE_DIR "/tests/data/runs/20261122-191949-et1d.run"_s;
constexpr std::int64_t StepsOfRun = 10;
constexpr long MostCalls = 2000;
/// Of whole runs, where not all errors are tried: a signal comes, the disk is full.
constexpr std::array<int, 2> SampleOfErrors{EINTR, ENOSPC};

/// Every file and folder below, hidden ones too, without what SQLite keeps beside an index.
[[nodiscard]] QStringList contentsOf(const QString& folder)
{
    QStringList names;
    QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString name = QDir(folder).relativeFilePath(each.next());
        if (!name.startsWith(u"index.sqlite"_s)) {
            names += name;
        }
    }
    names.sort();
    return names;
}

[[nodiscard]] analysis::RunRecord newRun()
{
    analysis::RunRecord run;
    run.id = makeRunId(1'795'000'000, 1);
    run.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    run.status = RunStatus::Running;
    run.createdNs = 1'795'000'000'000'000'000;
    return run;
}

[[nodiscard]] store::Delta someSteps(std::int64_t first)
{
    wire::StepBatch batch;
    for (std::int64_t step = first; step < first + StepsOfRun / 2; ++step) {
        batch.rows.push_back({.step = step, .endNs = step * 1'000'000, .wallNs = 1'000'000, .loss = 0.5});
    }
    store::Delta delta;
    delta.steps.push_back({0, batch});
    return delta;
}

/// What is done while a call fails, in a separate folder, and what may then be in that folder.
struct Work {
    const char* name;
    fakes::Fails who;
    Result<void> (*prepare)(const QString& folder);
    Result<void> (*attempt)(const QString& folder);
    /// What is wrong; empty if nothing is.
    QString (*problem)(const QString& folder, bool isDone);
};

Result<void> nothing(const QString& /*folder*/)
{
    return {};
}

Result<void> storeRun(const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    LOCKSTEP_TRY_ASSIGN(const auto writer, store->create(newRun()));
    LOCKSTEP_TRY(writer->add(someSteps(1)));
    LOCKSTEP_TRY(writer->add(someSteps(1 + StepsOfRun / 2)));
    return writer->finish(RunStatus::Finished, "", {});
}

QString storeProblem(const QString& folder, bool isDone)
{
    const auto store = store::RunStore::open(folder);
    if (!store) {
        return QString::fromStdString(store.error().text());
    }
    const auto runs = (*store)->list();
    if (isDone
        && (runs.size() != 1 || runs.front().status != RunStatus::Finished
            || stepsOf(**store, runs.front().id) != StepsOfRun)) {
        return u"the run is not whole"_s;
    }
    for (const QString& name : contentsOf(folder)) {
        if (!name.startsWith(QString::fromStdString(newRun().id.text) + u".run"_s)) {
            return name + u" is left"_s;
        }
    }
    return {};
}

Result<void> importRun(const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    LOCKSTEP_TRY(store->import(KnownRun));
    return {};
}

QString importProblem(const QString& folder, bool isDone)
{
    const QStringList expected = isDone ? QStringList{QFileInfo(KnownRun).fileName()} : QStringList();
    const auto store = store::RunStore::open(folder);
    if (!store) {
        return QString::fromStdString(store.error().text());
    }
    const QStringList found = contentsOf(folder);
    if (found != expected || (*store)->list().size() != static_cast<std::size_t>(expected.size())) {
        return u"the store has "_s + found.join(u' ');
    }
    return {};
}

Result<void> prepareStore(const QString& folder)
{
    return importRun(folder + u"/store"_s);
}

Result<void> exportRun(const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder + u"/store"_s));
    std::vector<exchange::NewFile> all;
    for (const exchange::DataFormat format : exchange::DataFormats) {
        LOCKSTEP_TRY_ASSIGN(
            const auto files, exchange::dataFiles(*store, {QFileInfo(KnownRun).baseName().toStdString()}, format));
        std::ranges::copy(files, std::back_inserter(all));
    }
    return exchange::writeFiles(folder + u"/out"_s, all, exchange::Existing::Refuse);
}

QString exportProblem(const QString& folder, bool isDone)
{
    const QStringList found = contentsOf(folder + u"/out"_s);
    return found.isEmpty() == isDone ? u"the folder has "_s + found.join(u' ') : QString();
}

Result<void> bundleRun(const QString& folder)
{
    const QString bundle = folder + u"/runs.lockstep"_s;
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder + u"/store"_s));
    const std::vector<analysis::RunRecord> runs = store->list();
    LOCKSTEP_TRY_ASSIGN(const auto draft, exchange::BundleDraft::create(*store, runs, exchange::Names::LeaveOut));
    LOCKSTEP_TRY(draft.write(bundle));
    LOCKSTEP_TRY_ASSIGN(const auto other, store::RunStore::open(folder + u"/other"_s));
    LOCKSTEP_TRY(exchange::importBundle(*other, bundle));
    return {};
}

QString bundleProblem(const QString& folder, bool isDone)
{
    const QString run = QFileInfo(KnownRun).fileName();
    if (const QStringList kept = contentsOf(folder + u"/store"_s); kept != QStringList{run}) {
        return u"the store has "_s + kept.join(u' ');
    }
    const auto other = store::RunStore::open(folder + u"/other"_s);
    if (!other) {
        return QString::fromStdString(other.error().text());
    }
    const QStringList found = contentsOf(folder + u"/other"_s);
    if (found != (isDone ? QStringList{run} : QStringList()) || (isDone && (*other)->list().size() != 1)) {
        return u"the other store has "_s + found.join(u' ');
    }
    QStringList beside = QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    beside.removeOne(u"runs.lockstep"_s);
    return beside == QStringList{u"other"_s, u"store"_s} ? QString() : u"there are "_s + beside.join(u' ');
}

rendezvous::Member member(std::int32_t rank)
{
    return {.rank = rank,
        .size = 2,
        .version = "lockstep-rank 1",
        .what = "hash",
        .host = "n" + std::to_string(rank),
        .domain = "boot",
        .address = "127.0.0.1",
        .process = 100 + rank};
}

Result<void> join(int port, std::int32_t rank)
{
    const auto deadline = rendezvous::SocketClock::now() + 2s;
    LOCKSTEP_TRY_ASSIGN(
        const auto client, rendezvous::StoreClient::connect("127.0.0.1", port, wire::Secret{std::byte{7}}, deadline));
    LOCKSTEP_TRY(client->join(
        member(rank), deadline, [](const std::string&) {}, [](const std::string&) {}));
    return {};
}

Result<void> meet(const QString& /*folder*/)
{
    LOCKSTEP_TRY_ASSIGN(auto listener, rendezvous::listenOn("127.0.0.1", 0));
    LOCKSTEP_TRY_ASSIGN(
        const auto server, rendezvous::StoreServer::start(std::move(listener), member(0), wire::Secret{std::byte{7}}));
    auto second = std::async(std::launch::async, [&server] { return join(server->port(), 1); });
    const Result<void> first = join(server->port(), 0);
    const Result<void> other = second.get();
    return first ? other : first;
}

QString noProblem(const QString& /*folder*/, bool /*isDone*/)
{
    return {};
}

constexpr std::array<Work, 5> AllWork{
    {{"a run is stored", fakes::Fails::CallingThread, nothing, storeRun, storeProblem},
        {"a run is imported", fakes::Fails::CallingThread, nothing, importRun, importProblem},
        {"a run is exported", fakes::Fails::CallingThread, prepareStore, exportRun, exportProblem},
        {"a run is bundled", fakes::Fails::CallingThread, prepareStore, bundleRun, bundleProblem},
        {"ranks meet", fakes::Fails::AnyThread, nothing, meet, noProblem}}};

/// Whether a call of the work can fail so: only sockets are reset or not ready, only files need space.
[[nodiscard]] bool canFail(const Work& work, int error)
{
    return work.attempt == meet ? error != ENOSPC : error != EAGAIN && error != ECONNRESET;
}

/// Of the calls 1 to `last`, evenly over them.
[[nodiscard]] std::vector<long> chosenOf(long last, long some)
{
    const long count = std::min(last, isLong() ? MostCalls : some);
    std::vector<long> chosen;
    for (long i = 0; i < count; ++i) {
        chosen.push_back(1 + last * (2 * i + 1) / (2 * count));
    }
    return chosen;
}

/// One line that says something; empty if it is.
[[nodiscard]] QString unclear(const std::string& message)
{
    const bool isLine = !message.empty() && message.find('\n') == std::string::npos;
    return isLine ? QString() : u"the error is '%1'"_s.arg(QString::fromStdString(message));
}

/// Of a whole run that has ended well.
[[nodiscard]] QString finishedProblem(const QString& folder, bool hasCheckpoints)
{
    const auto store = store::RunStore::open(folder);
    const auto runs = store ? (*store)->list() : std::vector<analysis::RunRecord>();
    if (runs.size() != 1 || runs.front().status != RunStatus::Finished || stepsOf(**store, runs.front().id) != 40) {
        return u"the run is not whole"_s;
    }
    const QString checkpoint
        = u"%1/%2.checkpoints/step-00000020/manifest.json"_s.arg(folder, QString::fromStdString(runs.front().id.text));
    return !hasCheckpoints || QFileInfo::exists(checkpoint) ? QString() : u"the last checkpoint is missing"_s;
}

/// What neither a run nor its checkpoints are.
[[nodiscard]] QStringList leftIn(const QString& store)
{
    static const QRegularExpression Known(
        u"^[^/]+\\.(run(-wal|-shm|-journal)?|output(/.*)?|checkpoints(/step-\\d+(/[^/]+)?)?)$"_s);
    QStringList left = contentsOf(store);
    left.removeIf([](const QString& name) { return Known.match(name).hasMatch(); });
    return left;
}

} // namespace

class TestFailingCalls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void work_data();
    void work();
    void wholeRuns_data();
    void wholeRuns();

private:
    [[nodiscard]] QString runWith(const QString& program, const QByteArray& wish, long& places);

    int m_trial = 0;
};

void TestFailingCalls::initTestCase()
{
    if (IsSanitized) {
        QSKIP("nothing can be preloaded before the sanitizer's library");
    }
    if (FailingCalls::areThere()) {
        qunsetenv("LD_PRELOAD"); // of this process alone
        return;
    }
    qputenv("LD_PRELOAD", LOCKSTEP_BINARY_DIR "/tests/bin/failing_calls.so");
    QFile arguments(u"/proc/self/cmdline"_s);
    QVERIFY(arguments.open(QIODevice::ReadOnly));
    QList<QByteArray> words = arguments.readAll().split('\0');
    words.removeLast();
    std::vector<char*> each;
    std::ranges::transform(words, std::back_inserter(each), [](QByteArray& word) { return word.data(); });
    each.push_back(nullptr);
    execv("/proc/self/exe", each.data());
    QFAIL("this program cannot be started again");
}

void TestFailingCalls::work_data()
{
    QTest::addColumn<int>("work");
    QTest::addColumn<int>("error");
    for (int work = 0; work < static_cast<int>(AllWork.size()); ++work) {
        const Work& row = AllWork[static_cast<std::size_t>(work)];
        for (const FailingError& error : FailingErrors) {
            if (canFail(row, error.number)) {
                QTest::addRow("%s, %s", row.name, error.name) << work << error.number;
            }
        }
    }
}

void TestFailingCalls::work()
{
    QFETCH(int, work);
    QFETCH(int, error);
    const Work& row = AllWork[static_cast<std::size_t>(work)];
    long calls = 0;
    const auto attempt = [&](long at) {
        const QTemporaryDir folder;
        const Result<void> prepared = row.prepare(folder.path());
        if (!prepared) {
            return QString::fromStdString(prepared.error().text());
        }
        const FailingCalls failing(error, at, row.who);
        const Result<void> done = row.attempt(folder.path());
        calls = FailingCalls::disarm();
        const bool isHarmless = error == EINTR || error == EAGAIN || error == fakes::ShortTransfer;
        const QString said = done ? QString() : isHarmless ? u"not repeated"_s : unclear(done.error().text());
        const QString problem = said.isEmpty() ? row.problem(folder.path(), done.isOk()) : said;
        return problem.isEmpty() || done ? problem
                                         : problem + u" after: "_s + QString::fromStdString(done.error().text());
    };
    QCOMPARE(attempt(0), QString());
    QVERIFY(calls > 0);
    const std::vector<long> chosen = chosenOf(calls, 3);
    for (const long at : chosen) {
        const QString problem = attempt(at);
        QVERIFY2(problem.isEmpty(), qPrintable(u"call %1 of %2: %3"_s.arg(at).arg(calls).arg(problem)));
    }
    qInfo("%zu of %ld calls", chosen.size(), calls);
}

void TestFailingCalls::wholeRuns_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QByteArray>("error");
    for (const char* program : {"lockstep", "fake_rank", "lockstep-rank"}) {
        for (const FailingError& error : FailingErrors) {
            if (isLong() || std::ranges::find(SampleOfErrors, error.number) != SampleOfErrors.end()) {
                QTest::addRow("%s, %s", program, error.name) << program << QByteArray(error.name);
            }
        }
    }
}

/// A short run of two ranks, in which the failure `wish` happens. Gives what is wrong; empty if nothing is.
QString TestFailingCalls::runWith(const QString& program, const QByteArray& wish, long& places)
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(u"store"_s);
    const QString temporary = folder.filePath(u"tmp"_s);
    const QString count = folder.filePath(u"count"_s);
    QDir().mkpath(temporary);
    const QByteArray mark = markOf(++m_trial);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
    environment.insert("LD_PRELOAD", u"" LOCKSTEP_BINARY_DIR "/tests/bin/failing_calls.so"_s);
    environment.insert("LOCKSTEP_FAIL", QString::fromUtf8(wish) + u':' + program);
    environment.insert("LOCKSTEP_FAIL_COUNT", count);
    environment.insert("TMPDIR", temporary);
    environment.insert("LOCKSTEP_READY", "0"); // the places are those of a rank alone
    if (program != u"lockstep-rank") {
        environment.insert("LOCKSTEP_RANK", u"" LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"_s);
        environment.insert("LOCKSTEP_FAKE", "steps=20,rate=400");
    }
    QStringList words{"run", "aggregation", "--only", "ring", "--store", store};
    for (const char* each : {"repeats=1", "world_size=2", "dataset.name=digits", "train.steps=20",
             "checkpoint.every=10", "measure.limit_s=0", "comm.timeout_s=10"}) {
        words += {"--set", QString::fromLatin1(each)};
    }
    QProcess run;
    run.setProcessEnvironment(environment);
    run.start(Lockstep, words);
    if (!run.waitForFinished(120'000)) {
        return u"it does not end"_s;
    }
    const QByteArray said = run.readAllStandardError();
    for (const QByteArray& line : contentOf(count).split('\n')) {
        places = std::max(places, line.toLong());
    }
    if (run.exitStatus() != QProcess::NormalExit) {
        return u"it crashed: "_s + QString::fromUtf8(said);
    }
    const bool areGone = QTest::qWaitFor([&mark] { return markedProcesses(mark).all.empty(); }, 30'000);
    const QString problem = !areGone ? u"processes are left"_s
        : run.exitCode() == 0        ? finishedProblem(store, program == u"lockstep-rank")
        : said.trimmed().isEmpty()   ? u"no error is said"_s
                                     : QString();
    const QStringList left
        = leftIn(store) + QDir(temporary).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    return !problem.isEmpty() || !left.isEmpty()
        ? u"%1 %2; exit code %3: %4"_s.arg(problem, left.join(u' ')).arg(run.exitCode()).arg(QString::fromUtf8(said))
        : QString();
}

void TestFailingCalls::wholeRuns()
{
    QFETCH(QString, program);
    QFETCH(QByteArray, error);
    if (program == u"lockstep-rank" && !QFileInfo(RankProgram).isExecutable()) {
        QSKIP("this build has no lockstep-rank");
    }
    long last = 0;
    QCOMPARE(runWith(program, error + ":s0", last), QString());
    QVERIFY(last > 0);
    const std::vector<long> chosen = chosenOf(last, 1);
    for (const long at : chosen) {
        long ignored = 0;
        const QString problem = runWith(program, error + ":s" + QByteArray::number(qlonglong{at}), ignored);
        QVERIFY2(problem.isEmpty(), qPrintable(u"place %1 of %2: %3"_s.arg(at).arg(last).arg(problem)));
    }
    qInfo("%zu of %ld places", chosen.size(), last);
}

LOCKSTEP_TEST(TestFailingCalls)
#include "test_failing_calls.moc"
