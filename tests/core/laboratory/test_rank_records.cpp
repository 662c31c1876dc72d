// Verdicts from records alone, as a student's process could have written them: damaged, forged, cut by a deadlock.
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/code/rank_values.h"
#include "laboratory/code/run_trial.h"
#include "program/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <array>
#include <atomic>
#include <memory>
#include <optional>

using namespace lockstep;
using namespace lockstep::laboratory;

namespace {

/// Empty: of no process, or of one that has ended.
QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr std::array Kinds{"average", "all_reduce", "sampler", "halves", "column_parallel"};

Trial trialOf(const std::vector<std::string>& records, TrialEnd how = TrialEnd::Exited)
{
    Trial trial;
    for (const std::string& each : records) {
        RankTrial& rank = trial.ranks.emplace_back();
        rank.end.how = how;
        readRecords(each, rank);
    }
    return trial;
}

std::string lineOf(const Json& json)
{
    return json.dump() + '\n';
}

std::string waitingCall(const char* name, int peer, int line, int index = 0)
{
    return lineOf({{"record", "case"}, {"case", 0}})
        + lineOf({{"record", "call"}, {"case", 0}, {"index", index}, {"name", name}, {"peer", peer}, {"tag", 0},
            {"bytes", 8}, {"line", line}, {"checksum", 1}})
        + lineOf({{"record", "wait"}, {"case", 0}, {"index", index}, {"line", line}});
}

std::string endedCall(const char* name, int peer, int bytes, int given, int left, int index = 0)
{
    return lineOf({{"record", "call"}, {"case", 0}, {"index", index}, {"name", name}, {"peer", peer}, {"tag", 0},
               {"bytes", bytes}, {"line", 9}, {"checksum", given}})
        + lineOf({{"record", "done"}, {"case", 0}, {"index", index}, {"checksum", left}});
}

std::string saidOfCase(const std::vector<std::string>& records, TrialEnd how = TrialEnd::Exited)
{
    const Trial trial = trialOf(records, how);
    const auto ranks = messagesIn(trial, 0, static_cast<int>(records.size()));
    const auto verdict = deadlockIn(trial, ranks);
    return verdict ? verdict->fault->text() : "none";
}

/// The ring's records of a world of two with right results, from the values that the task gives.
std::vector<std::string> rightRecords(const Json& cases, bool hasMessages, int received)
{
    std::vector<std::string> records(2);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto values = cases[i].at("values").get<RankValues>();
        const Values sum = sumOf(values);
        const int bytes = (cases[i].at("dtype") == "float64" ? 8 : 4) * static_cast<int>(sum.size());
        for (int rank = 0; rank < 2; ++rank) {
            const auto ofCase = [&](const std::string& lines) {
                std::string text;
                for (const QByteArray& line : QByteArray::fromStdString(lines).split('\n')) {
                    if (!line.isEmpty()) {
                        Json json = Json::parse(line.toStdString());
                        json["case"] = i;
                        text += lineOf(json);
                    }
                }
                return text;
            };
            std::string& text = records[static_cast<std::size_t>(rank)];
            text += ofCase(lineOf({{"record", "case"}}));
            if (hasMessages) {
                text += ofCase(endedCall("send", 1 - rank, bytes, 7 + rank, 7 + rank, 0)
                    + endedCall("recv", 1 - rank, bytes, 0, received - rank, 1));
            }
            text += ofCase(lineOf({{"record", "result"}, {"values", sum}}) + lineOf({{"record", "over"}}));
        }
    }
    for (std::string& text : records) {
        text += lineOf({{"record", "end"}});
    }
    return records;
}

} // namespace

class TestRankRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The look-up of a Python that does not answer ends when the check is cancelled, with all that it started.
    void theLookupOfPythonIsCancelled()
    {
        const QTemporaryDir folder;
        QFile python(folder.filePath(QStringLiteral("python3")));
        QVERIFY(python.open(QIODevice::WriteOnly));
        python.write("#!/bin/sh\n/bin/sh -c 'echo $$ > \"$0\"; exec sleep 600' \"$0.part\" &\n"
                     "while [ ! -s \"$0.part\" ]; do sleep 0.01; done\nmv \"$0.part\" \"$0.pid\"\nwait\n");
        python.close();
        QVERIFY(python.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8() + ':' + path);
        std::atomic_bool cancelled = false;
        std::optional<Result<QString>> found;
        const std::unique_ptr<QThread> thread(QThread::create([&] { found = pythonWithTorch(&cancelled); }));
        thread->start();
        QTRY_VERIFY(QFile::exists(python.fileName() + QStringLiteral(".pid")));
        cancelled = true;
        thread->wait();
        qputenv("PATH", path);
        QVERIFY(found && !found->isOk());
        QCOMPARE(found->error().text(), std::string("the check was cancelled"));
        QFile child(python.fileName() + QStringLiteral(".pid"));
        QVERIFY(child.open(QIODevice::ReadOnly));
        const QString process = QStringLiteral("/proc/%1/cmdline").arg(child.readAll().trimmed().toInt());
        QTRY_VERIFY(contentsOf(process).isEmpty());
    }

    void damagedRecordsAreWrong()
    {
        for (const char* kind : Kinds) {
            const Exercise* exercise = findExercise(kind);
            QVERIFY2(exercise != nullptr, kind);
            const Json check{{"kind", kind}};
            const auto tasks = exercise->tasks(check);
            QVERIFY(tasks.isOk());
            for (const char* records : {"", "{\"record\":\"end\"}\n", "no json\n{\"record\":\"end\"}\n",
                     "{\"record\":\"result\",\"case\":0,\"values\":[1,\"x\"]}\n{\"record\":\"end\"}\n",
                     "{\"record\":\"result\",\"case\":0,\"gradients\":[3,null]}\n{\"record\":\"end\"}\n",
                     "{\"record\":\"layer\",\"case\":0,\"parameters\":[1,{}]}\n{\"record\":\"end\"}\n",
                     "{\"record\":\"epoch\",\"case\":0,\"rank\":9,\"indices\":{}}\n{\"record\":\"end\"}\n",
                     "{\"record\":\"parameters\",\"step\":0,\"tensors\":[{\"owner\":\"a\"}]}\n{\"record\":\"end\"}\n",
                     "{\"record\":\"epoch\",\"case\":0,\"rank\":0,\"indices\":[\"nan\",1e300]}\n{\"record\":\"end\"}\n",
                     "{\"record\":\"call\",\"case\":0,\"index\":-1,\"peer\":99}\n{\"record\":\"end\"}\n"}) {
                const std::vector<std::string> all(static_cast<std::size_t>(tasks->front().ranks), records);
                const CodeVerdict verdict = exercise->judge(check, *tasks, std::vector{trialOf(all)});
                QVERIFY2(!verdict.isRight(), (std::string(kind) + ": " + records).c_str());
            }
        }
    }

    void aCircleOfWaitsIsADeadlock()
    {
        QCOMPARE(saidOfCase({waitingCall("send", 1, 5), waitingCall("send", 2, 5), waitingCall("send", 0, 6)}),
            std::string("deadlock: rank 0 (line 5) waits for rank 1 to receive; rank 1 (line 5) waits for rank 2 to "
                        "receive; rank 2 (line 6) waits for rank 0 to receive"));
        // Rank 0 waits for the circle of the others, and is no part of it.
        QCOMPARE(saidOfCase({waitingCall("recv", 1, 3), waitingCall("recv", 2, 4), waitingCall("send", 1, 8)}),
            std::string(
                "deadlock: rank 1 (line 4) waits for rank 2 to send; rank 2 (line 8) waits for rank 1 to receive"));
        const std::string over = lineOf({{"record", "case"}, {"case", 0}}) + lineOf({{"record", "over"}, {"case", 0}});
        QCOMPARE(saidOfCase({waitingCall("recv", 1, 3), over}),
            std::string("deadlock: rank 0 (line 3) waits for rank 1 to send; rank 1 has returned"));
        QCOMPARE(saidOfCase({over, over}), std::string("none"));
    }

    void aRankThatStillRunsIsNoDeadlock()
    {
        const std::string begun = lineOf({{"record", "case"}, {"case", 0}});
        QCOMPARE(saidOfCase({waitingCall("recv", 1, 3), begun}, TrialEnd::TimeLimit),
            std::string("not ended in time: rank 0 (line 3) waits for rank 1 to send"));
        // An exception comes first: the others wait because of it.
        QCOMPARE(saidOfCase({waitingCall("recv", 1, 3), begun + lineOf({{"record", "error"}, {"line", 4}})}),
            std::string("none"));
    }

    void ranksThatComputeNothingAreADeadlock()
    {
        const std::string still = lineOf({{"record", "still"}, {"line", 12}});
        const std::string idle = lineOf({{"record", "still"}, {"line", 0}});
        const auto said = [](const std::vector<std::string>& records) {
            const auto verdict = standstill(trialOf(records));
            return verdict ? verdict->fault->text() + ", line " + std::to_string(verdict->line) : "none";
        };
        QCOMPARE(said({idle, still}),
            std::string("deadlock: rank 0 runs nothing of the file; rank 1 waits in line 12, line 12"));
        QCOMPARE(said({still, idle + lineOf({{"record", "moves"}})}), std::string("none"));
        QCOMPARE(said({still, lineOf({{"record", "error"}, {"line", 4}}) + idle}), std::string("none"));
        QCOMPARE(said({still, ""}), std::string("none"));
    }

    /// The right sums are not enough: they must have come from what the other side sent.
    void resultsNeedTheMessagesOfTheOtherSide()
    {
        const Exercise* exercise = findExercise("all_reduce");
        const Json check{{"kind", "all_reduce"}, {"ranks", 2}};
        const auto tasks = exercise->tasks(check);
        const Json cases = tasks->front().input.at("cases");
        const auto verdictOf = [&](bool hasMessages, int received) {
            return exercise->judge(check, *tasks, std::vector{trialOf(rightRecords(cases, hasMessages, received))});
        };
        const CodeVerdict right = verdictOf(true, 8);
        QVERIFY2(right.isRight(), right.fault ? right.fault->text().c_str() : "");
        QVERIFY(!verdictOf(false, 8).isRight());
        const CodeVerdict forged = verdictOf(true, 5);
        QVERIFY(!forged.isRight());
        QCOMPARE(forged.fault->text(), std::string("rank 1 received other bytes than rank 0 sent"));
    }

    /// No order of additions of float32 is refused, and no wrong sum is taken for rounding.
    void roundingIsAccepted()
    {
        Random random(Seed{3});
        const RankValues values = drawnRankValues(random, 4, 200);
        Values sums;
        for (std::size_t i = 0; i < 200; ++i) {
            float sum = 0.0F;
            for (std::size_t rank = 4; rank-- > 0;) {
                sum += static_cast<float>(values[rank][i]);
            }
            sums.push_back(static_cast<double>(sum));
        }
        QVERIFY(!differingElement(sums, sumOf(values), magnitudeOf(values)).has_value());
        sums[17] *= 1.001;
        QCOMPARE(differingElement(sums, sumOf(values), magnitudeOf(values)), std::optional<std::size_t>(17));
        sums.pop_back();
        sums[17] = sumOf(values)[17];
        QCOMPARE(differingElement(sums, sumOf(values), magnitudeOf(values)), std::optional<std::size_t>(199));
    }

    void tooManyRanksAreRefused()
    {
        for (const char* kind : {"average", "all_reduce", "sampler", "column_parallel"}) {
            const auto tasks = findExercise(kind)->tasks({{"kind", kind}, {"ranks", 99}});
            QVERIFY(!tasks.isOk());
            QCOMPARE(tasks.error().subject, std::string("ranks"));
        }
    }

    void otherSeedsGiveOtherInputs()
    {
        for (const char* kind : Kinds) {
            const auto one = findExercise(kind)->tasks({{"kind", kind}, {"seed", 1}});
            const auto two = findExercise(kind)->tasks({{"kind", kind}, {"seed", 2}});
            QVERIFY2(one->front().input != two->front().input, kind);
        }
    }
};

LOCKSTEP_TEST(TestRankRecords)
#include "test_rank_records.moc"
