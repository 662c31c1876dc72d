// A student's work: what its journal keeps, which changes of it are seen, and what a kill costs.
#include "core/laboratory/laboratory_fixture.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"
#include "program/send_signal.h"
#include "program/test_class.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

namespace {

int s_syncs = 0;

const Prediction AdamIsLower{DirectionPrediction{laboratory::Direction::Lower}, "Adam adapts its steps."};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

/// The line with its own hash made again.
QByteArray rehashed(Json json)
{
    json.erase("hash");
    json["hash"] = QCryptographicHash::hash(QByteArray::fromStdString(json.dump()), QCryptographicHash::Sha256)
                       .toHex()
                       .toStdString();
    return QByteArray::fromStdString(json.dump());
}

/// What a student who knows the format does: every hash is made again.
QByteArray recomputed(const QByteArray& journal, const QByteArray& from, const QByteArray& to)
{
    QByteArray made;
    std::string previous;
    for (const QByteArray& line : journal.split('\n')) {
        if (line.isEmpty()) {
            continue;
        }
        auto json = Json::parse(QByteArray(line).replace(from, to).toStdString());
        json["previous"] = previous;
        const QByteArray again = rehashed(std::move(json));
        previous = Json::parse(again.toStdString())["hash"].get<std::string>();
        made += again + '\n';
    }
    return made;
}

/// Types numbers until it is killed, a key at least every 10 ms, and reports each.
[[noreturn]] void typeUntilKilled(const QString& store, const Laboratory& lab, int report)
{
    constexpr useconds_t BetweenKeysUs = 10'000;
    auto work = Work::open(store, lab);
    for (int number = 1; work; ++number) {
        const std::string text = std::to_string(number);
        if (!(*work)->type("why", {text, {}}) || ::write(report, &number, sizeof number) != sizeof number) {
            break;
        }
        ::usleep(BetweenKeysUs);
        QCoreApplication::processEvents();
    }
    ::_exit(1);
}

} // namespace

/// Counts those of the journal: it alone calls fdatasync.
extern "C" int fdatasync(int descriptor)
{
    ++s_syncs;
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

class TestStudentWork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_store = std::make_unique<QTemporaryDir>();
        QVERIFY(m_store->isValid());
        m_folder = workFolderOf(m_store->path(), m_lab);
        m_journal = m_folder + u"/work.jsonl"_s;
    }

    void stepsOpenInTheirOrder()
    {
        const auto opened = Work::open(m_store->path(), m_lab);
        QVERIFY2(opened.isOk(), opened.isOk() ? "" : opened.error().text().c_str());
        Work& work = **opened;
        const WorkState& state = work.state();
        QCOMPARE(state.stateOf(m_lab, "run"), StepState::Waiting);
        QVERIFY(state.hidesEstimates(m_lab, "run"));
        QVERIFY(work.specToRun("run").error().text().starts_with("predict first: guess, amount, order, curve"));
        sealAll(work);
        QCOMPARE(state.stateOf(m_lab, "run"), StepState::Ready);
        QVERIFY(!state.hidesEstimates(m_lab, "run"));
        QVERIFY(work.specToRun("run").error().text().starts_with("enter your number first"));
        QVERIFY(work.setStudents({{"Ада 李", "００７"}, {" ", ""}}).isOk());
        QCOMPARE(state.students().size(), std::size_t{1});
        QCOMPARE(experiment::expand(*work.specToRun("run"))->front().settings->train.seed, seedOf("007"));
        const RunId run = makeRunId(1'700'000'000, 1);
        QVERIFY(work.addRuns("run", {run}).isOk());
        QVERIFY(!work.addRuns("why", {run}).isOk());
        QCOMPARE(state.stateOf(m_lab, "run"), StepState::Done);
        QCOMPARE(state.missing(m_lab).size(), std::size_t{5}); // start, why, pick, claim, ring
        QVERIFY(work.setDone("start").isOk());
        QVERIFY(!work.setDone("ring").isOk()); // reading it is not enough
        QVERIFY(work.addCheck("ring", "pass\n", wrong(failureOf(verbatim("no")), 3)).isOk());
        QCOMPARE(work.state().stateOf(m_lab, "ring"), StepState::Open);
        QVERIFY(work.addCheck("ring", "pass\n", {}).isOk());
        QVERIFY(work.addClaim("claim", {ClaimKind::Less, "final_loss", "Adam", "SGD", 10.0, {}, "faster"}).isOk());
        const std::int64_t first = state.claimsOf("claim").front().entry;
        QVERIFY(work.addClaim("claim", {ClaimKind::NoDifference, "final_loss", "Adam", "GD", 0.0, {}, {}}).isOk());
        QVERIFY(work.removeClaim("claim", first).isOk());
        QVERIFY(work.type("why", {"because", {}}).isOk() && work.type("pick", {"yes", {}}).isOk());
        QVERIFY(state.missing(m_lab).empty());
    }

    /// It is offered as any other, and a hand-in without it is complete.
    void anOptionalStepIsNotMissing()
    {
        const QTemporaryDir folder;
        LabJson json = sampleDescription();
        for (LabJson& step : json["steps"]) {
            if (step["id"] == "ring") {
                step["optional"] = true;
            }
        }
        writeFolder(filesWith(json), folder.path());
        const auto lab = readLaboratory(folder.path());
        QVERIFY2(lab.isOk(), lab.isOk() ? "" : lab.error().text().c_str());
        QVERIFY(lab->find("ring")->isOptional && !lab->find("why")->isOptional);
        const auto all = WorkState().missing(m_lab);
        auto missing = WorkState().missing(*lab);
        QCOMPARE(missing.size() + 1, all.size());
        QVERIFY(std::ranges::find(missing, "ring", &Missing::step) == missing.end());
        QCOMPARE(WorkState().stateOf(*lab, "ring"), StepState::Open);
    }

    void allOfItIsThereAgain()
    {
        const QDateTime begin = QDateTime::currentDateTimeUtc();
        {
            const auto work = Work::open(m_store->path(), m_lab);
            sealAll(**work);
            QVERIFY((*work)->setStudents({{"Ada", "7"}}).isOk());
            QVERIFY((*work)->type("why", {"第一\n\"second\"", {}}).isOk());
            QVERIFY((*work)->comment("guess", "I was wrong").isOk());
        } // its end writes what was typed
        const auto work = Work::open(m_store->path(), m_lab);
        QVERIFY2(work.isOk(), work.isOk() ? "" : work.error().text().c_str());
        QVERIFY(!(*work)->journal().fault());
        QVERIFY(!(*work)->isOfOtherContent());
        const WorkState& state = (*work)->state();
        QCOMPARE(state.answerOf("why").text, std::string("第一\n\"second\""));
        QVERIFY(state.sealOf("guess")->prediction == AdamIsLower);
        QCOMPARE(state.sealOf("guess")->comments, std::vector<std::string>{"I was wrong"});
        QCOMPARE(state.sealOf("guess")->code.size(), std::size_t{8});
        const QDateTime sealed = QDateTime::fromString(QString::fromStdString(state.sealOf("guess")->at), Qt::ISODate);
        QVERIFY2(sealed >= begin && sealed <= QDateTime::currentDateTimeUtc(), state.sealOf("guess")->at.c_str());
        QCOMPARE(workFoldersIn(m_store->path()).size(), std::size_t{1});
        QVERIFY(
            Work::open(m_store->path(), m_lab).error().text().find("is open in another window") != std::string::npos);
    }

    void aDraftIsThereAgain()
    {
        const PredictionDraft number{.best = "0.5", .low = "0,4", .high = "zu viel", .reason = "一行\nzwei"};
        const PredictionDraft order{.value = OrderPrediction{{"Adam", "SGD"}}, .reason = "so"};
        {
            const auto work = Work::open(m_store->path(), m_lab);
            QVERIFY(work.isOk());
            QVERIFY((*work)->keepDraft("amount", {.best = "0."}).isOk());
            QVERIFY((*work)->keepDraft("amount", number).isOk());
            QVERIFY((*work)->keepDraft("guess", order).isOk());
            QVERIFY(!(*work)->keepDraft("why", order).isOk()); // a question
        }
        const auto again = Work::open(m_store->path(), m_lab);
        QVERIFY(again.isOk());
        QVERIFY((*again)->state().draftOf("amount") == number);
        QVERIFY((*again)->state().draftOf("guess") == order);
        QVERIFY((*again)->state().draftOf("why") == PredictionDraft());
        QVERIFY((*again)->state().sealOf("guess") == nullptr);
    }

    void aCopyStaysAsItWas()
    {
        const auto opened = Work::open(m_store->path(), m_lab);
        Work& work = **opened;
        QVERIFY(work.seal("guess", AdamIsLower).isOk());
        const auto copy = work.copy();
        const std::string before = work.journal().bytes();
        QVERIFY(work.setStudents({{"Ada", "7"}}).isOk());
        QVERIFY(work.journal().bytes() != before);
        QCOMPARE(copy->journal().bytes(), before);
        QVERIFY(copy->state().students().empty());
        QVERIFY(copy->state().sealOf("guess") != nullptr);
        QCOMPARE(copy->journal().head(), work.journal().head());
    }

    void sealedStaysAsItIs()
    {
        const auto opened = Work::open(m_store->path(), m_lab);
        Work& work = **opened;
        QVERIFY(work.seal("guess", AdamIsLower).isOk());
        QCOMPARE(work.seal("guess", AdamIsLower).error().text(), std::string("it is sealed; add a comment instead"));
        QVERIFY(!work.seal("amount", AdamIsLower).isOk());
        QVERIFY(!work.seal("amount", {NumberPrediction{2.0, 3.0, 4.0}, {}}).isOk());
        QVERIFY(!work.seal("order", {OrderPrediction{{"SGD", "Adam"}}, {}}).isOk());
        QVERIFY(!work.seal("curve", {CurvePrediction{{{2.0, 1.0}, {1.0, 1.0}}}, {}}).isOk());
        QVERIFY(work.addRuns("run", {makeRunId(1'700'000'000, 1)}).isOk());
        QVERIFY(work.seal("amount", {NumberPrediction{3.0, 3.0, 4.0}, {}}).error().text().find("has run already")
            != std::string::npos);
        QVERIFY(!work.sealAnswer("why").isOk());
        QVERIFY(work.type("why", {"so", {}}).isOk());
        QVERIFY(work.sealAnswer("why").isOk());
        QVERIFY(!work.type("why", {"or so", {}}).isOk());
        QCOMPARE(work.state().answerOf("why").text, std::string("so"));
    }

    /// The seal is on the disk, only the file beside the journal is not: what is said and what is known agree.
    void aSealIsKnownWithoutItsHead()
    {
        const auto opened = Work::open(m_store->path(), m_lab);
        Work& work = **opened;
        QVERIFY(QDir().mkpath(m_journal + u".head"_s));
        QVERIFY(!work.seal("guess", AdamIsLower).isOk());
        QVERIFY(work.state().sealOf("guess") != nullptr);
        QCOMPARE(work.seal("guess", AdamIsLower).error().text(), std::string("it is sealed; add a comment instead"));
    }

    void changesOfTheFileAreSeen_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("said");
        QTest::newRow("text") << QByteArray("\"lower\"") << QByteArray("\"higher\"")
                              << u"entry 2 of the journal was changed"_s;
        QTest::newRow("blank") << QByteArray("\"lower\",") << QByteArray("\"lower\", ")
                               << u"entry 2 of the journal was changed"_s;
        QTest::newRow("step") << QByteArray("\"step\":\"guess\"") << QByteArray("\"step\":\"order\"")
                              << u"entry 2 of the journal was changed"_s;
        QTest::newRow("kind") << QByteArray("\"comment\"") << QByteArray("\"done\"")
                              << u"entry 6 of the journal was changed"_s;
    }
    void changesOfTheFileAreSeen()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, said);
        const QByteArray journal = written();
        QVERIFY(journal.contains(from));
        write(m_journal, QByteArray(journal).replace(journal.indexOf(from), from.size(), to));
        QCOMPARE(faultNow(), said);
    }

    void timeOrderAndRemovalAreSeen()
    {
        const QByteArray journal = written();
        QList<QByteArray> lines = journal.split('\n');
        QCOMPARE(lines.takeLast(), QByteArray());
        QCOMPARE(lines.size(), 6);
        QByteArray later = lines[1];
        const qsizetype time = later.indexOf("\"at\":\"") + 6;
        later[time + 3] = later[time + 3] == '0' ? '1' : '0'; // a year
        QCOMPARE(faultWith(lines, 1, later), u"entry 2 of the journal was changed"_s);
        auto removed = lines;
        removed.removeAt(2);
        QCOMPARE(faultWith(removed),
            u"entry 3 of the journal does not follow the one before: entries were removed or moved"_s);
        auto moved = lines;
        moved.swapItemsAt(1, 2);
        QVERIFY(faultWith(moved).startsWith(u"entry 2 of the journal does not follow"_s));
        // Its end: the sealed entry 5 is known beside the journal.
        QCOMPARE(faultWith(lines.first(4)),
            u"the sealed entry 5 of the journal is missing: entries were removed or changed"_s);
        QCOMPARE(faultWith(lines.first(5)), QString()); // a comment was not sealed
        QCOMPARE(faultWith(lines), QString());
    }

    void aRecomputedChainIsSeenByItsCodes()
    {
        const QByteArray journal = written();
        const Journal honest = Journal::fromBytes(journal.toStdString());
        QVERIFY(!honest.fault());
        const std::string code
            = m_code.substr(0, 4) + "-" + QString::fromStdString(m_code.substr(4)).toLower().toStdString();
        QVERIFY(honest.hasSealCode(code));
        const Journal forged = Journal::fromBytes(recomputed(journal, "\"lower\"", "\"higher\"").toStdString());
        QCOMPARE(forged.entries().size(), honest.entries().size());
        QVERIFY(!forged.fault()); // not seen, and said so
        QVERIFY(WhatSealsShow.find("noticed only by the seal codes collected in class") != std::string_view::npos);
        QVERIFY(!forged.hasSealCode(code));
    }

    /// Who computes the chain again and leaves the file beside it.
    void aRecomputedChainIsSeenByItsHead()
    {
        write(m_journal, recomputed(written(), "\"lower\"", "\"higher\""));
        QCOMPARE(faultNow(), u"the sealed entry 5 of the journal is missing: entries were removed or changed"_s);
        QVERIFY(QFile::remove(m_journal + u".head"_s));
        QCOMPARE(faultNow(), QString()); // not seen: only the codes tell
    }

    void swappedAndRepeatedEntriesAreSeen()
    {
        const QByteArray journal = written();
        QList<QByteArray> lines = journal.split('\n');
        lines.removeLast();
        for (int i = 0; i + 1 < lines.size(); ++i) {
            auto changed = lines;
            changed.swapItemsAt(i, i + 1);
            const QString said = faultWith(changed);
            QVERIFY2(said.startsWith(u"entry %1 of the journal does not follow"_s.arg(i + 1)), qPrintable(said));
            changed = lines;
            changed.insert(i, lines[i]);
            QVERIFY(faultWith(changed).startsWith(u"entry %1 of the journal does not follow"_s.arg(i + 2)));
            changed = lines;
            changed.removeAt(i);
            QVERIFY(faultWith(changed).startsWith(u"entry %1 of the journal does not follow"_s.arg(i + 1)));
        }
        QCOMPARE(faultWith(lines), QString());
    }

    /// With its own hash made again an entry looks whole; the one after it does not follow.
    void anEntryMadeAgainAloneIsSeen()
    {
        const QByteArray journal = written();
        QList<QByteArray> lines = journal.split('\n');
        lines.removeLast();
        for (int i = 0; i + 1 < lines.size(); ++i) {
            Json json = Json::parse(lines[i].toStdString());
            json["at"] = "2020-01-01T00:00:00.000Z";
            const QString said = faultWith(lines, i, rehashed(std::move(json)));
            QVERIFY2(said.startsWith(u"entry %1 of the journal does not follow"_s.arg(i + 2)), qPrintable(said));
        }
        QCOMPARE(faultWith(lines), QString());
    }

    void aWrongNumberIsSeen()
    {
        const QByteArray journal = written();
        QVERIFY(journal.contains("\"entry\":3,"));
        write(m_journal, recomputed(journal, "\"entry\":3,", "\"entry\":7,"));
        QVERIFY2(faultNow().startsWith(u"entry 3 of the journal does not follow"_s), qPrintable(faultNow()));
    }

    void aSealIsOnTheDisk()
    {
        const auto opened = Work::open(m_store->path(), m_lab);
        const int before = s_syncs;
        QVERIFY((*opened)->type("why", {"so", {}}).isOk() && (*opened)->writeTyped().isOk());
        QCOMPARE(s_syncs, before); // typing need not wait for it
        QVERIFY((*opened)->seal("guess", AdamIsLower).isOk());
        QCOMPARE(s_syncs, before + 1);
        QVERIFY((*opened)->addRuns("run", {makeRunId(1'700'000'000, 1)}).isOk());
        QCOMPARE(s_syncs, before + 2);
    }

    void aTornLineIsDropped()
    {
        const QByteArray journal = written();
        for (const qsizetype cut : {journal.size() - 1, journal.size() - 20, journal.lastIndexOf('\n', -2) + 2}) {
            write(m_journal, journal.left(cut));
            const Journal cutShort = Journal::fromBytes(journal.left(cut).toStdString());
            QVERIFY(!cutShort.fault() && cutShort.entries().size() == 5);
            const auto work = Work::openFolder(m_folder);
            QVERIFY(work.isOk());
            QVERIFY(!(*work)->journal().fault());
            QCOMPARE((*work)->journal().entries().size(), std::size_t{5});
            QVERIFY((*work)->comment("guess", "again").isOk());
        }
        QCOMPARE(faultNow(), QString());
    }

    void aKillCostsAtMostASecondOfTyping()
    {
        for (const int keys : {3, 60, 130, 200}) {
            const int saved = savedAfterKill(keys);
            // Each key takes 10 ms or more: a hundred keys that are not saved would be a second.
            QVERIFY2(keys - saved < 100, qPrintable(u"%1 of %2"_s.arg(saved).arg(keys)));
            QVERIFY(keys < 100 || saved > 0);
        }
    }

private:
    void sealAll(Work& work)
    {
        const auto sealed = work.seal("guess", AdamIsLower);
        QVERIFY2(sealed.isOk(), sealed.isOk() ? "" : sealed.error().text().c_str());
        m_code = *sealed;
        QVERIFY(work.seal("amount", {NumberPrediction{0.1, 0.05, 0.2}, {}}).isOk());
        QVERIFY(work.seal("order", {OrderPrediction{{"Adam", "SGD", "GD"}}, {}}).isOk());
        QVERIFY(work.seal("curve", {CurvePrediction{{{1.0, 2.0}, {3.0, 0.5}}}, {}}).isOk());
    }
    /// Begin, four seals, a comment.
    QByteArray written()
    {
        const auto work = Work::open(m_store->path(), m_lab);
        sealAll(**work);
        [[maybe_unused]] const auto commented = (*work)->comment("guess", "later");
        return contentOf(m_journal);
    }
    QString faultNow()
    {
        const auto work = Work::openFolder(m_folder);
        return !work                     ? QString::fromStdString(work.error().text())
            : (*work)->journal().fault() ? QString::fromStdString((*work)->journal().fault()->text())
                                         : QString();
    }
    QString faultWith(QList<QByteArray> lines, qsizetype place = -1, const QByteArray& line = {})
    {
        if (place >= 0) {
            lines[place] = line;
        }
        write(m_journal, lines.join('\n') + '\n');
        return faultNow();
    }
    /// The last number that was saved when a program was killed after it had typed this many.
    int savedAfterKill(int keys)
    {
        const QTemporaryDir store;
        int ends[2] = {-1, -1};
        if (::pipe(ends) != 0) {
            return -1;
        }
        const pid_t child = ::fork();
        if (child == 0) {
            typeUntilKilled(store.path(), m_lab, ends[1]);
        }
        ::close(ends[1]);
        int number = 0;
        while (number < keys && ::read(ends[0], &number, sizeof number) == sizeof number) { }
        sendSignal(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        while (::read(ends[0], &number, sizeof number) == sizeof number) { } // typed meanwhile
        ::close(ends[0]);
        const auto work = Work::open(store.path(), m_lab);
        if (!work || (*work)->journal().fault()) {
            return -1'000'000;
        }
        return std::atoi((*work)->state().answerOf("why").text.c_str()) + keys - number;
    }

    const Laboratory m_lab = sampleLaboratory();
    std::unique_ptr<QTemporaryDir> m_store;
    QString m_folder;
    QString m_journal;
    std::string m_code;
};

LOCKSTEP_TEST(TestStudentWork)
#include "test_student_work.moc"
