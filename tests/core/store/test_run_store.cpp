#include "base/clock.h"
#include "program/test_class.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::store;
using namespace Qt::StringLiterals;

namespace {

analysis::RunRecord record(int number)
{
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    const auto runs = experiment::expand(*spec);
    analysis::RunRecord made;
    made.id = makeRunId(1'795'000'000 + number, static_cast<std::uint32_t>(number));
    made.spec = runs->at(static_cast<std::size_t>(number) % 3);
    made.status = analysis::RunStatus::Running;
    made.createdNs = 1'795'000'000'000'000'000 + number;
    return made;
}

wire::StepBatch steps(std::int64_t first, std::int64_t count)
{
    wire::StepBatch batch;
    for (std::int64_t step = first; step < first + count; ++step) {
        StepRow row{.step = step,
            .endNs = 1'000'000'000 + step * 1'000'000,
            .wallNs = 1'000'000,
            .samples = step * 64,
            .batch = 64,
            .loss = step == 7 ? std::nan("") : 1.0 / static_cast<double>(step),
            .learningRate = 0.1,
            .bytesSent = step,
            .hiddenNs = step % 2 == 0 ? 40'000 : 0,
            .bytesByKind = Traffic{0, step, step * 2, step * 3},
            .staleness = step % 4,
            .betweenHostsNs = step % 3 * 1000};
        row.phaseNs.fill(100'000);
        batch.rows.push_back(row);
    }
    return batch;
}

Delta everyKind(std::int64_t first)
{
    Delta delta;
    delta.hellos.push_back({0, {1, "run", 0, 1, 4711, "host", "cpu", "1.13.1"}});
    delta.prepared.push_back({0, {"cpu", 640, 100, 20, 10, 7850, 5, "digits", "ring over shm", 16}});
    delta.steps.push_back({0, steps(first, 5)});
    delta.spans.push_back({0, {{{first, Phase::Backward, 10, 20, 1}}, 3}});
    delta.traffic.push_back({0, {{{first, 0, 1, -1, 400, 10, 20}}, 2}});
    delta.measurements.push_back({0, {"all_reduce", "ring", "float32", 4096, true, 20, 50, 90, 55, 1, true}});
    delta.verifications.push_back({0, {50, 1e-6, 17}});
    delta.shares.push_back({0, {100, 7, 2, {40, 0, 60}}});
    delta.evaluations.push_back({0, {first + 4, 64, 2'000'000'000, 9, 0.5, std::nan("")}});
    delta.logs.push_back({0, wire::LogLine::of(11, wire::LogLevel::Warning, {"%1, 一行", {verbatim("a line")}})});
    delta.vitals.push_back({0, {12, 1 << 20, 0}});
    delta.memory.push_back(
        {0, {first, 12, {1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 7}, 30, 40, 100, 110, {9, 8, 7, 6, 5, 4}, 50}});
    delta.applied.push_back({0, {wire::Command::SetStraggler, first, 13, -1, 2.5}});
    const auto [why, data] = asFields({"why %1", {7}});
    delta.ranks.push_back({0, RankState::Running, why, data});
    delta.statuses.push_back({analysis::RunStatus::Running, why, 14, data});
    return delta;
}

/// NaN is not equal to itself: losses are compared as bytes.
bool same(const wire::StepBatch& a, const wire::StepBatch& b)
{
    return std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(), [](StepRow one, StepRow other) {
        const bool isSameLoss = std::memcmp(&one.loss, &other.loss, sizeof(double)) == 0;
        one.loss = other.loss = 0.0;
        return isSameLoss && one == other;
    });
}

QString messageOf(const auto& result)
{
    return result.isOk() ? QString() : QString::fromStdString(result.error().message);
}

} // namespace

class TestRunStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        m_store.reset();
        auto store = RunStore::open(m_folder->path());
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        m_store = std::move(*store);
    }
    void cleanup()
    {
        m_store.reset();
        m_folder.reset();
    }

    void whatWasWrittenIsReplayed()
    {
        auto writer = m_store->create(record(1));
        QVERIFY2(writer.isOk(), qPrintable(messageOf(writer)));
        const std::vector<Delta> written{everyKind(1), everyKind(6), everyKind(11)};
        for (const Delta& delta : written) {
            QVERIFY((*writer)->add(delta).isOk());
        }
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        std::vector<Delta> read;
        QVERIFY(m_store
                    ->replay(record(1).id,
                        [&](const Delta& delta) {
                            read.push_back(delta);
                            return true;
                        })
                    .isOk());
        QCOMPARE(read.size(), written.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            QVERIFY(same(read[i].steps.at(0).what, written[i].steps.at(0).what));
            QVERIFY(read[i].hellos.at(0).what == written[i].hellos.at(0).what);
            QVERIFY(read[i].prepared.at(0).what == written[i].prepared.at(0).what);
            QVERIFY(read[i].spans.at(0).what == written[i].spans.at(0).what);
            QVERIFY(read[i].traffic.at(0).what == written[i].traffic.at(0).what);
            QVERIFY(read[i].measurements.at(0).what == written[i].measurements.at(0).what);
            QVERIFY(read[i].verifications.at(0).what == written[i].verifications.at(0).what);
            QVERIFY(read[i].shares.at(0).what == written[i].shares.at(0).what);
            QVERIFY(read[i].logs.at(0).what == written[i].logs.at(0).what);
            QVERIFY(read[i].vitals.at(0).what == written[i].vitals.at(0).what);
            QVERIFY(read[i].memory.at(0).what == written[i].memory.at(0).what);
            QVERIFY(read[i].applied.at(0).what == written[i].applied.at(0).what);
            QVERIFY(std::isnan(read[i].evaluations.at(0).what.loss));
            QCOMPARE(read[i].evaluations.at(0).what.accuracy, 0.5);
            QCOMPARE(read[i].ranks.at(0).said(), Text("why %1", {7}));
            QCOMPARE(read[i].statuses.at(0).data, packed({"why %1", {7}}));
            QCOMPARE(read[i].statuses.at(0).wallNs, std::int64_t{14});
        }
    }

    void aFileWrittenBeforeThereWereSomeColumnsIsRead()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        const QString file = QDir(m_folder->path())
                                 .entryInfoList({u"*.sqlite"_s, u"*.run"_s, u"*.db"_s}, QDir::Files)
                                 .value(0)
                                 .absoluteFilePath();
        QVERIFY(!file.isEmpty());
        {
            auto database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"older"_s);
            database.setDatabaseName(file);
            QVERIFY(database.open());
            for (const char* drop : {"ALTER TABLE steps DROP COLUMN hidden", "ALTER TABLE steps DROP COLUMN staleness",
                     "ALTER TABLE steps DROP COLUMN between_hosts", "ALTER TABLE measurements DROP COLUMN shared",
                     "ALTER TABLE prepared DROP COLUMN cores", "ALTER TABLE spans DROP COLUMN micro_batch",
                     "ALTER TABLE logs DROP COLUMN data", "ALTER TABLE ranks DROP COLUMN data",
                     "ALTER TABLE statuses DROP COLUMN data", "DELETE FROM meta WHERE key = 'message_data'",
                     "DROP TABLE memory"}) {
                QSqlQuery query(database);
                QVERIFY2(query.exec(QLatin1String(drop)), qPrintable(query.lastError().text()));
            }
        }
        QSqlDatabase::removeDatabase(u"older"_s);
        const auto loaded = m_store->load(record(1).id);
        QVERIFY2(loaded.isOk(), qPrintable(messageOf(loaded)));
        QVERIFY(m_store
                    ->replay(record(1).id,
                        [](const Delta& delta) {
                            [&] {
                                QCOMPARE(delta.steps.at(0).what.size(), std::size_t(5));
                                for (const StepRow& row : delta.steps.at(0).what.rows) {
                                    QCOMPARE(row.hiddenNs, std::int64_t(0));
                                    QCOMPARE(row.staleness, std::int64_t(-1));
                                    QCOMPARE(row.betweenHostsNs, std::int64_t(0));
                                }
                                QVERIFY(!delta.measurements.at(0).what.shared);
                                QCOMPARE(delta.prepared.at(0).what.cores, 0);
                                QCOMPARE(delta.spans.at(0).what.rows.at(0).microBatch, -1);
                                QVERIFY(delta.memory.empty());
                                QCOMPARE(delta.logs.at(0).what.said(), Text("a line, 一行"));
                                QCOMPARE(delta.ranks.at(0).said(), Text("why 7"));
                                QCOMPARE(delta.statuses.at(0).message, std::string("why 7"));
                                QCOMPARE(delta.statuses.at(0).data, std::string());
                            }();
                            return true;
                        })
                    .isOk());
    }

    void whatASummaryMeasuredIsKept()
    {
        auto writer = m_store->create(record(1));
        analysis::Summary summary;
        summary.overlapFraction = 0.625;
        summary.staleness = 1.5;
        summary.largestStaleness = 4.0;
        summary.betweenHostsMsPerStep = 2.5;
        summary.runDelayShare = 0.75;
        summary.delayByOthers = 0.5;
        summary.cpuCores = 1.25;
        summary.hosts = 3;
        summary.cores = 12;
        summary.device = "cuda:0";
        summary.verifyDrifts = {0.25, 0.0, 1e-7};
        summary.interference.isSlowed = true;
        summary.memory = {{0, {1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 7}, 30, 40, 100, 110, {9, 8, 7, 6, 5, 4}, 50},
            {1, {6, 5, 4, 3, 2, 1}, {7, 6, 5, 4, 3, 2}, 31, 41, 101, 111, {4, 5, 6, 7, 8, 9}, 51}};
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", summary).isOk());
        const auto loaded = m_store->load(record(1).id);
        QCOMPARE(loaded->summary.overlapFraction, 0.625);
        QCOMPARE(loaded->summary.staleness, 1.5);
        QCOMPARE(loaded->summary.largestStaleness, 4.0);
        QCOMPARE(loaded->summary.betweenHostsMsPerStep, 2.5);
        QCOMPARE(loaded->summary.runDelayShare, 0.75);
        QCOMPARE(loaded->summary.delayByOthers, 0.5);
        QCOMPARE(loaded->summary.cpuCores, 1.25);
        QCOMPARE(loaded->summary.hosts, std::int64_t{3});
        QCOMPARE(loaded->summary.cores, std::int64_t{12});
        QCOMPARE(loaded->summary.device, std::string("cuda:0"));
        QCOMPARE(loaded->summary.verifyDrifts, summary.verifyDrifts);
        QVERIFY(m_store->list().front().summary.interference == summary.interference);
        QVERIFY(loaded->summary.memory == summary.memory);
    }

    void curvesHaveTheirThreeAxesAndKeepNaN()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        QVERIFY((*writer)->add(everyKind(6)).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Failed, "loss became NaN", {}).isOk());
        const auto loaded = m_store->load(record(1).id);
        QVERIFY2(loaded.isOk(), qPrintable(messageOf(loaded)));
        QCOMPARE(loaded->loss.step.size(), std::size_t{10});
        QCOMPARE(loaded->loss.epoch[1], 2.0 * 64 / 640);
        QCOMPARE(loaded->loss.seconds[0], 0.001);
        QVERIFY(std::isnan(loaded->loss.value[6]));
        QCOMPARE(loaded->loss.value[9], 0.1);
        QCOMPARE(loaded->status, analysis::RunStatus::Failed);
        QCOMPARE(loaded->message, std::string("loss became NaN"));
    }

    void aPauseIsNoTimeOfTheCurves()
    {
        auto writer = m_store->create(record(1));
        Delta delta = everyKind(1);
        delta.evaluations.clear();
        delta.applied = {{0, {wire::Command::Pause, 5, 1'005'500'000, -1, 0.0}}};
        QVERIFY((*writer)->add(delta).isOk());
        Delta later;
        later.applied = {{0, {wire::Command::Resume, 5, 1'500'000'000, -1, 0.0}}};
        later.steps.push_back({0, steps(501, 2)});
        later.evaluations.push_back({0, {502, 64, 1'503'000'000, 9, 0.5, 0.1}});
        QVERIFY((*writer)->add(later).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        const auto loaded = m_store->load(record(1).id);
        QVERIFY2(loaded.isOk(), qPrintable(messageOf(loaded)));
        QCOMPARE(loaded->loss.seconds[4], 0.005);
        QCOMPARE(loaded->loss.seconds[5], 0.0065);
        QCOMPARE(loaded->loss.seconds[6], 0.0075);
        QCOMPARE(loaded->accuracy.seconds.back(), 0.0085);
    }

    void aFinishedRunIsOneFile()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        const QString path = m_folder->filePath(QString::fromStdString(record(1).id.text) + u".run"_s);
        QVERIFY(QFile::exists(path + u"-wal"_s));
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        QVERIFY(!QFile::exists(path + u"-wal"_s));
        QVERIFY(!QFile::exists(path + u"-shm"_s));
    }

    void aCopyOfTheFileIsTheRun()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        analysis::Summary summary;
        summary.finalLoss = 0.25;
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", summary).isOk());
        const QTemporaryDir other;
        auto store = RunStore::open(other.path());
        const QString path = m_folder->filePath(QString::fromStdString(record(1).id.text) + u".run"_s);
        const auto id = (*store)->import(path);
        QVERIFY2(id.isOk(), qPrintable(messageOf(id)));
        QCOMPARE((*store)->load(*id)->loss.step.size(), std::size_t{5});
        QCOMPARE((*store)->list().front().summary.finalLoss, 0.25);
        QVERIFY(messageOf((*store)->import(path)).contains(u"already"_s));
    }

    /// The process that writes is a child that kills itself: nothing is closed, nothing flushed.
    void aRunWhoseWorkbenchDiedIsInterrupted()
    {
        const QString folder = m_folder->path();
        m_store.reset();
        const pid_t child = fork();
        if (child == 0) {
            auto store = RunStore::open(folder);
            auto writer = (*store)->create(record(2));
            const bool written = (*writer)->add(everyKind(1)).isOk();
            kill(getpid(), written ? SIGKILL : SIGABRT);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        auto store = RunStore::open(folder);
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        const auto list = (*store)->list();
        QCOMPARE(list.size(), std::size_t{1});
        QCOMPARE(list.front().status, analysis::RunStatus::Interrupted);
        QCOMPARE(list.front().summary.steps, std::int64_t{5});
        QCOMPARE((*store)->load(record(2).id)->loss.step.size(), std::size_t{5});
        QVERIFY(!QFile::exists(folder + u'/' + QString::fromStdString(record(2).id.text) + u".run-wal"_s));
    }

    /// All its steps were taken; the turns that followed only measure it.
    void aRunKilledWhileItWasMeasuredIsFinished()
    {
        const QString folder = m_folder->path();
        m_store.reset();
        const pid_t child = fork();
        if (child == 0) {
            auto store = RunStore::open(folder);
            auto writer = (*store)->create(record(2));
            Delta delta = everyKind(1);
            delta.held.clear();
            for (auto& prepared : delta.prepared) {
                prepared.what.totalSteps = 5;
            }
            std::int32_t ranks = 1;
            for (const auto& hello : delta.hellos) {
                ranks = std::max(ranks, hello.what.worldSize);
            }
            for (std::int32_t rank = 0; rank < ranks; ++rank) {
                wire::Held held;
                held.step = 5;
                delta.held.push_back({rank, held});
            }
            const bool written = (*writer)->add(delta).isOk();
            kill(getpid(), written ? SIGKILL : SIGABRT);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        auto store = RunStore::open(folder);
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        QCOMPARE((*store)->list().front().status, analysis::RunStatus::Finished);
        QVERIFY((*store)->list().front().message.find("measured") != std::string::npos);
    }

    /// A user's own program may do anything after its last step.
    void onlyOurRanksJustMeasureAfterTheirLastStep()
    {
        for (const bool isOwn : {false, true}) {
            experiment::RunSpec spec = record(2).spec;
            if (isOwn) {
                spec.settings["strategy.name"] = std::string("own");
            }
            store::RunAccount account;
            account.setSpec(spec);
            Delta delta = everyKind(1);
            delta.held.clear();
            account.add(delta);
            QVERIFY(!account.areOwnStepsDone());
            wire::Held held;
            held.step = delta.prepared.front().what.totalSteps;
            Delta last;
            last.held.push_back({0, held});
            account.add(last);
            QCOMPARE(account.areOwnStepsDone(), !isOwn);
        }
    }

    void aRunThatIsStillWrittenIsLeftAlone()
    {
        auto writer = m_store->create(record(3));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        const auto other = RunStore::open(m_folder->path());
        QVERIFY2(other.isOk(), qPrintable(messageOf(other)));
        QCOMPARE((*other)->list().front().status, analysis::RunStatus::Running);
        QVERIFY((*writer)->add(everyKind(6)).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        QCOMPARE((*other)->list().front().status, analysis::RunStatus::Finished);
    }

    void aRenameOutlivesTheRun()
    {
        auto writer = m_store->create(record(3));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        QVERIFY(m_store->rename(record(3).id, u"mine"_s).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        QCOMPARE(m_store->list().front().label, std::string("mine"));
        QCOMPARE(m_store->load(record(3).id)->label, std::string("mine"));
    }

    void importsComeWholeOrNotAtAll()
    {
        QTemporaryDir elsewhere;
        QString file;
        {
            // Still being written: most of it is in SQLite's log beside the file.
            const auto other = RunStore::open(elsewhere.path());
            auto writer = (*other)->create(record(4));
            for (int i = 1; i < 40; ++i) {
                QVERIFY((*writer)->add(everyKind(i)).isOk());
            }
            file = elsewhere.filePath(QString::fromStdString(record(4).id.text) + u".run"_s);
            const auto taken = m_store->import(file);
            QVERIFY2(taken.isOk(), qPrintable(messageOf(taken)));
            int steps = 0;
            QVERIFY(m_store
                        ->replay(*taken,
                            [&](const Delta& delta) {
                                steps += static_cast<int>(delta.steps.size());
                                return true;
                            })
                        .isOk());
            QVERIFY(steps >= 39);
            QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        }
        QVERIFY(m_store->remove(record(4).id).isOk());
        QFile cut(file);
        QVERIFY(cut.resize(cut.size() - cut.size() / 3));
        QVERIFY(!m_store->import(file).isOk());
        QVERIFY(!QFile::exists(m_folder->filePath(QFileInfo(file).fileName())));
        QVERIFY(m_store->list().empty());
    }

    void whyARunFailedIsKeptAsData()
    {
        const Text why("rank %1: %2", {1, verbatim("killed")});
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->finish(analysis::RunStatus::Failed, why, {}).isOk());
        QCOMPARE(m_store->load(record(1).id)->why(), why);
        QVERIFY(m_store->rename(record(1).id, u"mine"_s).isOk());
        QCOMPARE(m_store->list().front().why(), why);
        m_store.reset(); // the index of a program that did not keep the data has no such column
        {
            auto database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"older index"_s);
            database.setDatabaseName(m_folder->filePath(u"index.sqlite"_s));
            QVERIFY(database.open());
            QSqlQuery query(database);
            QVERIFY2(query.exec(u"ALTER TABLE runs DROP COLUMN message_data"_s), qPrintable(query.lastError().text()));
        }
        QSqlDatabase::removeDatabase(u"older index"_s);
        auto store = RunStore::open(m_folder->path());
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        QCOMPARE((*store)->list().front().message, why.english);
    }

    void theIndexCanBeLost()
    {
        for (int i = 0; i < 5; ++i) {
            auto writer = m_store->create(record(i));
            QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        }
        QVERIFY(m_store->rename(record(2).id, u"mine"_s).isOk());
        m_store.reset();
        for (const QString& tail : {u""_s, u"-wal"_s, u"-shm"_s}) {
            QFile::remove(m_folder->filePath(u"index.sqlite"_s + tail));
        }
        auto store = RunStore::open(m_folder->path());
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        const auto list = (*store)->list();
        QCOMPARE(list.size(), std::size_t{5});
        QVERIFY(list.front().id == record(4).id); // newest first
        QCOMPARE(list[2].label, std::string("mine"));
    }

    void deletedRunsCanBeBroughtBack()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        QVERIFY(m_store->remove(record(1).id).isOk());
        QVERIFY(m_store->list().empty());
        QVERIFY(!m_store->load(record(1).id).isOk());
        const auto again = RunStore::open(m_folder->path()); // a second window must not take the undo away
        QVERIFY((*again)->list().empty());
        QVERIFY(m_store->restore(record(1).id).isOk());
        QCOMPARE(m_store->list().size(), std::size_t{1});
        QCOMPARE(m_store->load(record(1).id)->loss.step.size(), std::size_t{5});
    }

    void whatIsNoStoreIsRefused()
    {
        const QString file = m_folder->filePath(u"file"_s);
        QFile(file).open(QIODevice::WriteOnly);
        QCOMPARE(messageOf(RunStore::open(file)), u"run store: %1 is a file; a store is a folder"_s.arg(file));
        const QTemporaryDir foreign;
        QFile index(foreign.filePath(u"index.sqlite"_s));
        QVERIFY(index.open(QIODevice::WriteOnly));
        index.write(
            "this is no database, but it is longer than a header of one would be ................................");
        index.close();
        const qint64 size = QFileInfo(index).size();
        const QString message = messageOf(RunStore::open(foreign.path()));
        QVERIFY2(message.contains(u"index.sqlite"_s), qPrintable(message));
        QVERIFY(!message.contains(u'\n'));
        QCOMPARE(QFileInfo(index).size(), size);
    }

    void aDamagedIndexIsMadeAgain()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        m_store.reset();
        for (const auto& tail : {u"-wal"_s, u"-shm"_s}) {
            QFile::remove(m_folder->filePath(u"index.sqlite"_s + tail));
        }
        QFile index(m_folder->filePath(u"index.sqlite"_s));
        QVERIFY(index.open(QIODevice::WriteOnly));
        index.write(QByteArray(4096, 'x'));
        index.close();
        const auto store = RunStore::open(m_folder->path());
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        QCOMPARE((*store)->list().size(), std::size_t{1});
        QCOMPARE((*store)->remarks().size(), std::size_t{1});
        QVERIFY(QFile::exists(m_folder->filePath(u"index.sqlite.damaged"_s)));
        QVERIFY((*RunStore::open(m_folder->path()))->remarks().empty());
    }

    /// Its begin and its length are as they were, and its last user closed it.
    void anIndexDamagedInItsMiddleIsMadeAgain()
    {
        for (int number = 1; number <= 8; ++number) {
            auto writer = m_store->create(record(number));
            QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        }
        m_store.reset();
        QFile index(m_folder->filePath(u"index.sqlite"_s));
        QVERIFY(!QFile::exists(index.fileName() + u"-wal"_s));
        QVERIFY(index.open(QIODevice::ReadWrite));
        QVERIFY(index.size() > 8192);
        index.seek(4096);
        index.write(QByteArray(index.size() - 4096, 'x'));
        index.close();
        const auto store = RunStore::open(m_folder->path());
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        QCOMPARE((*store)->list().size(), std::size_t{8});
        QCOMPARE((*store)->remarks().size(), std::size_t{1});
    }

    void aRunThatCannotBeReadIsSaid()
    {
        QFile damaged(m_folder->filePath(QString::fromStdString(record(1).id.text) + u".run"_s));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write(QByteArray(4096, 'x'));
        damaged.close();
        const auto store = RunStore::open(m_folder->path());
        QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
        QVERIFY((*store)->list().empty());
        QCOMPARE((*store)->remarks().size(), std::size_t{1});
        QVERIFY((*store)->remarks().front().english.find(record(1).id.text) != std::string::npos);
    }

    void aStoreThatCannotBeWrittenCanBeRead()
    {
        if (geteuid() == 0) {
            QSKIP("root may write everywhere");
        }
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        m_store.reset();
        const QString folder = m_folder->path();
        QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::ExeOwner));
        {
            const auto store = RunStore::open(folder);
            QVERIFY2(store.isOk(), qPrintable(messageOf(store)));
            QVERIFY(!(*store)->checkWritable().isOk());
            QCOMPARE((*store)->list().size(), std::size_t{1});
            QCOMPARE((*store)->load(record(1).id)->loss.step.size(), std::size_t{5});
            QVERIFY(!(*store)->create(record(2)).isOk());
        }
        QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    void aRunFileThatIsRemovedIsSaidAtTheEnd()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        for (const auto& tail : {u""_s, u"-wal"_s, u"-shm"_s}) {
            QFile::remove(m_folder->filePath(QString::fromStdString(record(1).id.text) + u".run"_s + tail));
        }
        QVERIFY(!(*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
    }

    void whatIsNoRunIsRefused_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addRow("empty") << QByteArray();
        QTest::addRow("garbage") << QByteArray(5000, 'x');
        QTest::addRow("text") << QByteArray("{\"version\":1}");
        QTest::addRow("huge frame") << QByteArray("\xff\xff\xff\xff garbage", 12);
        QTest::addRow("half a database") << QByteArray("SQLite format 3\0", 16) + QByteArray(3000, '\1');
    }
    void whatIsNoRunIsRefused()
    {
        QFETCH(QByteArray, content);
        const QTemporaryDir other;
        QFile file(other.filePath(u"thing"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        const QString message = messageOf(m_store->import(file.fileName()));
        QVERIFY(!message.isEmpty());
        QVERIFY(!message.contains(u'\n'));
        QVERIFY(m_store->list().empty());
        QVERIFY(QDir(m_folder->path()).entryList({u"*.run"_s}, QDir::Files).isEmpty());
    }

    void aFullDiskIsAnErrorAndKeepsWhatWasCommitted()
    {
        auto writer = m_store->create(record(1));
        QVERIFY((*writer)->add(everyKind(1)).isOk());
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit small{2u << 20, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        QString message;
        Delta delta;
        delta.steps.push_back({0, steps(6, 10'000)});
        for (int i = 0; i < 50 && message.isEmpty(); ++i) {
            message = messageOf((*writer)->add(delta));
        }
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!message.isEmpty());
        QVERIFY(!message.contains(u'\n'));
        const auto loaded = m_store->load(record(1).id);
        QVERIFY2(loaded.isOk(), qPrintable(messageOf(loaded)));
        QVERIFY(loaded->loss.step.size() >= 5);
    }

    void thousandsOfRunsAreListedQuickly()
    {
        for (int i = 0; i < 40; ++i) {
            auto writer = m_store->create(record(i));
            QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        }
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(m_store->list().size(), std::size_t{40});
        qInfo("a listed run costs %.3f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6 / 40);
    }

    void replaySourceHandsEverythingOver()
    {
        auto writer = m_store->create(record(1));
        for (int i = 0; i < 20; ++i) {
            QVERIFY((*writer)->add(everyKind(1 + 5 * i)).isOk());
        }
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        const auto source = replaySource(m_folder->path(), record(1).id);
        std::int64_t next = 1;
        QTRY_VERIFY([&] {
            if (const DeltaPtr delta = source->take()) {
                for (const auto& [rank, batch] : delta->steps) {
                    for (const StepRow& row : batch.rows) {
                        next = row.step == next ? next + 1 : -1'000'000;
                    }
                }
            }
            return next == 101;
        }());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
};

LOCKSTEP_TEST(TestRunStore)
#include "test_run_store.moc"
