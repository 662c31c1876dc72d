// Optimizers that students may write, run by the exercise's own runner: right ones are accepted, mistakes are named.
#include "core/laboratory/edited_code.h"
#include "experiment/spec.h"
#include "laboratory/code/optimizer_rules.h"
#include "laboratory/code/run_trial.h"
#include "program/python.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

namespace {

const QString Source = QStringLiteral(LOCKSTEP_SOURCE_DIR);

/// `#: NAME KIND[/FORM] VERDICT` and the code, or `#: NAME KIND[/FORM] VERDICT BASE` and edits of BASE's code (see
/// editedCode()). VERDICT: `right`, the key of a mistake, or `-` for wrong without a name.
struct Solution {
    QString name;
    Json check;
    std::string verdict;
    QByteArray code;
};

std::vector<Solution> solutions()
{
    QFile file(Source + u"/tests/core/laboratory/optimizer_solutions.txt"_s);
    std::vector<Solution> all;
    std::map<QString, QString> codes;
    if (!file.open(QIODevice::ReadOnly)) {
        return all;
    }
    for (const QString& part : QString::fromUtf8(file.readAll()).split(u"#: "_s, Qt::SkipEmptyParts)) {
        const QStringList words = part.section(u'\n', 0, 0).split(u' ');
        Json check{{"kind", "optimizer"}, {"name", words[1].section(u'/', 0, 0).toStdString()}};
        if (const QString form = words[1].section(u'/', 1); !form.isEmpty()) {
            check["form"] = form.toStdString();
        }
        const QString text = part.section(u'\n', 1);
        const QString code = words.size() > 3 ? editedCode(codes[words[3]], text) : text;
        codes[words[0]] = code;
        all.push_back({words[0], check, words[2].toStdString(), code.toUtf8()});
    }
    return all;
}

bool writeSolution(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

Trial trialIn(const QString& folder)
{
    Trial trial{{RankTrial()}, {}};
    QFile records(folder + u"/rank-0.jsonl"_s);
    if (records.open(QIODevice::ReadOnly)) {
        readRecords(records.readAll().toStdString(), trial.ranks.front());
    }
    return trial;
}

std::string described(const CodeVerdict& verdict)
{
    return (verdict.fault ? verdict.fault->text() : "right") + " [" + verdict.mistake + "] line "
        + std::to_string(verdict.line);
}

Step adamStep()
{
    return {"adam", {}, {}, CodeStep{"code/adam.py", {}, R"({"kind":"optimizer","name":"adam"})"}};
}

QByteArray solutionNamed(QStringView name)
{
    const auto all = solutions();
    const auto found = std::ranges::find(all, name, &Solution::name);
    return found == all.end() ? QByteArray() : found->code;
}

} // namespace

class TestOptimizerChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = pythonWith(u"torch"_s);
        if (!m_python.isEmpty()) {
            runSolutions();
        }
    }

    void rightOnesAreAccepted()
    {
        skipWithoutTorch();
        int count = 0;
        for (const auto& [solution, verdict] : m_verdicts) {
            if (solution.verdict == "right") {
                ++count;
                QVERIFY2(verdict.isRight(), (solution.name.toStdString() + ": " + described(verdict)).c_str());
            }
        }
        qInfo("%d right solutions", count);
        QVERIFY(count >= 10);
    }

    void mistakesAreNamed()
    {
        skipWithoutTorch();
        std::set<std::string> named;
        for (const auto& [solution, verdict] : m_verdicts) {
            if (solution.verdict != "right") {
                const std::string expected = solution.verdict == "-" ? std::string() : solution.verdict;
                const std::string what = solution.name.toStdString() + ": " + described(verdict);
                QVERIFY2(!verdict.isRight(), what.c_str());
                QVERIFY2(verdict.mistake == expected, what.c_str());
                QVERIFY2(expected.empty() || !verdict.mistakeName.empty(), what.c_str());
                if (!expected.empty()) {
                    named.insert(expected);
                }
            }
        }
        qInfo("%d mistakes", static_cast<int>(named.size()));
        QVERIFY(named.size() >= 20);
    }

    /// Each row of the table is found by at least one solution.
    void everyKnownMistakeIsTried()
    {
        skipWithoutTorch();
        for (const OptimizerRow& row : optimizerRows()) {
            for (const OptimizerMistake& mistake : row.mistakes) {
                const bool isTried = std::ranges::any_of(
                    m_verdicts, [&](const auto& each) { return each.second.mistake == mistake.key; });
                QVERIFY2(isTried, std::string(mistake.key).c_str());
            }
        }
    }

    void aCheckRunsInAProcessOfItsOwn()
    {
        skipWithoutTorch();
        const TrialOptions options{m_python, runRanksHere, nullptr};
        const auto right = checkCode(adamStep(), solutionNamed(u"guide"), u"adam.py"_s, options);
        QVERIFY2(right.isOk(), right ? "" : right.error().text().c_str());
        QVERIFY2(right->isRight(), described(*right).c_str());
        QCOMPARE(right->remark.english, std::string("the course's Adam: no bias correction, no ε"));
        const auto signs = checkCode(adamStep(), solutionNamed(u"adam_sign"), u"adam.py"_s, options);
        QVERIFY(signs.isOk());
        QCOMPARE(signs->line, 16); // of `def step`, below its decorator
        const auto wrongOne = checkCode(adamStep(), solutionNamed(u"adam_no_grad"), u"adam.py"_s, options);
        QVERIFY(wrongOne.isOk());
        QCOMPARE(wrongOne->mistake, std::string("no_grad_missing"));
        QCOMPARE(wrongOne->line, 24);
        QVERIFY(!wrongOne->output.empty());
    }

    void anEndlessLoopEndsAtTheLimit()
    {
        skipWithoutTorch();
        const Exercise* exercise = findExercise("optimizer");
        const Json check{{"kind", "optimizer"}, {"name", "sgd"}};
        auto tasks = exercise->tasks(check);
        QVERIFY(tasks.isOk());
        tasks->front().limit = std::chrono::seconds(1);
        const auto trial = runTrial(
            *exercise, tasks->front(), "while True:\n    pass\n", u"sgd.py"_s, {m_python, runRanksHere, nullptr});
        QVERIFY(trial.isOk());
        QCOMPARE(trial->ranks.front().end.how, TrialEnd::TimeLimit);
        const CodeVerdict verdict = exercise->judge(check, *tasks, std::vector{*trial});
        QVERIFY(!verdict.isRight());
    }

    void aCancelledCheckIsNoVerdict()
    {
        skipWithoutTorch();
        const std::atomic_bool cancelled = true;
        const auto verdict
            = checkCode(adamStep(), solutionNamed(u"paper"), u"adam.py"_s, {m_python, runRanksHere, &cancelled});
        QVERIFY(!verdict.isOk());
        QCOMPARE(verdict.error().text(), std::string("the check was cancelled"));
    }

    /// Records that a student could write by hand: damaged, of another shape, without an end.
    void forgedRecordsAreWrong()
    {
        const Exercise* exercise = findExercise("optimizer");
        const Json check{{"kind", "optimizer"}, {"name", "sgd"}};
        const auto tasks = exercise->tasks(check);
        QVERIFY(tasks.isOk());
        for (const char* records : {"", "{\"record\":\"end\"}\n", "not json\n{\"record\":\"end\"}\n",
                 "{\"record\":\"step\",\"values\":[1,\"x\",null]}\n{\"record\":\"end\"}\n",
                 "{\"record\":\"error\",\"line\":-5,\"what\":7}\n", "{\"record\":\"missing\",\"names\":3}\n"}) {
            Trial trial{{RankTrial()}, {}};
            readRecords(records, trial.ranks.front());
            QVERIFY2(!exercise->judge(check, *tasks, std::vector{trial}).isRight(), records);
        }
    }

    void inputsSayNothingThatIsExpected()
    {
        const auto tasks = findExercise("optimizer")->tasks({{"kind", "optimizer"}, {"name", "adam"}, {"seed", 7}});
        QVERIFY(tasks.isOk());
        const auto other = findExercise("optimizer")->tasks({{"kind", "optimizer"}, {"name", "adam"}, {"seed", 8}});
        QVERIFY(tasks->front().input != other->front().input);
        for (const auto& [name, value] : tasks->front().input.items()) {
            QVERIFY2(name == "names" || name == "overwrite" || name == "cases", name.c_str());
        }
        QVERIFY(!findExercise("optimizer")->tasks({{"kind", "optimizer"}, {"name", "sgd"}, {"form", "guide"}}).isOk());
    }

private:
    void skipWithoutTorch() const
    {
        if (m_python.isEmpty()) {
            QSKIP("no Python with torch");
        }
    }

    void runSolutions()
    {
        QVERIFY(m_folder.isValid());
        QStringList arguments{Source + u"/tests/core/laboratory/run_many.py"_s,
            Source + u"/resources/python/exercises"_s, u"optimizer"_s};
        const Exercise* exercise = findExercise("optimizer");
        const auto all = solutions();
        for (const Solution& solution : all) {
            const QString folder = m_folder.filePath(solution.name);
            const auto tasks = exercise->tasks(solution.check);
            QVERIFY(tasks.isOk());
            QVERIFY2(!solution.code.isEmpty(), qPrintable(solution.name + u": an edit does not fit"_s));
            QVERIFY(QDir().mkdir(folder));
            QVERIFY(writeSolution(folder + u"/student.py"_s, solution.code));
            QVERIFY(writeSolution(folder + u"/input.json"_s, QByteArray::fromStdString(tasks->front().input.dump())));
            arguments.append(folder);
        }
        QProcess python;
        python.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        python.start(m_python, arguments);
        QVERIFY(python.waitForFinished(300'000));
        QCOMPARE(python.exitCode(), 0);
        for (const Solution& solution : all) {
            const auto tasks = exercise->tasks(solution.check);
            m_verdicts.emplace_back(solution,
                exercise->judge(solution.check, *tasks, std::vector{trialIn(m_folder.filePath(solution.name))}));
        }
    }

    QString m_python;
    QTemporaryDir m_folder;
    std::vector<std::pair<Solution, CodeVerdict>> m_verdicts;
};

LOCKSTEP_TEST(TestOptimizerChecks)
#include "test_optimizer_checks.moc"
