// What `lockstep-rank --record` wrote on several hosts becomes one run, on one clock.
#include "base/text.h"
#include "program/test_class.h"
#include "store/account/clock_correction.h"
#include "store/file/run_file_reader.h"
#include "store/foreign_run.h"
#include "store/run_store.h"
#include "wire/messages.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace lockstep;
using namespace lockstep::store;

namespace {

constexpr std::int64_t Step = 1'000'000;
constexpr std::int64_t Begin = 5'000'000'000; ///< of the first step, on the clock of rank 0's host
constexpr std::int64_t Uptime = 86'400'000'000'000; ///< by which rank 1's host has been up longer

std::string specText(std::int64_t seed = 1)
{
    auto spec = experiment::preset("aggregation");
    spec->repeats = 1;
    experiment::RunSpec run = experiment::expand(*spec)->front();
    run.settings["train.seed"] = seed;
    return experiment::toJson(run);
}

struct RecordedRank {
    std::int32_t number = 0;
    std::string host = "n1";
    std::int64_t offsetNs = 1'700'000'000'000'000'000;
    std::int64_t beginNs = Begin;
    std::string spec = specText();
    std::vector<wire::ClockSample> clocks{}; ///< as the rank measured them
};

/// The clock of rank 1's host is ahead by Uptime, and 50 ppm faster.
std::int64_t clockOfRankOne(std::int64_t ofRankZero)
{
    return ofRankZero + Uptime + (ofRankZero - Begin) / 20'000;
}

/// Measured against rank 0's host, at the start and at the end.
std::vector<wire::ClockSample> clocksOfRankOne()
{
    std::vector<wire::ClockSample> clocks;
    for (const std::int64_t at : {Begin - Step, Begin + 10 * Step}) {
        clocks.push_back({{1}, clockOfRankOne(at), at - clockOfRankOne(at), 30'000, 50});
    }
    return clocks;
}

std::vector<wire::Message> messagesOf(const RecordedRank& rank)
{
    wire::StepBatch steps;
    wire::SpanBatch spans;
    for (std::int64_t step = 1; step <= 5; ++step) {
        const std::int64_t end = rank.beginNs + step * Step + rank.number;
        steps.rows.push_back({.step = step, .endNs = end, .wallNs = Step, .samples = step * 64, .batch = 32});
        spans.rows.push_back({.step = step, .phase = Phase::Forward, .startNs = end - Step, .durationNs = Step / 2});
    }
    wire::Hello hello;
    hello.rank = rank.number;
    hello.worldSize = 2;
    hello.host = rank.host;
    hello.clockOffsetNs = rank.offsetNs;
    wire::Prepared facts;
    facts.trainSamples = 640;
    facts.totalSteps = 5;
    wire::Goodbye goodbye;
    goodbye.step = 5;
    std::vector<wire::Message> messages{wire::Welcome{.specJson = rank.spec}, hello, facts, steps, spans};
    messages.insert(messages.end(), rank.clocks.begin(), rank.clocks.end());
    messages.emplace_back(goodbye);
    return messages;
}

} // namespace

class TestRecordings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        auto store = RunStore::open(m_folder->filePath(u"store"_s));
        QVERIFY(store.isOk());
        m_store = std::move(*store);
    }

    void hostsOfOtherUptimesShareAClock()
    {
        write({.number = 0});
        write({.number = 1, .host = "n2", .offsetNs = RecordedRank().offsetNs - Uptime, .beginNs = Begin + Uptime});
        const Delta read = imported();
        QCOMPARE(read.steps.size(), std::size_t(2));
        for (const auto& batch : read.steps) {
            QCOMPARE(batch.what.rows.front().endNs, Begin + Step + batch.rank);
        }
        for (const auto& batch : read.spans) {
            QCOMPARE(batch.what.rows.front().startNs, Begin + batch.rank);
        }
        QVERIFY2(log(read).contains(u"put together by the hosts' wall clocks"_s), qPrintable(log(read)));
        QVERIFY(m_record.summary.trainSeconds < 1.0);
    }

    /// The wall clocks differ, too: they are not used.
    void measuredClocksAreCorrectedWhereTheyAreRead()
    {
        write({.number = 0, .clocks = {{{0}, Begin, 0, 0, 0}}});
        const std::int64_t wrongWall = RecordedRank().offsetNs + 5'000'000'000;
        write({.number = 1,
            .host = "n2",
            .offsetNs = wrongWall,
            .beginNs = clockOfRankOne(Begin),
            .clocks = clocksOfRankOne()});
        const Delta read = imported();
        QCOMPARE(read.steps.size(), std::size_t(2));
        QCOMPARE(read.clocks.size(), std::size_t(3));
        for (const auto& batch : read.steps) {
            for (const StepRow& row : batch.what.rows) {
                // Rank 1's steps took 50 ppm less on rank 0's clock than on its own.
                const double expected = static_cast<double>(Begin + row.step * Step + batch.rank)
                    - batch.rank * static_cast<double>(row.step * Step) * 50e-6;
                const double off = std::abs(static_cast<double>(row.endNs) - expected);
                QVERIFY2(off < 100, qPrintable(QString::number(off)));
            }
        }
        QCOMPARE(log(read), QString());
        QVERIFY(m_record.summary.trainSeconds < 1.0);
        QCOMPARE(m_record.clocks.size(), std::size_t(1));
        const analysis::HostClock& clock = m_record.clocks.front();
        QCOMPARE(clock.host, std::string("n2"));
        QCOMPARE(clock.ranks, std::vector<std::int32_t>{1});
        QCOMPARE(clock.measurements, 2);
        QVERIFY(std::abs(clock.aheadNs - Uptime) < 1'000);
        QVERIFY2(clock.errorNs >= 30'000 && clock.errorNs < 30'100, qPrintable(QString::number(clock.errorNs)));
    }

    /// As the workbench does with those of a rank that it reaches by ssh.
    void aSampleWhoseTimesAreMovedSaysTheSame()
    {
        const wire::Message message = wire::ClockSample{{1}, 5'000, -2'000, 30, 50};
        QVERIFY(withShiftedTimes(message, 700) == wire::Message(wire::ClockSample{{1}, 5'700, -2'700, 30, 50}));
    }

    void theFileKeepsEachRanksOwnTimes()
    {
        write({.number = 0, .clocks = {{{0}, Begin, 0, 0, 0}}});
        write({.number = 1, .host = "n2", .beginNs = clockOfRankOne(Begin), .clocks = clocksOfRankOne()});
        static_cast<void>(imported());
        const auto file = Database::open(runFile(m_folder->filePath(u"store"_s), m_record.id), Access::ReadOnly);
        QVERIFY(file.isOk());
        const auto firstEndOfRankOne = [&](Times times) {
            std::int64_t end = 0;
            static_cast<void>(replayFile(
                **file,
                [&end](const Delta& delta) {
                    for (const auto& batch : delta.steps) {
                        end = batch.rank == 1 && end == 0 ? batch.what.rows.front().endNs : end;
                    }
                    return true;
                },
                times));
            return end;
        };
        QCOMPARE(firstEndOfRankOne(Times::AsStored), clockOfRankOne(Begin) + Step + 1);
        QVERIFY(std::abs(firstEndOfRankOne(Times::OfRankZero) - (Begin + Step)) < 100);
    }

    /// A copy is corrected once, as its original is.
    void aCopyIsCorrectedAsItsOriginal()
    {
        write({.number = 0, .clocks = {{{0}, Begin, 0, 0, 0}}});
        write({.number = 1, .host = "n2", .beginNs = clockOfRankOne(Begin), .clocks = clocksOfRankOne()});
        const Delta original = imported();
        const auto source = openForeignRun(runFile(m_folder->filePath(u"store"_s), m_record.id));
        QVERIFY(source.isOk());
        const QString copy = m_folder->filePath(u"copy.run"_s);
        QVERIFY(copyRun(**source, copy, {}).isOk());
        const auto file = Database::open(copy, Access::ReadOnly);
        QVERIFY(file.isOk());
        Delta copied;
        static_cast<void>(replayFile(**file, [&copied](const Delta& delta) {
            copied.append(delta);
            return true;
        }));
        QCOMPARE(copied.steps.size(), original.steps.size());
        for (std::size_t i = 0; i < copied.steps.size(); ++i) {
            QVERIFY(copied.steps[i].what == original.steps[i].what);
        }
    }

    void aHostWhoseClockIsNotToldIsNamed()
    {
        write({.number = 0});
        write({.number = 1, .host = "n2", .offsetNs = 0});
        QVERIFY(log(imported()).contains(u"cannot be compared"_s));
    }

    void ranksOfOneHostKeepTheirTimes()
    {
        write({.number = 0});
        write({.number = 1, .offsetNs = RecordedRank().offsetNs + 40});
        const Delta read = imported();
        for (const auto& batch : read.steps) {
            QCOMPARE(batch.what.rows.front().endNs, Begin + Step + batch.rank);
        }
        QCOMPARE(log(read), QString());
    }

    void aRankThatIsMissingInterrupts()
    {
        write({.number = 0});
        static_cast<void>(imported());
        QCOMPARE(m_record.status, analysis::RunStatus::Interrupted);
        QCOMPARE(m_record.message, std::string("the recording of rank 1 is not among these files"));
    }

    void anotherSpecIsRefused()
    {
        write({.number = 0});
        write({.number = 1, .spec = specText(2)});
        const auto taken = m_store->import(file(0));
        QVERIFY(!taken.isOk());
        QVERIFY(QString::fromStdString(taken.error().text()).contains(u"these files do not belong to one run"_s));
        QVERIFY(m_store->list().empty());
    }

    /// Bytes of both ranks come in pieces that cut frames, rank 1's file later than rank 0's.
    void aRecordingIsFollowedWhileItGrows()
    {
        const std::vector<RecordedRank> ranks = twoHosts();
        const std::vector<QByteArray> bytes{bytesOf(ranks[0]), bytesOf(ranks[1])};
        std::vector<qsizetype> written{0, 0};
        int calls = 0;
        bool wasSeen = false;
        const auto taken = m_store->follow(
            m_folder->filePath(u"run"_s),
            [&](const Followed& read) {
                for (const std::size_t rank : {0U, 1U}) {
                    const qsizetype more = calls < 3 + 4 * static_cast<int>(rank) ? 0 : bytes[rank].size() / 5 + 1;
                    append(static_cast<int>(rank), bytes[rank].mid(written[rank], more));
                    written[rank] = std::min(written[rank] + more, bytes[rank].size());
                }
                wasSeen = wasSeen
                    || (read.lastStep > 0 && !read.run.isEmpty() && isRunning() && written[1] < bytes[1].size());
                return ++calls < 100;
            },
            60s);
        QVERIFY2(taken.isOk(), taken ? "" : taken.error().text().c_str());
        QVERIFY(calls < 100 && wasSeen);
        const Delta followed = readBack(taken->run);
        QCOMPARE(m_record.status, analysis::RunStatus::Finished);
        const analysis::RunRecord record = m_record;
        const Delta whole = imported();
        QCOMPARE(followed.steps.size(), whole.steps.size());
        for (const std::int32_t rank : {0, 1}) {
            QVERIFY(rowsOf(followed, rank) == rowsOf(whole, rank));
        }
        QCOMPARE(log(followed), QString());
        QCOMPARE(record.clocks.size(), std::size_t(1));
        QCOMPARE(record.clocks.front().aheadNs, m_record.clocks.front().aheadNs);
        QVERIFY(record.summary.trainSeconds < 1.0);
    }

    /// Killed ranks do not say so: the others have, and nothing comes any more.
    void aRankThatSaysNothingMoreIsLost()
    {
        const std::vector<RecordedRank> ranks = twoHosts();
        append(0, bytesOf(ranks[0]));
        append(1, bytesOf(ranks[1], false));
        int calls = 0;
        const auto taken = m_store->follow(
            file(0), [&calls](const Followed&) { return ++calls < 600; }, 300ms);
        QVERIFY(taken.isOk() && calls > 2 && calls < 600);
        QCOMPARE(taken->cut, std::string());
        QCOMPARE(rowsOf(readBack(taken->run), 1).size(), std::size_t(5));
        QCOMPARE(m_record.status, analysis::RunStatus::Interrupted);
        QCOMPARE(m_record.message, std::string("the recording ends before the run does"));
        QCOMPARE(log(readBack(taken->run)), QString());
    }

    void oneThatHasEndedIsNotFollowed()
    {
        write({.number = 0});
        write({.number = 1});
        const auto taken = m_store->follow(
            file(0), [](const Followed&) { return true; }, 60s);
        QVERIFY(!taken);
        QVERIFY2(taken.error().text().ends_with("its ranks have ended; import it without --follow"),
            taken.error().text().c_str());
        QVERIFY(!isBeingRecorded(file(0)));
        QVERIFY(m_store->list().empty());
    }

    void whoStopsFollowingKeepsWhatCame()
    {
        append(0, bytesOf({.number = 0}, false));
        int calls = 0;
        const auto taken = m_store->follow(
            file(0), [&calls](const Followed&) { return ++calls < 4; }, 60s);
        QVERIFY(taken.isOk());
        QCOMPARE(rowsOf(readBack(taken->run), 0).size(), std::size_t(5));
        QCOMPARE(m_record.status, analysis::RunStatus::Interrupted);
        QCOMPARE(m_record.message, std::string("reading the recording was stopped before the run ended"));
    }

    void whatCannotBeReadOnEndsItAndTheRestStays_data()
    {
        QTest::addColumn<bool>("isBegunAgain");
        QTest::addColumn<QString>("why");
        QTest::addRow("another run begins the file again") << true << u"was begun again"_s;
        QTest::addRow("garbage follows") << false << u"is not a recording of lockstep-rank"_s;
    }
    void whatCannotBeReadOnEndsItAndTheRestStays()
    {
        QFETCH(bool, isBegunAgain);
        QFETCH(QString, why);
        append(0, bytesOf({.number = 0}, false));
        int calls = 0;
        const auto taken = m_store->follow(
            file(0),
            [&](const Followed& read) {
                if (read.lastStep > 0 && isBegunAgain) {
                    QFile(file(0)).resize(10);
                } else if (read.lastStep > 0) {
                    append(0, QByteArray(1000, '\x7f'));
                }
                return ++calls < 100;
            },
            60s);
        QVERIFY(taken.isOk() && calls < 100);
        QVERIFY2(QString::fromStdString(taken->cut).contains(why), taken->cut.english.c_str());
        QCOMPARE(rowsOf(readBack(taken->run), 0).size(), std::size_t(5));
        QCOMPARE(m_record.status, analysis::RunStatus::Interrupted);
        QVERIFY2(QString::fromStdString(m_record.message).contains(why), m_record.message.c_str());
    }

    void whatIsBeingRecorded()
    {
        QVERIFY(!isBeingRecorded(file(0)));
        append(0, bytesOf({.number = 0}, false));
        QVERIFY(isBeingRecorded(file(0)));
        QVERIFY(isBeingRecorded(m_folder->filePath(u"run"_s)));
        // The clock of a file server may be behind or ahead.
        for (const auto& [seconds, isRecent] : {std::pair(-30, true), {30, true}, {-90, false}, {90, false}}) {
            QFile changed(file(0));
            QVERIFY(changed.open(QIODevice::ReadWrite)
                && changed.setFileTime(
                    QDateTime::currentDateTime().addSecs(seconds), QFileDevice::FileModificationTime));
            QCOMPARE(isBeingRecorded(file(0)), isRecent);
        }
        QFile other(m_folder->filePath(u"curve.csv"_s));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("step,loss\n1,2.0\n") > 0 && other.flush());
        QVERIFY(!isBeingRecorded(other.fileName()));
    }

    void nothingIsStoredIfNoRankRecords()
    {
        int calls = 0;
        const auto taken = m_store->follow(
            file(0), [&calls](const Followed&) { return ++calls < 3; }, 60s);
        QVERIFY(!taken);
        QCOMPARE(taken.error().text(), "no rank has begun to record into " + file(0).toStdString());
        QVERIFY(m_store->list().empty());
    }

private:
    static std::vector<RecordedRank> twoHosts()
    {
        return {{.number = 0, .clocks = {{{0}, Begin, 0, 0, 0}}},
            {.number = 1, .host = "n2", .beginNs = clockOfRankOne(Begin), .clocks = clocksOfRankOne()}};
    }

    QString file(int rank) const { return m_folder->filePath(u"run.rank%1"_s.arg(rank)); }

    /// `hasEnded`: the last message is a Goodbye.
    static QByteArray bytesOf(const RecordedRank& rank, bool hasEnded = true)
    {
        QByteArray bytes;
        std::vector<wire::Message> messages = messagesOf(rank);
        messages.resize(messages.size() - (hasEnded ? 0 : 1));
        for (const wire::Message& message : messages) {
            const auto frame = wire::encode(message);
            bytes.append(reinterpret_cast<const char*>(frame->data()), static_cast<qsizetype>(frame->size()));
        }
        return bytes;
    }

    void append(int rank, const QByteArray& bytes)
    {
        QFile out(file(rank));
        QVERIFY(bytes.isEmpty() || (out.open(QIODevice::Append) && out.write(bytes) == bytes.size()));
    }

    void write(const RecordedRank& rank) { append(rank.number, bytesOf(rank)); }

    /// Another store on the folder sees it.
    bool isRunning() const
    {
        const auto store = RunStore::open(m_folder->filePath(u"store"_s));
        const auto runs = (*store)->list();
        return runs.size() == 1 && runs.front().status == analysis::RunStatus::Running;
    }

    static std::vector<StepRow> rowsOf(const Delta& delta, std::int32_t rank)
    {
        std::vector<StepRow> rows;
        for (const auto& batch : delta.steps) {
            if (batch.rank == rank) {
                rows.insert(rows.end(), batch.what.rows.begin(), batch.what.rows.end());
            }
        }
        return rows;
    }

    Delta imported()
    {
        const auto taken = m_store->import(file(0));
        if (!taken) {
            qWarning("%s", taken.error().text().c_str());
            return {};
        }
        return readBack(*taken);
    }

    Delta readBack(const RunId& id)
    {
        Delta all;
        m_record = *m_store->load(id);
        static_cast<void>(m_store->replay(id, [&all](const Delta& delta) {
            all.append(delta);
            return true;
        }));
        return all;
    }

    static QString log(const Delta& delta)
    {
        QString text;
        for (const auto& line : delta.logs) {
            text += QString::fromStdString(line.what.text) + u'\n';
        }
        return text;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
    analysis::RunRecord m_record;
};

LOCKSTEP_TEST(TestRecordings)
#include "test_recordings.moc"
