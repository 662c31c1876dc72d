// One run by all ways in which Lockstep comes to know it: collected live, read from its file, imported from a
// recording, and shown by a feed, live, read and replayed by time. All have the same summary, curves, interventions and
// states.
#include "exchange/export/run_json.h"
#include "launch/collect/collector.h"
#include "program/test_class.h"
#include "store/account/run_account.h"
#include "store/replay/replayed_run_reader.h"
#include "ui/models/feeds/replay_player.h"
#include "ui/models/feeds/run_feed.h"
#include "wire/frame.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::launch;
using namespace lockstep::exchange;
using namespace Qt::StringLiterals;

namespace {

constexpr std::int64_t BeginNs = 5'000'000'000;
constexpr std::int64_t StepNs = 10'000'000;

/// What the session's thread sees of a run, in order.
struct Script {
    struct Heard {
        std::int32_t rank = 0;
        wire::Message message;
    };
    std::int32_t ranks = 1;
    std::vector<std::variant<Heard, RankChange, StatusChange, LeftOutRound>> events{};
    analysis::RunStatus status = analysis::RunStatus::Finished;
    std::string message{};

    void hear(std::int32_t rank, wire::Message what) { events.emplace_back(Heard{rank, std::move(what)}); }

    /// `resumedStep` and `resumedNs`: of a run that continues another.
    void begin(std::int64_t totalSteps, std::int64_t resumedStep = 0, std::int64_t resumedNs = 0)
    {
        events.emplace_back(StatusChange{analysis::RunStatus::Starting, {}, 1});
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            events.emplace_back(RankChange{rank, RankState::Starting, {}});
            hear(rank,
                wire::Hello{.runId = "run",
                    .rank = rank,
                    .worldSize = ranks,
                    .pid = 9,
                    .host = "host",
                    .device = "cpu",
                    .libtorch = "1.13.1"});
            hear(rank, wire::Share{40, 0, 0, {10 + rank, 30 - rank}});
            hear(rank,
                wire::Prepared{.device = "cpu",
                    .trainSamples = 640,
                    .testSamples = 100,
                    .totalSteps = totalSteps,
                    .cores = 4,
                    .resumedStep = resumedStep,
                    .resumedNs = resumedNs});
            // A sample of memory and a drop of spans before the first step.
            hear(rank, wire::MemorySample{.timeNs = 1, .highest = 500 + rank, .residentBytes = 900});
            hear(rank, wire::SpanBatch{{}, 2});
        }
        events.emplace_back(StatusChange{analysis::RunStatus::Running, {}, 2});
    }

    /// Rank 1 reaches every aggregation later than rank 0. `shift`: what pauses have cost so far.
    void step(std::int32_t rank, std::int64_t step, std::int64_t shift)
    {
        const std::int64_t end = BeginNs + step * StepNs + shift + rank * 1'000;
        StepRow row{.step = step,
            .endNs = end,
            .wallNs = StepNs - 1'000,
            .samples = step * 64,
            .batch = 32 + rank,
            .loss = 2.0 / static_cast<double>(step + rank),
            .learningRate = 0.1,
            .bytesSent = 400,
            .phaseNs = {1'000, 2'000'000, 3'000'000, 900'000, 0, 500, 0},
            .arrivalNs = ranks > 1 ? end - 1'000'000 + rank * 300'000 : 0,
            .hiddenNs = 7'000,
            .bytesByKind = Traffic{0, 0, 400, 0}};
        hear(rank, wire::StepBatch{{row}});
        wire::SpanBatch spans;
        for (std::int32_t pass = 0; pass < 2; ++pass) {
            spans.rows.push_back({step, Phase::Forward, end - 8'000'000 + pass * 1'000'000, 700'000, pass});
            spans.rows.push_back({step, Phase::Backward, end - 5'000'000 + pass * 1'000'000, 800'000, pass});
        }
        hear(rank, spans);
    }

    void steps(std::int64_t first, std::int64_t last, std::int64_t shift = 0)
    {
        for (std::int64_t n = first; n <= last; ++n) {
            for (std::int32_t rank = 0; rank < ranks; ++rank) {
                step(rank, n, shift);
                // Before the other rank's row of the step, for which the row of this one waits.
                if (rank == 0 && n % 5 == 0) {
                    const double accuracy = 0.5 + 0.01 * static_cast<double>(n % 3);
                    hear(0, wire::Evaluation{n, n * 64, BeginNs + n * StepNs + shift + 50, 40, accuracy, 0.3, 0.25});
                }
            }
        }
    }

    void applied(wire::Command command, std::int64_t step, std::int64_t timeNs, double value = 0.0)
    {
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            hear(rank, wire::Applied{command, step, timeNs + rank * 100, -1, value});
        }
    }

    void end(analysis::RunStatus how, const std::string& why = {})
    {
        status = how;
        message = why;
        events.emplace_back(StatusChange{how, why, 3});
    }

    void finish(std::int64_t steps)
    {
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            hear(rank, wire::Verification{steps, 1e-7, 3});
            hear(rank, wire::MemorySample{.timeNs = 2, .highest = 700, .residentBytes = 950});
            hear(rank,
                wire::Vitals{.timeNs = 2,
                    .runNs = 300'000'000,
                    .runDelayNs = 100'000'000,
                    .busyNs = 1'900'000'000,
                    .watchedNs = 1'000'000'000});
            hear(rank, wire::SpanBatch{{{steps + 1, Phase::Forward, BeginNs * 2, 1, 0}}, 1}); // closes the last step
            hear(rank, wire::Goodbye{wire::Outcome::Finished, steps, {}});
        }
        end(analysis::RunStatus::Finished);
    }
};

Script pausedRun(std::int32_t ranks)
{
    Script script{.ranks = ranks};
    script.begin(30);
    script.steps(1, 12);
    const std::int64_t pause = BeginNs + 12 * StepNs + 2'000'000;
    script.applied(wire::Command::Pause, 13, pause);
    script.events.emplace_back(StatusChange{analysis::RunStatus::Paused, {}, 2});
    script.applied(wire::Command::Resume, 13, pause + 700'000'000);
    script.events.emplace_back(StatusChange{analysis::RunStatus::Running, {}, 2});
    script.applied(wire::Command::SetStraggler, 14, pause + 704'000'000, 2.5);
    script.steps(13, 30, 700'000'000);
    script.finish(30);
    return script;
}

Script killedRun()
{
    Script script{.ranks = 2};
    script.begin(30);
    script.steps(1, 14);
    script.step(0, 15, 0); // held until the end: rank 1 never sends its row
    script.events.emplace_back(RankChange{1, RankState::Lost, "was killed by signal 9 (Killed)"});
    script.hear(0, wire::Goodbye{wire::Outcome::Failed, 15, "rank 1 is gone"});
    script.end(analysis::RunStatus::Failed, "rank 1 was killed by signal 9 (Killed) after step 14");
    return script;
}

Script resumedRun()
{
    Script script{.ranks = 2};
    script.begin(50, 20, 900'000'000);
    script.applied(wire::Command::SetLink, 21, BeginNs + 20 * StepNs, 50.0); // before the first row
    script.steps(21, 50);
    script.finish(50);
    return script;
}

Script stoppedWhilePaused()
{
    Script script{.ranks = 2};
    script.begin(30);
    script.steps(1, 11);
    script.applied(wire::Command::Pause, 12, BeginNs + 11 * StepNs + 5'000'000);
    script.events.emplace_back(StatusChange{analysis::RunStatus::Paused, {}, 2});
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        script.hear(rank, wire::Goodbye{wire::Outcome::Stopped, 11, {}});
    }
    script.end(analysis::RunStatus::Stopped);
    return script;
}

/// Four rounds of eight steps, one of which does not count, and one that only measures.
Script runInTurns()
{
    Script script{.ranks = 2};
    script.begin(32);
    const auto hold = [&script](std::int64_t step, std::int64_t block, std::int64_t shift) {
        for (std::int32_t rank = 0; rank < 2; ++rank) {
            const std::int64_t end = BeginNs + step * StepNs + shift + rank * 2'000 + 100'000;
            script.hear(rank,
                wire::Held{.step = step,
                    .timeNs = end,
                    .block = block,
                    .startNs = block == 0 ? 0 : end - 8 * StepNs,
                    .steps = block == 0 ? 0 : 5,
                    .wallNs = block == 0 ? 0 : 5 * StepNs * (block == 2 ? 9 : 1) + block * 1'000 + rank,
                    .samples = block == 0 ? 0 : 5 * (32 + rank)});
        }
    };
    hold(0, 0, 0);
    for (std::int64_t block = 1; block <= 4; ++block) {
        script.steps(8 * block - 7, 8 * block, block * 50'000'000);
        hold(8 * block, block, block * 50'000'000);
    }
    hold(40, 5, 250'000'000);
    script.events.emplace_back(LeftOutRound{2});
    script.finish(32);
    return script;
}

analysis::RunRecord newRecord()
{
    analysis::RunRecord record;
    record.id = makeRunId(1'795'000'000, 7);
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    record.status = analysis::RunStatus::Running;
    return record;
}

/// All that is known of a run, as text to compare.
QString textOf(analysis::RunRecord record, const std::vector<Intervention>& interventions,
    const std::vector<std::pair<std::int32_t, RankChange>>& ranks)
{
    const analysis::RunRecord fresh = newRecord();
    record.id = fresh.id; // an import has a new id
    record.createdNs = fresh.createdNs;
    QString text = QString::fromStdString(runsAsJson({record})) + u'\n';
    for (const Intervention& each : interventions) {
        text += u"%1 at step %2, %3 s: %4\n"_s.arg(int(each.command))
                    .arg(each.step)
                    .arg(each.seconds, 0, 'g', 17)
                    .arg(each.value);
    }
    for (const auto& [rank, change] : ranks) {
        text += u"rank %1: %2 %3\n"_s.arg(rank).arg(int(change.state)).arg(QString::fromStdString(change.message));
    }
    return text;
}

QString textOf(analysis::RunRecord record, const RunAccount& account)
{
    account.fill(record);
    record.summary = account.summary();
    record.status = account.status()->status;
    record.message = account.status()->message;
    return textOf(record, account.interventions(), {account.ranks().begin(), account.ranks().end()});
}

QString textOf(const ui::RunFeed& feed)
{
    analysis::RunRecord record = feed.record();
    record.loss = feed.loss();
    record.accuracy = feed.accuracy();
    record.testLoss = feed.account().evaluated().testLoss;
    record.trainLoss = feed.account().evaluated().trainLoss;
    record.ranks = feed.account().rankSums().summaries();
    std::vector<std::pair<std::int32_t, RankChange>> ranks;
    for (const ui::RankCard& card : feed.ranks()) {
        ranks.emplace_back(card.rank, RankChange{card.rank, card.state, card.message});
    }
    return textOf(record, feed.interventions(), ranks);
}

void pullUntilFinal(ui::RunFeed& feed)
{
    QTRY_VERIFY((feed.pull(), analysis::isFinal(feed.record().status) && !feed.pull()));
}

} // namespace

class TestRunAccount : public QObject {
    Q_OBJECT

private:
    static void addScripts()
    {
        QTest::addColumn<std::function<Script()>>("make");
        const auto add = [](const char* name, std::function<Script()> make) { QTest::newRow(name) << std::move(make); };
        add("one rank, paused", [] { return pausedRun(1); });
        add("two ranks, paused and slowed", [] { return pausedRun(2); });
        add("a killed rank", killedRun);
        add("resumed from a checkpoint", resumedRun);
        add("stopped while paused", stoppedWhilePaused);
        add("in turns with others", runInTurns);
    }

    /// Collects the script; every `flushEvery` events a Delta is published and the feed, if any, takes it.
    static analysis::RunRecord collect(
        const Script& script, const QString& folder, int flushEvery, ui::RunFeed* feed, std::shared_ptr<LiveFeed> live)
    {
        analysis::RunRecord record = newRecord();
        auto store = RunStore::open(folder);
        Collector collector(script.ranks, BeginNs - 3 * StepNs, std::move(live), nullptr);
        collector.setWriter(std::move(*(*store)->create(record)));
        int count = 0;
        for (const auto& event : script.events) {
            if (const auto* heard = std::get_if<Script::Heard>(&event)) {
                collector.add(heard->rank, heard->message);
            } else if (const auto* change = std::get_if<RankChange>(&event)) {
                collector.add(*change);
            } else if (const auto* round = std::get_if<LeftOutRound>(&event)) {
                collector.add(*round);
            } else {
                collector.add(std::get<StatusChange>(event));
            }
            if (++count % flushEvery == 0) {
                collector.flush();
                if (feed != nullptr) {
                    feed->pull();
                }
            }
        }
        const auto closed = collector.finish(script.status, script.message);
        if (!closed) {
            qWarning("%s", closed.error().message.c_str());
        }
        record.status = script.status;
        record.message = script.message;
        record.summary = collector.summary();
        return record;
    }

    static RunAccount accountOf(const QString& folder, const RunId& id, bool isOneDelta)
    {
        RunAccount account;
        Delta whole;
        const auto store = RunStore::open(folder);
        const auto replayed = (*store)->replay(id, [&](const Delta& delta) {
            isOneDelta ? whole.append(delta) : account.add(delta);
            return true;
        });
        if (!replayed) {
            qWarning("%s", replayed.error().message.c_str());
        }
        account.add(whole);
        return account;
    }

    static ReplayedRunPtr recordingOf(const QString& folder, const RunId& id)
    {
        ReplayedRunReader reader(folder, id);
        ReplayedRunPtr recording;
        const auto isRead = [&] {
            const auto read = reader.take();
            recording = read && *read ? **read : recording;
            return recording != nullptr;
        };
        return QTest::qWaitFor(isRead, lockstep::test::PatienceMs) ? recording : std::make_shared<ReplayedRun>();
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void whatWasChangedByHandIsKnown()
    {
        const auto changesOf = [](const Script& script) {
            const QTemporaryDir folder;
            const auto live = std::make_shared<LiveFeed>();
            return analysis::namesOf(collect(script, folder.path(), 7, nullptr, live).summary.interference);
        };
        QCOMPARE(changesOf(pausedRun(2)), (std::vector<std::string>{"paused", "slowed"}));
        QCOMPARE(changesOf(resumedRun()), std::vector<std::string>{"link"});
        QCOMPARE(changesOf(killedRun()), std::vector<std::string>{});
    }

    /// The seconds of a run that continues another begin where that one's checkpoint was.
    void aResumedRunContinuesTheClock()
    {
        const auto account = [](std::int64_t firstStep, bool hasFacts, std::int64_t resumedStep,
                                 std::int64_t resumedNs) {
            Delta delta;
            delta.hellos.push_back({0, wire::Hello{}});
            if (hasFacts) {
                delta.prepared.push_back({0,
                    wire::Prepared{.device = "cpu",
                        .trainSamples = 640,
                        .totalSteps = 40,
                        .resumedStep = resumedStep,
                        .resumedNs = resumedNs}});
            }
            wire::StepBatch batch;
            for (std::int64_t step = firstStep; step < firstStep + 3; ++step) {
                batch.rows.push_back(
                    {.step = step, .endNs = BeginNs + (step - firstStep + 1) * StepNs, .wallNs = StepNs, .batch = 1});
            }
            delta.steps.push_back({0, batch});
            delta.evaluations.push_back({0, {firstStep + 1, 64, BeginNs + 2 * StepNs, 1, 0.5, 0.3, 0.25}});
            RunAccount made;
            made.add(delta);
            return made;
        };
        const RunAccount first = account(1, true, 0, 0);
        QCOMPARE(first.loss().seconds, (std::vector<double>{0.01, 0.02, 0.03}));
        const RunAccount second = account(21, true, 20, 900'000'000);
        QCOMPARE(second.loss().seconds, (std::vector<double>{0.91, 0.92, 0.93}));
        QCOMPARE(second.evaluated().trainLoss.seconds, std::vector<double>{0.92});
        QCOMPARE(second.evaluated().trainLoss.value, std::vector<double>{0.25});
        QCOMPARE(second.summary().trainSeconds, 0.93);
        QCOMPARE(second.summary().resumption, (analysis::Resumption{20, 0, 40}));
        // A checkpoint of an earlier version does not say how long its run took; nor does a rank of one.
        for (const RunAccount& unknown : {account(21, true, 20, -1), account(21, true, 0, 0)}) {
            for (const analysis::Curve* curve :
                {&unknown.loss(), &unknown.evaluated().accuracy, &unknown.evaluated().trainLoss}) {
                QVERIFY(
                    curve->size() > 0 && std::ranges::all_of(curve->seconds, [](double s) { return std::isnan(s); }));
            }
            QVERIFY(std::isnan(unknown.summary().trainSeconds));
            QCOMPARE(unknown.summary().resumption.step, std::int64_t{20});
        }
        // Curves of other programs may begin anywhere.
        QCOMPARE(account(21, false, 0, 0).loss().seconds, (std::vector<double>{0.01, 0.02, 0.03}));
    }

    void aRoundThatDoesNotCountIsStored()
    {
        const QTemporaryDir folder;
        const analysis::RunRecord collected
            = collect(runInTurns(), folder.path(), 7, nullptr, std::make_shared<LiveFeed>());
        const auto stored = (*RunStore::open(folder.path()))->load(collected.id);
        QVERIFY(stored.isOk());
        QCOMPARE(stored->blocks.size(), std::size_t{5});
        for (const analysis::MeasuredBlock& block : stored->blocks) {
            QCOMPARE(block.isLeftOut, block.number == 2);
        }
        QCOMPARE(stored->summary.msPerStepTypical, collected.summary.msPerStepTypical);
        QVERIFY(std::fabs(stored->summary.msPerStepTypical - 10.0) < 0.01);
    }

    void allWaysAgree_data() { addScripts(); }

    void allWaysAgree()
    {
        QFETCH(std::function<Script()>, make);
        const Script script = make();
        const QTemporaryDir folder;
        const auto live = std::make_shared<LiveFeed>();
        ui::RunFeed feed(newRecord(), sourceOf(live));
        const analysis::RunRecord collected = collect(script, folder.path(), 7, &feed, live);
        pullUntilFinal(feed);

        const auto stored = (*RunStore::open(folder.path()))->load(collected.id);
        QVERIFY(stored.isOk());
        QVERIFY(stored->summary.steps > 0 && stored->loss.size() > 0 && stored->accuracy.size() > 0);
        // What only the session knows is in the stored summary, not in the rows.
        const auto withStart = [&](RunAccount account) {
            Delta start;
            start.starts.push_back({collected.summary.secondsToFirstLoss, collected.summary.startSeconds});
            account.add(start);
            return account;
        };
        const QString expected = textOf(*stored, withStart(accountOf(folder.path(), collected.id, false)));
        QVERIFY(std::isfinite(collected.summary.secondsToFirstLoss) && std::isfinite(collected.summary.trainSeconds));
        QCOMPARE(textOf(*stored, withStart(accountOf(folder.path(), collected.id, true))), expected);
        QCOMPARE(textOf(feed), expected);

        // The collector keeps no curves: with those of the file its record is the file's.
        analysis::RunRecord both = *stored;
        both.summary = collected.summary;
        QCOMPARE(QString::fromStdString(runsAsJson({both})), QString::fromStdString(runsAsJson({*stored})));
        QCOMPARE(expected.section(u'\n', 0, 0), textOf(*stored, {}, {}).section(u'\n', 0, 0));

        ui::RunFeed replayed(*stored, replaySource(folder.path(), collected.id));
        QTRY_VERIFY((replayed.pull(), textOf(replayed) == expected));
        QCOMPARE(textOf(replayed), expected);

        const auto read = ui::storedFeed(*stored, folder.path()); // added up by the thread that reads
        QVERIFY(read->isReading());
        QTRY_VERIFY((read->pull(), !read->isReading()));
        QCOMPARE(textOf(*read), expected);

        const auto recording = recordingOf(folder.path(), collected.id);
        ui::ReplayPlayer player({recording});
        ui::RunFeed played(ui::recordAtStart(*stored), player.source(0));
        while (!player.isAtEnd()) {
            player.advance(0.0037);
            played.pull();
        }
        QCOMPARE(textOf(played), expected);
    }

    /// However the events are cut into Deltas.
    void cutsMakeNoDifference_data() { addScripts(); }

    void cutsMakeNoDifference()
    {
        QFETCH(std::function<Script()>, make);
        const Script script = make();
        QString first;
        for (const int flushEvery : {1, 3, 10'000}) {
            const QTemporaryDir folder;
            const auto live = std::make_shared<LiveFeed>();
            ui::RunFeed feed(newRecord(), sourceOf(live));
            analysis::RunRecord record = collect(script, folder.path(), flushEvery, &feed, live);
            pullUntilFinal(feed);
            // The moment at which the test ran is not of the run.
            QString text = textOf(feed).remove(QRegularExpression(u"\"seconds_to_first_loss\":[^,]*,"_s));
            first = first.isEmpty() ? text : first;
            const auto at = std::ranges::mismatch(text, first).in1 - text.begin();
            QVERIFY2(text == first, qPrintable(text.mid(at - 200, 400) + QChar(u'\n') + first.mid(at - 200, 400)));
        }
    }

    void anImportedRecordingIsTheRun_data()
    {
        QTest::addColumn<bool>("isWhole");
        QTest::newRow("whole") << true;
        QTest::newRow("of a rank that was killed") << false;
    }

    void anImportedRecordingIsTheRun()
    {
        QFETCH(bool, isWhole);
        Script script = pausedRun(1);
        const QTemporaryDir folder;
        const QTemporaryDir elsewhere;
        QFile file(elsewhere.filePath(u"recording"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto write = [&file](const wire::Message& message) {
            const auto frame = wire::encode(message);
            file.write(reinterpret_cast<const char*>(frame->data()), static_cast<qint64>(frame->size()));
        };
        if (!isWhole) {
            const std::string why = "the recording ends before the run does";
            std::erase_if(script.events, [](const auto& event) {
                const auto* heard = std::get_if<Script::Heard>(&event);
                return heard != nullptr && std::holds_alternative<wire::Goodbye>(heard->message);
            });
            script.events.emplace_back(RankChange{0, RankState::Lost, why});
            script.end(analysis::RunStatus::Interrupted, why);
        }
        write(wire::Welcome{wire::ProtocolVersion, experiment::toJson(newRecord().spec)});
        for (const auto& event : script.events) {
            if (const auto* heard = std::get_if<Script::Heard>(&event)) {
                write(heard->message);
            }
        }
        file.close();

        analysis::RunRecord collected = collect(script, folder.path(), 5, nullptr, std::make_shared<LiveFeed>());
        const auto store = RunStore::open(elsewhere.filePath(u"store"_s));
        const auto taken = (*store)->import(file.fileName());
        QVERIFY2(taken.isOk(), taken ? "" : taken.error().message.c_str());
        auto imported = (*store)->load(*taken);
        QVERIFY(imported.isOk());
        QCOMPARE(imported->importedFrom, std::string("recording"));
        imported->importedFrom.clear(); // all else is as it was measured
        const QString expected = textOf(collected, accountOf(folder.path(), collected.id, false));
        QCOMPARE(textOf(*imported, accountOf((*store)->folder(), *taken, false)), expected);
        QCOMPARE(textOf(*imported, {}, {}).section(u'\n', 0, 0), expected.section(u'\n', 0, 0));

        ui::RunFeed feed(*imported, replaySource((*store)->folder(), *taken));
        QTRY_VERIFY((feed.pull(), textOf(feed) == expected)); // it comes in parts
        QCOMPARE(textOf(feed), expected);
    }
};

LOCKSTEP_TEST(TestRunAccount)
#include "test_run_account.moc"
