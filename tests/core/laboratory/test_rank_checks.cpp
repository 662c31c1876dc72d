// Code for several ranks that students may write, run by the exercises' own runners: right code is accepted, mistakes
// are named, deadlocks are told by ranks and lines.
#include "base/names.h"
#include "core/laboratory/edited_code.h"
#include "laboratory/code/run_trial.h"
#include "program/python.h"
#include "program/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

#include <sys/wait.h>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

namespace {

const QString Root = QStringLiteral(LOCKSTEP_SOURCE_DIR);

/// `#: NAME CHECK VERDICT` and the code, or `#: NAME CHECK VERDICT BASE` and edits of BASE's code: `- ` text that it
/// has, `+ ` what stands there instead. VERDICT: `right`, the key of a mistake, or `-` for wrong without a name.
struct RankSolution {
    QString name;
    Json check;
    std::string verdict;
    QString code;
};

std::vector<RankSolution> rankSolutions()
{
    QFile file(Root + u"/tests/core/laboratory/rank_solutions.txt"_s);
    std::vector<RankSolution> all;
    std::map<QString, QString> codes;
    if (!file.open(QIODevice::ReadOnly)) {
        return all;
    }
    for (const QString& part : QString::fromUtf8(file.readAll()).split(u"#: "_s, Qt::SkipEmptyParts)) {
        const QStringList words = part.section(u'\n', 0, 0).split(u' ');
        const QString text = part.section(u'\n', 1);
        const QString code = words.size() > 3 ? editedCode(codes[words[3]], text) : text;
        codes[words[0]] = code;
        all.push_back({words[0], Json::parse(words[1].toStdString()), words[2].toStdString(), code});
    }
    return all;
}

bool writeTo(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Trial rankTrialIn(const QString& folder)
{
    Trial trial;
    const Json ends = Json::parse(bytesOf(folder + u"/ends.json"_s).toStdString());
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        const int status = ends[rank].get<int>();
        RankTrial& each = trial.ranks.emplace_back();
        each.end = WIFSIGNALED(status) ? RankEnd{TrialEnd::Signal, WTERMSIG(status)}
                                       : RankEnd{TrialEnd::Exited, WEXITSTATUS(status)};
        readRecords(bytesOf(folder + u"/rank-%1.jsonl"_s.arg(rank)).toStdString(), each);
        each.output = lastLines(bytesOf(folder + u"/rank-%1.log"_s.arg(rank)).toStdString());
    }
    return trial;
}

std::string saidOf(const CodeVerdict& verdict)
{
    std::string text = (verdict.fault ? verdict.fault->text() : "right") + " [" + verdict.mistake + "] line "
        + std::to_string(verdict.line);
    for (const std::string& line : verdict.output) {
        text += "\n    " + line;
    }
    return text;
}

} // namespace

class TestRankChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = pythonWith(u"torch"_s);
        if (!m_python.isEmpty()) {
            runSolutions();
        }
    }

    void verdicts_data()
    {
        QTest::addColumn<QString>("expected");
        for (const auto& [solution, verdict] : m_verdicts) {
            QTest::newRow(qPrintable(solution.name)) << QString::fromStdString(solution.verdict);
        }
        if (m_python.isEmpty()) {
            QTest::newRow("no Python with torch") << QString();
        }
    }
    void verdicts()
    {
        skipWithoutTorch();
        QFETCH(QString, expected);
        const auto found = std::ranges::find(
            m_verdicts, QLatin1StringView(QTest::currentDataTag()), [](const auto& each) { return each.first.name; });
        const CodeVerdict& verdict = found->second;
        QVERIFY2(verdict.isRight() == (expected == u"right"), saidOf(verdict).c_str());
        QVERIFY2(verdict.isRight() || verdict.mistake == (expected == u"-" ? "" : expected.toStdString()),
            saidOf(verdict).c_str());
        QVERIFY2(verdict.mistake.empty() == verdict.mistakeName.empty(), saidOf(verdict).c_str());
        if (qEnvironmentVariableIsSet("LOCKSTEP_SHOW_VERDICTS")) {
            qInfo("%s", saidOf(verdict).c_str());
        }
    }

    /// Of each kind at least two right solutions, and at least 40 mistakes over all.
    void eachKindIsCovered()
    {
        skipWithoutTorch();
        std::map<std::string, int> right;
        std::set<std::string> named;
        for (const auto& [solution, verdict] : m_verdicts) {
            right[solution.check.at("kind").get<std::string>()] += verdict.isRight() ? 1 : 0;
            if (!verdict.mistake.empty()) {
                named.insert(verdict.mistake);
            }
        }
        QCOMPARE(right.size(), std::size_t{5});
        for (const auto& [kind, count] : right) {
            QVERIFY2(count >= 2, kind.c_str());
        }
        QVERIFY2(named.size() >= 40, std::to_string(named.size()).c_str());
    }

    void deadlocksAreToldByRanksAndLines()
    {
        skipWithoutTorch();
        const CodeVerdict& sends = verdictOf(u"all_send_first");
        QCOMPARE(sends.fault->text(),
            std::string("deadlock: rank 0 (line 10) waits for rank 1 to receive; rank 1 (line 10) waits for rank 0 to "
                        "receive"));
        QCOMPARE(sends.line, 10);
        QCOMPARE(verdictOf(u"all_receive_first").fault->text(),
            std::string(
                "deadlock: rank 0 (line 10) waits for rank 1 to send; rank 1 (line 10) waits for rank 0 to send"));
        QCOMPARE(verdictOf(u"receive_missing").fault->text(),
            std::string("deadlock: rank 0 (line 13) waits for rank 1 to receive; rank 1 has returned"));
        QVERIFY2(
            verdictOf(u"one_rank_skips").fault->text().starts_with("deadlock: rank 1 (line 10) waits in all_reduce"),
            saidOf(verdictOf(u"one_rank_skips")).c_str());
        QVERIFY2(verdictOf(u"all_wait_for_any").fault->text().starts_with("deadlock: rank 0 (line 10) waits for any"),
            saidOf(verdictOf(u"all_wait_for_any")).c_str());
        QVERIFY2(verdictOf(u"roots_differ").fault->text().starts_with("broadcast: rank 0 names rank 1"),
            saidOf(verdictOf(u"roots_differ")).c_str());
        const CodeVerdict& raised = verdictOf(u"raises");
        QCOMPARE(raised.line, 15);
        QVERIFY2(raised.fault->text().find("ValueError: no") != std::string::npos, saidOf(raised).c_str());
    }

    void wrongShapesAreSaid()
    {
        skipWithoutTorch();
        QCOMPARE(verdictOf(u"one_layer_of_other_size").fault->text(),
            std::string("parameter_rrefs gives the shapes (5 × 6), (5), (7 × 5), (7); the net has (5 × 6), (5), (5 × "
                        "5), (5), (3 × 5), (3)"));
    }

    void aCheckRunsInProcessesOfItsOwn()
    {
        skipWithoutTorch();
        const Step step{"ring", {}, {}, CodeStep{"code/ring.py", {}, R"({"kind":"all_reduce","ranks":2})"}};
        const auto verdict = checkCode(step, codeOf(u"naive_ring"), u"ring.py"_s, {m_python, runRanksHere, nullptr});
        QVERIFY2(verdict.isOk(), verdict ? "" : verdict.error().text().c_str());
        QVERIFY2(verdict->isRight(), saidOf(*verdict).c_str());
    }

private:
    void skipWithoutTorch() const
    {
        if (m_python.isEmpty()) {
            QSKIP("no Python with torch");
        }
    }

    [[nodiscard]] const CodeVerdict& verdictOf(QStringView name) const
    {
        return std::ranges::find(m_verdicts, name, [](const auto& each) { return each.first.name; })->second;
    }

    [[nodiscard]] QByteArray codeOf(QStringView name) const
    {
        return std::ranges::find(m_verdicts, name, [](const auto& each) {
            return each.first.name;
        })->first.code.toUtf8();
    }

    /// The only part that takes time: every solution in its own folder, by its exercise's runner.
    void runSolutions()
    {
        QVERIFY(m_folder.isValid());
        Json trials = Json::array();
        const auto all = rankSolutions();
        for (const RankSolution& solution : all) {
            const Exercise* exercise = findExercise(solution.check.at("kind").get<std::string>());
            const QString folder = m_folder.filePath(solution.name);
            const auto tasks = exercise->tasks(solution.check);
            QVERIFY(tasks.isOk());
            QVERIFY2(!solution.code.isEmpty(), qPrintable(solution.name + u": an edit does not fit"_s));
            QVERIFY(QDir().mkpath(folder + u"/code"_s));
            QVERIFY(writeTo(folder + u"/code/student.py"_s, solution.code.toUtf8()));
            QVERIFY(writeTo(folder + u"/input.json"_s, QByteArray::fromStdString(tasks->front().input.dump())));
            trials.push_back(
                {{"folder", folder.toStdString()}, {"runner", exercise->runner}, {"ranks", tasks->front().ranks}});
        }
        const QString list = m_folder.filePath(u"trials.json"_s);
        QVERIFY(writeTo(list, QByteArray::fromStdString(trials.dump())));
        QElapsedTimer clock;
        clock.start();
        QProcess python;
        python.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        python.start(m_python, {Root + u"/tests/core/laboratory/run_ranks.py"_s, Root + u"/resources/python"_s, list});
        QVERIFY(python.waitForFinished(1'800'000));
        QCOMPARE(python.exitCode(), 0);
        qInfo("%d solutions in %.1f s", static_cast<int>(all.size()), static_cast<double>(clock.elapsed()) / 1e3);
        for (const RankSolution& solution : all) {
            const Exercise* exercise = findExercise(solution.check.at("kind").get<std::string>());
            const auto tasks = exercise->tasks(solution.check);
            m_verdicts.emplace_back(solution,
                exercise->judge(solution.check, *tasks, std::vector{rankTrialIn(m_folder.filePath(solution.name))}));
        }
    }

    QString m_python;
    QTemporaryDir m_folder;
    std::vector<std::pair<RankSolution, CodeVerdict>> m_verdicts;
};

LOCKSTEP_TEST(TestRankChecks)
#include "test_rank_checks.moc"
