// Marking from files to files, as the command and the window do it: what is written, kept, refused and cancelled.
#include "core/laboratory/grading/class_fixture.h"
#include "core/laboratory/laboratory_fixture.h"
#include "laboratory/grading/mark_class.h"
#include "laboratory/grading/run_again.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <memory>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace lockstep::laboratory::grading;
using namespace Qt::StringLiterals;

class TestMarkClass : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_class = std::make_unique<MadeUpClass>(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkdir(u"in"_s));
        QVERIFY(writeLaboratory(m_class->laboratory(), path("a.lab")).isOk());
        write("a.key", R"({"laboratory":"sample","revision":2,"steps":{"why":{"points":3},"pick":{"answer":"yes",
            "points":1},"ring":{"points":4}}})");
        m_task = {path("in"), {path("a.lab")}, {path("a.key")}};
        m_task.out = path("marks");
        m_task.runsCode = false;
    }

    void aClassIsMarkedAndMarkedAgain()
    {
        write("in/a.handin", m_class->handIn(workOf(1)));
        write("in/b.handin", m_class->handIn(workOf(2)));
        write("grades.csv", "ID number,Grade\r\n1001,\r\n1002,\r\n");
        m_task.roster = path("grades.csv");
        std::size_t marked = 0;
        const auto made = markClass(m_task, {{}, {[&](std::size_t done, std::size_t all) {
                                                 marked = done;
                                                 QCOMPARE(all, std::size_t{2});
                                             }}});
        QVERIFY2(made.isOk(), made.isOk() ? "" : made.error().text().c_str());
        QCOMPARE(marked, std::size_t{2});
        for (const char* name : {"marks.json", "class.html", "answers.csv", "copies.csv"}) {
            QVERIFY2(made->files.contains(path("marks/") + QLatin1StringView(name)), name);
        }
        const auto isFeedback = [](const QString& file) { return file.contains(u"/feedback/100"_s); };
        QCOMPARE(std::ranges::count_if(made->files, isFeedback), std::ptrdiff_t{2});
        QCOMPARE(read("marks/grades.csv"), QByteArray("ID number,Grade\r\n1001,1\r\n1002,1\r\n"));

        QByteArray answers = read("marks/answers.csv");
        const qsizetype line = answers.indexOf(",why,");
        answers.replace(answers.indexOf('\n', line) - 1, 1, "2,");
        write("marks/answers.csv", answers.toStdString());
        m_task.marker = "Noether";
        const auto again = markClass(m_task);
        QVERIFY2(again.isOk(), again.isOk() ? "" : again.error().text().c_str());
        QVERIFY(std::ranges::any_of(again->grading.marks.works, [](const WorkMarks& work) {
            return work.find("why")->byHand.points == 2.0 && work.find("why")->byHand.by == "Noether";
        }));
        QCOMPARE(again->grading.marks.salt, made->grading.marks.salt); // the codes stay
    }

    /// Written once in comments.csv, used by number, changed for all.
    void commentsAreUsedAgain()
    {
        write("in/a.handin", m_class->handIn(workOf(1)));
        write("marks/comments.csv", "number,comment,used\n,See page 3.,\n,\"No interval, no claim.\",\n");
        const auto made = markClass(m_task);
        QVERIFY2(made.isOk(), made.isOk() ? "" : made.error().text().c_str());
        QCOMPARE(made->grading.marks.comments, (std::vector<std::string>{"See page 3.", "No interval, no claim."}));
        QByteArray answers = read("marks/answers.csv");
        answers.insert(answers.indexOf('\n', answers.indexOf(",why,")), "{2} Else good. {7}");
        write("marks/answers.csv", answers.toStdString());
        const auto feedback = [this] {
            const QDir folder(path("marks/feedback"));
            return read(("marks/feedback/" + folder.entryList(QDir::Files).front().toStdString()).c_str());
        };
        const auto again = markClass(m_task);
        QVERIFY(again.isOk());
        QVERIFY(feedback().contains("No interval, no claim. Else good. {7}"));
        QCOMPARE(again->grading.remarks.size(), std::size_t{1}); // there is no {7}
        QByteArray bank = read("marks/comments.csv");
        QVERIFY2(bank.contains("claim.\",1\n"), bank.constData());
        write("marks/comments.csv", bank.replace("See page 3.", "-").replace("no claim", "no verdict").toStdString());
        QVERIFY(markClass(m_task).isOk());
        QVERIFY(feedback().contains("No interval, no verdict. Else good."));
        bank = read("marks/comments.csv");
        QVERIFY2(!bank.contains("page 3") && bank.contains("\n2,"), bank.constData());
    }

    void banksOfTwoMarkersAreJoined()
    {
        Marks mine{"a", {}, {"good", "short"}, {}};
        Marks theirs{"a", {WorkMarks()}, {"short", "late"}, {}};
        theirs.works.front().students = {{"Ada", "007"}};
        theirs.works.front().comment = "{1} and {2}, not {3}";
        QVERIFY(merge(mine, theirs).empty());
        QCOMPARE(mine.comments, (std::vector<std::string>{"good", "short", "late"}));
        QCOMPARE(mine.works.front().comment, std::string("{2} and {3}, not {3}"));
    }

    void codesCannotBeFoundFromNumbers()
    {
        WorkMarks work;
        work.students = {{"Ada", "007"}};
        Marks some{"a", {}, {}, newSalt()};
        Marks others{"a", {}, {}, newSalt()};
        for (int number = 0; number < 64; ++number) { // never a number for a spreadsheet, such as 00512345 or 12e45678
            work.students = {{"Ada", std::to_string(number)}};
            const std::string code = codeOf(work, some);
            QCOMPARE(code.size(), std::size_t{8});
            QVERIFY(std::ranges::all_of(code, [](char each) { return each >= 'a' && each <= 'z'; }));
        }
        QVERIFY(codeOf(work, some) != codeOf(work, others));
        QCOMPARE(parseMarks(toJson(some), "m")->salt, some.salt);
    }

    void whatIsNoneIsOneLine()
    {
        write("in/a.handin", m_class->handIn(workOf(1)));
        const auto said = [this](const MarkTask& task) {
            const auto made = markClass(task);
            return made ? u"marked"_s : QString::fromStdString(made.error().text());
        };
        MarkTask task = m_task;
        task.laboratories = {path("a.key")};
        QVERIFY2(said(task).contains(u"a.key"_s), qPrintable(said(task)));
        task = m_task;
        task.keys = {path("a.lab")};
        QVERIFY2(said(task).contains(u"a.lab"_s), qPrintable(said(task)));
        task = m_task;
        task.submissions = path("a.key");
        QVERIFY2(said(task).contains(u"a.key"_s), qPrintable(said(task)));
        task = m_task;
        task.roster = path("marks/grades.csv");
        QVERIFY2(said(task).contains(u"choose another folder"_s), qPrintable(said(task)));
        task = m_task;
        task.feedback = FeedbackFormat::Pdf;
        QVERIFY2(said(task).contains(u"draws no PDF"_s), qPrintable(said(task)));
        QFile large(path("large.csv"));
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize((qint64{64} << 20) + 1));
        task = m_task;
        task.roster = large.fileName();
        QVERIFY2(said(task).contains(u"larger than 64 MiB"_s), qPrintable(said(task)));
        QVERIFY(!QFile::exists(m_task.out));
    }

    void cancellingWritesNothing()
    {
        write("in/a.handin", m_class->handIn(workOf(1)));
        std::atomic_bool isCancelled = false;
        const auto made
            = markClass(m_task, {{}, {[&](std::size_t, std::size_t) { isCancelled = true; }, &isCancelled}});
        QVERIFY(!made.isOk() && made.error().text().starts_with("cancelled"));
        QVERIFY(!QFile::exists(m_task.out));
    }

    void severalHandInsSayHowTheNewestWasChosen()
    {
        write("in/ada_4_98_a.handin", m_class->handIn(workOf(1)));
        write("in/ada_4_99_a.handin", m_class->handIn(workOf(1)));
        const auto byClock = [this] {
            const auto made = markClass(m_task);
            return std::ranges::any_of(made->grading.marks.works.front().remarks, [](const Text& each) {
                return each.english.find("by the clock of the student's computer") != std::string::npos;
            });
        };
        QVERIFY(!byClock()); // by the LMS's numbers of the uploads
        QVERIFY(QFile::rename(path("in/ada_4_99_a.handin"), path("in/a.handin")));
        QVERIFY(byClock());
    }

    void aNameIsCutAndCodeIsReadable()
    {
        MadeUpWork work = workOf(1);
        auto members = m_class->members(work);
        members.push_back({"code/ring.py", "print('ring')\n"});
        const auto journal = std::ranges::find(members, std::string("work.jsonl"), &archive::ZipInput::name);
        QVERIFY(journal != members.end());
        const std::size_t at = journal->content.find("Student 1");
        journal->content.replace(at, 9, std::string(100'000, 'x'));
        write("in/a.handin", *archive::zipped(members));
        auto handIn = readHandIn(path("in/a.handin"));
        QVERIFY2(handIn.isOk(), handIn.isOk() ? "" : handIn.error().text().c_str());
        QVERIFY(handIn->state.students().front().name.size() <= 400);
        const auto opened = Work::forReading(*std::move(handIn));
        const QByteArray* code = opened->handedInCode("ring");
        QVERIFY(code != nullptr);
        QCOMPARE(*code, QByteArray("print('ring')\n"));
        QVERIFY(opened->handedInCode("start") == nullptr);
    }

    void runsAreChosenByIdAndByNumber()
    {
        write("in/a.handin", m_class->handIn(workOf(1)));
        write("in/b.handin", m_class->handIn(workOf(2)));
        GradeRequest request;
        request.submissions = path("in");
        request.laboratories = {m_class->laboratory()};
        request.keys = {m_class->key()};
        request.again = {"1002", "no-run"};
        auto made = grade(request);
        QCOMPARE(made->chosen.size(), m_class->runs().size());
        QCOMPARE(made->chosen.front().students.front().number, std::string("1002"));
        QCOMPARE(made->chosen.front().repeats.size(), MadeUpClass::Repeats);
        QCOMPARE(made->remarks.size(), std::size_t{1});
        request.again = {made->chosen.front().run.id.text};
        made = grade(request);
        QCOMPARE(made->chosen.size(), std::size_t{1});
        request.again.clear();
        request.againSample = 3;
        made = grade(request);
        QCOMPARE(made->chosen.size(), std::size_t{3});
        QVERIFY(made->chosen[0].file != made->chosen[1].file); // first one of each hand-in
        request.before = made->marks;
        const auto later = grade(request);
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(later->chosen[i].run.id.text, made->chosen[i].run.id.text);
        }
    }

    void aRunIsComparedWithTheHandIn()
    {
        ChosenRun chosen{"a.handin", {{"Ada", "007"}}, m_class->runs().front(), {0.5, 0.51, 0.49}};
        chosen.run.status = analysis::RunStatus::Finished;
        chosen.run.loss = {};
        for (int step = 1; step <= 20; ++step) {
            chosen.run.loss.step.push_back(step);
            chosen.run.loss.value.push_back(1.0 / step);
        }
        analysis::RunRecord again = chosen.run;
        const auto said = [&] { return QString::fromStdString(comparedRun(chosen, again).english); };
        QVERIFY2(said().endsWith(u"20 losses equal bit for bit"_s), qPrintable(said()));
        again.loss.value[14] *= 1.001; // a loss that someone changed
        QVERIFY2(said().contains(u"1 losses differ, the first at step 15"_s), qPrintable(said()));
        for (std::size_t i = 0; i < 20; ++i) { // another kind of processor: it drifts
            again.loss.value[i] *= 1.0 + 1e-6 * std::pow(1.5, static_cast<double>(i));
        }
        again.summary.finalLoss = 0.505;
        QVERIFY2(said().endsWith(u"the end in the interval of the repeats"_s), qPrintable(said()));
        again.summary.finalLoss = 0.7;
        QVERIFY2(said().contains(u"differs from step"_s), qPrintable(said()));
        again.summary.finalLoss = 0.505;
        chosen.repeats = {0.5};
        QVERIFY2(said().contains(u"one repeat gives no interval"_s), qPrintable(said()));
        again.loss.value[2] = 0.5;
        QVERIFY2(said().endsWith(u"differs from step 3 on: 0.5 here, 0.333333 in the hand-in"_s), qPrintable(said()));
        again.status = analysis::RunStatus::Failed;
        QVERIFY2(said().contains(u"not run again"_s), qPrintable(said()));
    }

    void aRunThatWouldStartAProgramIsNotRun()
    {
        ChosenRun chosen{"a.handin", {{"Ada", "007"}}, m_class->runs().front(), {}};
        chosen.run.spec.settings["rank.program"] = "touch evil";
        const auto lines = runAgain({chosen}, {});
        QCOMPARE(lines->size(), std::size_t{1});
        QVERIFY2(lines->front().english.find("rank.program") != std::string::npos, lines->front().english.c_str());
    }

private:
    [[nodiscard]] static MadeUpWork workOf(int number)
    {
        MadeUpWork work;
        work.students = {{"Student " + std::to_string(number), std::to_string(1000 + number)}};
        work.runsOf = number;
        return work;
    }
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(QLatin1StringView(name)); }
    [[nodiscard]] QByteArray read(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const char* name, const std::string& bytes) const { QVERIFY(writeFile(path(name), bytes)); }

    std::unique_ptr<MadeUpClass> m_class;
    std::unique_ptr<QTemporaryDir> m_folder;
    MarkTask m_task;
};

LOCKSTEP_TEST(TestMarkClass)
#include "test_mark_class.moc"
