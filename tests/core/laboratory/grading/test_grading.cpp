// Marking a class: right points for all, one line for what cannot be read, what was given by hand stays.
#include "core/laboratory/grading/class_fixture.h"
#include "core/laboratory/laboratory_fixture.h"
#include "laboratory/grading/grade_files.h"
#include "laboratory/grading/submissions.h"
#include "program/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ctime>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace lockstep::laboratory::grading;
using namespace Qt::StringLiterals;

namespace {

const std::string Essay = "The second moment divides each step, so the rate of each weight is another one.";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

} // namespace

class TestGrading : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_class = std::make_unique<MadeUpClass>(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkdir(u"in"_s));
        m_request = {};
        m_request.submissions = m_folder->filePath(u"in"_s);
        m_request.laboratories = {m_class->laboratory()};
        m_request.keys = {m_class->key()};
    }

    void aClassOfFortyIsMarked()
    {
        QVERIFY(m_class->runs().size() >= 20);
        std::vector<archive::ZipInput> handIns = regularOnes();
        addStrangeOnes(handIns);
        m_request.submissions = m_folder->filePath(u"class.zip"_s);
        QVERIFY(archive::writeZip(m_request.submissions.toStdString(), handIns).isOk());

        const std::clock_t begun = std::clock();
        QElapsedTimer clock;
        clock.start();
        const auto made = grade(m_request);
        const auto ms = clock.elapsed();
        QVERIFY2(made.isOk(), made.isOk() ? "" : made.error().text().c_str());
        qInfo("%zu hand-ins of %zu runs: %lld ms, %lld ms of them computing", handIns.size() - 1,
            m_class->runs().size(), ms, static_cast<long long>(1000 * (std::clock() - begun) / CLOCKS_PER_SEC));
        QCOMPARE(made->marks.works.size(), std::size_t{35}); // 32, the hostile name, the copy, the one without runs
        QCOMPARE(made->otherFiles.size(), std::size_t{1});
        checkRegularOnes(*made);
        checkUnread(*made);
        const WorkMarks* runless = made->marks.find(workOf(39).students);
        QCOMPARE(runless->remarks.size(), std::size_t{1});
        QCOMPARE(*runless->find("claim")->automatic, 0.0);
        QCOMPARE(made->copies.size(), std::size_t{1});
        QCOMPARE(made->copies.front().what.size(), std::size_t{2});
        const auto isOfTheFirst
            = [&](std::size_t work) { return shareStudents(made->traces[work].students, workOf(1).students); };
        QVERIFY(std::ranges::any_of(made->copies.front().works, isOfTheFirst));

        const auto& measured = made->figures.predictions.front();
        QCOMPARE(measured.predicted.at("lower"), std::size_t{34}); // those with runs
        checkPages(*made);
    }

    void whatTheHandInStatesEarnsNothing()
    {
        MadeUpWork work = workOf(1);
        work.claimHolds = false;
        auto members = m_class->members(work);
        std::string& json = members.front().content;
        for (std::size_t at = json.find("\"not_measured\""); at != std::string::npos;
             at = json.find("\"not_measured\"")) {
            json.replace(at, 14, "\"holds\"");
        }
        write("a.handin", *archive::zipped(members));
        const auto made = grade(m_request);
        QVERIFY(made.isOk());
        const StepMark* claim = made->marks.works.front().find("claim");
        QCOMPARE(*claim->automatic, 0.0);
        QCOMPARE(claim->remarks.size(), std::size_t{1});
        QCOMPARE(claim->remarks.front().english, std::string("the hand-in states holds; its runs give does_not_hold"));
    }

    void aPredictionEarnsForBeingMade()
    {
        MadeUpWork right = workOf(1);
        MadeUpWork wrong = workOf(2);
        wrong.direction = laboratory::Direction::Same;
        write("a.handin", m_class->handIn(right));
        write("b.handin", m_class->handIn(wrong));
        const auto made = grade(m_request);
        for (const WorkMarks& work : made->marks.works) {
            QCOMPARE(*work.find("guess")->automatic, 1.0);
        }
    }

    void theNewestOfAStudentCountsAndGroupsShare()
    {
        MadeUpWork first = workOf(1);
        first.students = {{"Ada", "007"}, {"Li", "8"}};
        first.pick = "no";
        write("x/y/z.handin", m_class->handIn(first));
        MadeUpWork second = first;
        second.students = {{"Ada", "007"}};
        second.pick = "yes";
        write("a.handin", m_class->handIn(second));
        auto made = grade(m_request);
        QCOMPARE(made->marks.works.size(), std::size_t{2});
        QCOMPARE(*made->marks.find({{"", "007"}})->find("pick")->automatic, 1.0);
        QCOMPARE(*made->marks.find({{"", "8"}})->find("pick")->automatic, 0.0);
        QVERIFY(made->copies.empty()); // they share a student

        // By Canvas's numbers of uploads the other one is newer.
        QVERIFY(QFile::rename(path("x/y/z.handin"), path("li_LATE_5_99_x.handin")));
        QVERIFY(QFile::rename(path("a.handin"), path("ada_4_98_x.handin")));
        made = grade(m_request);
        QCOMPARE(made->marks.works.size(), std::size_t{1});
        QVERIFY(made->marks.works.front().isLate);
        QCOMPARE(made->marks.works.front().others, std::vector<std::string>{"ada_4_98_x.handin"});
    }

    void whatWasGivenByHandStays()
    {
        write("a.handin", m_class->handIn(workOf(1)));
        Marks before = grade(m_request)->marks;
        StepMark& essay = *std::ranges::find(before.works.front().steps, "why", &StepMark::step);
        essay.byHand = {{}, {{"a figure", 1.0}, {"an interval", 0.5}}, "good", "Noether"};
        before.comments = {"See page 3"};
        QCOMPARE(before.works.front().find("why")->points(), std::optional(1.5));

        m_request.keys.front().steps["pick"].answer = "no";
        m_request.before = *parseMarks(toJson(before), MarksName);
        const auto again = grade(m_request);
        QCOMPARE(again->differences.size(), std::size_t{1});
        QCOMPARE(again->differences.front().english, std::string("1001 Student 1: pick: automatic points 0, before 1"));
        QCOMPARE(again->marks.works.front().find("why")->byHand, essay.byHand);
        QCOMPARE(again->marks.comments, before.comments);

        // A key without a step's points, and with them again.
        LaboratoryKey key = m_request.keys.front();
        m_request.keys.front().steps.erase("claim");
        m_request.before = again->marks;
        const auto without = grade(m_request);
        QCOMPARE(without->differences.size(), std::size_t{1});
        QCOMPARE(without->differences.front().english,
            std::string("1001 Student 1: claim: automatic points none, before 2"));
        m_request.keys = {key};
        m_request.before = without->marks;
        QCOMPARE(grade(m_request)->differences.front().english,
            std::string("1001 Student 1: claim: automatic points 2, before none"));

        // A later hand-in of the same student, and one that is gone.
        MadeUpWork later = workOf(1);
        later.count = rightCount();
        write("b.handin", m_class->handIn(later));
        m_request.before = again->marks;
        m_request.before->works.push_back(again->marks.works.front());
        m_request.before->works.back().students = {{"Gone", "9"}};
        const auto third = grade(m_request);
        QStringList lines;
        for (const Text& each : third->differences) {
            lines += QString::fromStdString(each.english);
        }
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0], u"1001 Student 1: the hand-in is now b.handin, before a.handin"_s);
        QCOMPARE(lines[1], u"1001 Student 1: count: automatic points 2, before 0"_s);
        QVERIFY(lines[2].startsWith(u"9 Gone: no hand-in now"_s));
        QCOMPARE(third->marks.find({{"", "9"}})->find("why")->points(), std::optional(1.5));
    }

    void twoMarkersMerge()
    {
        write("a.handin", m_class->handIn(workOf(1)));
        write("b.handin", m_class->handIn(workOf(2)));
        Marks mine = grade(m_request)->marks;
        Marks theirs = mine;
        const auto give = [](Marks& marks, std::size_t work, double points, const char* by) {
            std::ranges::find(marks.works[work].steps, "why", &StepMark::step)->byHand = {points, {}, {}, by};
        };
        give(mine, 0, 2.0, "Noether");
        give(theirs, 0, 3.0, "Gauss");
        give(theirs, 1, 1.0, "Gauss");
        m_request.before = mine;
        m_request.others = {theirs};
        const auto made = grade(m_request);
        QCOMPARE(made->conflicts.size(), std::size_t{1});
        QCOMPARE(made->conflicts.front().english,
            std::string("1001 Student 1: why: 2 points by Noether, 3 by Gauss; the first is kept"));
        QCOMPARE(made->marks.works[0].find("why")->points(), std::optional(2.0));
        QCOMPARE(made->marks.works[1].find("why")->points(), std::optional(1.0));
    }

    void pointsComeBackFromTheTableOfAnswers()
    {
        write("a.handin", m_class->handIn(workOf(1)));
        const auto made = grade(m_request);
        const auto files = *gradeFiles(*made, Names::Codes);
        QByteArray csv = std::ranges::find(files, QLatin1StringView(AnswersName), &exchange::NewFile::path)->bytes;
        QVERIFY(!csv.contains("Student 1") && csv.contains("second moment"));
        const qsizetype line = csv.indexOf(",why,");
        const qsizetype end = csv.indexOf('\n', line);
        csv.replace(end - 2, 2, ",\"2,5\",clear");
        Marks marks = made->marks;
        QVERIFY(takeAnswers(marks, csv, "Noether").isOk());
        const ByHand expected{2.5, {}, "clear", "Noether"};
        QCOMPARE(marks.works.front().find("why")->byHand, expected);
        QVERIFY(takeAnswers(marks, csv, "Gauss").isOk()); // nothing new
        QCOMPARE(marks.works.front().find("why")->byHand, expected);
        csv.replace("\"2,5\"", "many");
        QVERIFY(takeAnswers(marks, csv, "Gauss").error().text().find("is not points") != std::string::npos);
        QVERIFY(!takeAnswers(marks, "a,b\n", "Gauss").isOk());
        csv.replace("many", "1");
        csv.replace(QByteArray::fromStdString(codeOf(marks.works.front(), marks)), "nobody");
        QCOMPARE(takeAnswers(marks, csv, "Gauss")->size(), std::size_t{1}); // the row with points
    }

    void otherRevisionsNeedTheirKey()
    {
        write("a.handin", m_class->handIn(workOf(1)));
        m_request.keys.front().revision = 1;
        m_request.laboratories.front().revision = 1;
        const auto without = grade(m_request);
        QCOMPARE(without->unread.size(), std::size_t{1});
        QCOMPARE(without->unread.front().why.text(), std::string("it is of revision 2, for which no key was given"));
        m_request.keys.push_back(m_class->key());
        const auto with = grade(m_request);
        QVERIFY(with->unread.empty());
        QCOMPARE(with->marks.works.front().revision, 2);
        QCOMPARE(with->marks.works.front().remarks.front().english,
            std::string("marked by its own copy of the laboratory: revision 2 was not given"));
        m_request.keys = {m_class->key()};
        m_request.before = with->marks;
        QVERIFY(grade(m_request).isOk());
        m_request.before->laboratory = "other";
        QCOMPARE(grade(m_request).error().text(),
            "the marks are of other; the laboratory is " + with->marks.laboratory + "; choose another folder");
        m_request.before.reset();
        m_request.keys.front().laboratory = "other";
        QVERIFY(!grade(m_request).isOk());
    }

    void aLateRowAndTotalsGoThroughTheRoster()
    {
        write("a.handin", m_class->handIn(workOf(1)));
        const QByteArray rows = "ID number,Grade,Maximum Grade,Last modified (submission)\r\n"
                                "1001,,36,2026-12-02T10:00\r\n1002,,36,-\r\n";
        QFile file(m_folder->filePath(u"roster.csv"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(rows) == rows.size());
        file.close();
        Roster roster = *Roster::read(file.fileName(), {}, {});
        m_request.roster = &roster;
        m_request.deadline = QDateTime::fromString(u"2026-11-30T23:59"_s, Qt::ISODate);
        const auto made = grade(m_request);
        QVERIFY(made->marks.works.front().isLate);
        QVERIFY(fillRoster(roster, made->marks).empty());
        const QByteArray total = QByteArray::fromStdString(pointsText(2.0 * made->marks.works.front().points()));
        QByteArray expected = rows;
        QCOMPARE(*roster.bytes(), expected.replace("1001,,", "1001," + total + ","));
    }

    void marksAreRefusedByName()
    {
        const auto said = [](const char* json) { return QString::fromStdString(parseMarks(json, "m").error().text()); };
        QVERIFY(said(R"({"version":2})").contains(u"later Lockstep"_s));
        QVERIFY(said(R"({"version":1,"work":[]})").contains(u"works"_s));
        QVERIFY(said("[").contains(u"not JSON"_s));
        QVERIFY(said(R"({"version":1,"works":[{"steps":[{"of":"a"}]}]})").contains(u"of"_s));
    }

    void equalCodeAndTextAreFound()
    {
        const std::string one = "def step(self):  # mine\n    for p in self.params:\n        p -= self.lr * p.grad\n";
        const std::string two = "def step(me):\n  for w in me.weights:\n\n    w -= me.rate*w.grad # other\n";
        QCOMPARE(normalizedCode(one), normalizedCode(two));
        QVERIFY(normalizedCode(one) != normalizedCode(replaced(two, "-=", "+=")));
        QVERIFY(normalizedCode("a = '# no'") != normalizedCode("a = '# yes'"));
        const std::string quotes = QByteArray("\\\"").repeated(100'000).toStdString(); // a text without its end
        QVERIFY(normalizedCode(quotes + "\na = 1") != normalizedCode(quotes + "\na = 2"));
        QCOMPARE(normalizedText("Ａ b-C"), std::string("abc"));
    }

    /// In a class many write the same few lines: one entry, not a pair of each two.
    void whatManyHaveIsOneEntry()
    {
        std::vector<WorkTraces> works(6);
        for (std::size_t i = 0; i < works.size(); ++i) {
            works[i].students = {{"Student", std::to_string(i)}};
            works[i].code["gd"] = i < 5 ? "short" : "other";
            works[i].texts["why"] = i < 2 ? "copied" : std::to_string(i);
        }
        const auto copies = copiesIn(works);
        QCOMPARE(copies.size(), std::size_t{2});
        QCOMPARE(copies[0].works, (std::vector<std::size_t>{0, 1}));
        QCOMPARE(copies[0].what.front().english, std::string("why: equal text"));
        QCOMPARE(copies[1].works, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
    }

    void numbersAreReadAsTyped()
    {
        const Wording unit{"ms", "毫秒"};
        const auto first = [&unit](const char* text) {
            const auto readings = typedNumbers(text, unit);
            return readings.empty() ? -1.0 : readings.front();
        };
        QCOMPARE(first("1,5 ms"), 1.5);
        QCOMPARE(first(" １.5毫秒"), 1.5);
        QCOMPARE(first("2e-3"), 0.002);
        QCOMPARE(first("1,234,567"), 1'234'567.0);
        QCOMPARE(typedNumbers("1,234", unit), (std::vector<double>{1234.0, 1.234}));
        QVERIFY(typedNumbers("about 3", unit).empty() && typedNumbers("nan", unit).empty());
        QCOMPARE(pairsRight({"b", "a", "c"}, {"a", "b", "c"}), 2.0 / 3.0);
        QCOMPARE(pairsRight({}, {"a", "b"}), 0.0);
    }

private:
    /// 32 students with answers of every kind.
    std::vector<archive::ZipInput> regularOnes()
    {
        std::vector<archive::ZipInput> handIns;
        for (int i = 0; i < 32; ++i) {
            MadeUpWork work = workOf(i);
            work.pick = i % 2 == 0 ? "yes" : "no";
            work.count = i % 3 == 0 ? rightCount() : "1e9";
            work.rank = i % 4 == 0 ? std::vector<std::string>{"c", "b", "a"}
                : i % 4 == 1       ? std::vector<std::string>{"b", "a", "c"}
                                   : work.rank;
            work.claimHolds = i % 5 != 0;
            handIns.push_back({moodleName(i), m_class->handIn(work)});
        }
        return handIns;
    }
    /// Cut, no archive, hostile, of another laboratory, with another journal, a hostile name, a copy, without runs.
    void addStrangeOnes(std::vector<archive::ZipInput>& handIns)
    {
        const std::vector<archive::ZipInput> good = m_class->members(workOf(32));
        const auto with = [&good](const std::string& name, const std::string& content) {
            auto members = good;
            std::erase_if(members, [&name](const archive::ZipInput& each) { return each.name == name; });
            members.push_back({name, content});
            return *archive::zipped(members);
        };
        const std::string whole = *archive::zipped(good);
        handIns.push_back({moodleName(32), whole.substr(0, whole.size() / 2)});
        handIns.push_back({moodleName(33), "not an archive"});
        handIns.push_back({moodleName(34), with("../../evil.sh", "#!/bin/sh")});
        handIns.push_back({moodleName(35), with("laboratory.lab", R"({"laboratory":"sample"})")});
        handIns.push_back({moodleName(36),
            with("work.jsonl",
                R"({"content":{"laboratory":"other"}})"
                "\n")});
        MadeUpWork hostile = workOf(37);
        hostile.students = {{"<script>alert(1)</script>", "=1+1"}};
        hostile.why = "<img src=x onerror=alert(1)>";
        handIns.push_back({moodleName(37), m_class->handIn(hostile)});
        MadeUpWork copy = workOf(38);
        copy.runsOf = 1;
        copy.why = "  the SECOND moment divides each step - so the rate of each weight is another one";
        handIns.push_back({moodleName(38), m_class->handIn(copy)});
        auto noRuns = m_class->members(workOf(39));
        noRuns.back().content.resize(100);
        handIns.push_back({moodleName(39), *archive::zipped(noRuns)});
        handIns.push_back({"ReadMe_1_assignsubmission_file_/essay.pdf", "%PDF"});
    }
    void checkRegularOnes(const Grading& made) const
    {
        for (int i = 0; i < 32; ++i) {
            const WorkMarks* work = made.marks.find(workOf(i).students);
            QVERIFY2(work != nullptr, std::to_string(i).c_str());
            const double expected = 1.0 + 2.0 + (i % 2 == 0 ? 1.0 : 0.0) + (i % 3 == 0 ? 2.0 : 0.0)
                + (i % 4 == 0        ? 0.0
                        : i % 4 == 1 ? 2.0
                                     : 3.0)
                + (i % 5 != 0 ? 2.0 : 0.0);
            QCOMPARE(work->points(), expected);
            QCOMPARE(work->of(), 18.0);
            QCOMPARE(work->open(), std::size_t{2}); // the free text and the code
            QCOMPARE(work->find("ring")->note.english, std::string("code not run"));
            QVERIFY(work->remarks.empty());
        }
    }
    static void checkUnread(const Grading& made)
    {
        std::map<std::string, std::string> unread;
        for (const Unread& each : made.unread) {
            unread[each.file] = each.why.text();
        }
        QCOMPARE(unread.size(), std::size_t{5});
        QVERIFY(unread[moodleName(32)].find("cut short") != std::string::npos);
        QVERIFY(unread[moodleName(33)].find("not a zip archive") != std::string::npos);
        QVERIFY(unread[moodleName(34)].find("must be relative") != std::string::npos);
        QVERIFY(unread[moodleName(35)].find("its laboratory") != std::string::npos);
        QVERIFY(unread[moodleName(36)].find("journal is not of its laboratory") != std::string::npos);
    }
    static void checkPages(const Grading& made)
    {
        const auto files = gradeFiles(made, Names::Shown);
        QCOMPARE(files->size(), std::size_t{8});
        for (const exchange::NewFile& file : *files) {
            const bool hasMarkup = file.bytes.contains("<script") || file.bytes.contains("<img");
            QVERIFY2(!file.path.endsWith(u".html"_s) || !hasMarkup, qPrintable(file.path));
            QVERIFY2(!file.path.endsWith(u".csv"_s) || !file.bytes.contains("\n=1+1"), qPrintable(file.path));
        }
        QVERIFY(feedbackPage(feedbackOf(made).front())->find("<script") == std::string::npos);
    }
    [[nodiscard]] MadeUpWork workOf(int number) const
    {
        MadeUpWork work;
        work.students = {{"Student " + std::to_string(number), std::to_string(1000 + number)}};
        work.runsOf = number;
        work.why = number == 1 ? Essay : Essay + std::to_string(number);
        work.count = "1e9";
        return work;
    }
    [[nodiscard]] std::string rightCount() const
    {
        return std::to_string(*formulaValue("2*n", m_class->runs().front().spec));
    }
    static std::string moodleName(int number)
    {
        return "Student " + std::to_string(number) + "_" + std::to_string(5000 + number)
            + "_assignsubmission_file_/x.handin";
    }
    [[nodiscard]] QString path(const char* name) const
    {
        return m_request.submissions + u'/' + QLatin1StringView(name);
    }
    void write(const char* name, const std::string& bytes) const { QVERIFY(writeFile(path(name), bytes)); }

    std::unique_ptr<MadeUpClass> m_class;
    std::unique_ptr<QTemporaryDir> m_folder;
    GradeRequest m_request;
};

LOCKSTEP_TEST(TestGrading)
#include "test_grading.moc"
