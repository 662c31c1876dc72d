// Edits of a report: they survive new runs and change nothing that they do not name.
#include "program/test_class.h"

#include "exchange/report/edits.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::report;

namespace {

Report sample(std::initializer_list<const char*> keys)
{
    Report made;
    made.titleLines = {{"Name", ""}, {"Student number", ""}, {"Date", "2026-11-23"}};
    for (const char* key : keys) {
        made.blocks.push_back({key, Paragraph{std::string("text of ") + key}});
    }
    return made;
}

std::string keysOf(const Report& report)
{
    std::string keys;
    for (const Block& block : report.blocks) {
        keys += block.key;
    }
    return keys;
}

} // namespace

class TestReportEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noEditsChangeNothing() { QCOMPARE(keysOf(edited(sample({"a", "b", "c"}), {})), std::string("abc")); }

    void blocksAreReorderedAndLeftOut()
    {
        Edits edits;
        edits.order = {"c", "a", "b"};
        edits.leftOut = {"a"};
        QCOMPARE(keysOf(edited(sample({"a", "b", "c"}), edits)), std::string("cb"));
        QCOMPARE(arranged(sample({"a", "b", "c"}), edits).size(), std::size_t{3});
    }

    void newBlocksKeepTheirNeighbour()
    {
        Edits edits;
        edits.order = {"c", "a", "b"};
        QCOMPARE(keysOf(edited(sample({"a", "x", "b", "c", "y"}), edits)), std::string("cyaxb"));
    }

    void editsOfWhatIsGoneDoNothing()
    {
        Edits edits;
        edits.order = {"gone", "b", "a"};
        edits.texts = {{"gone", "t"}};
        edits.leftOut = {"gone too"};
        QCOMPARE(keysOf(edited(sample({"a", "b"}), edits)), std::string("ba"));
    }

    void wordsAreReplaced()
    {
        Report made = sample({"a", "b"});
        made.blocks.push_back({"q", Question{"why?", ""}});
        made.blocks.push_back({"s", Sentences{{{"kind", "One.", {}, {}}, {"kind", "Two.", {}, {}}}}});
        Edits edits;
        edits.texts = {{"a", "mine"}, {"q", "because"}, {"s", "Only one."}};
        edits.author = "Li Lei";
        const Report result = edited(made, edits);
        QCOMPARE(textOf(result.blocks[0]), std::string("mine"));
        QCOMPARE(textOf(result.blocks[1]), std::string("text of b"));
        QCOMPARE(std::get<Question>(result.blocks[2].content).text, std::string("why?"));
        QCOMPARE(std::get<Question>(result.blocks[2].content).answer, std::string("because"));
        QCOMPARE(std::get<Sentences>(result.blocks[3].content).list.size(), std::size_t{1});
        QCOMPARE(result.titleLines[0].text, std::string("Li Lei"));
        QCOMPARE(result.titleLines[2].text, std::string("2026-11-23"));
        QCOMPARE(textOf(made.blocks[3]), std::string("One.\nTwo."));
    }

    void theyAreKeptAsJson()
    {
        Edits edits;
        edits.order = {"b", "a"};
        edits.leftOut = {"a"};
        edits.texts = {{"b", "\"<中文>\"\n"}};
        edits.number = "42";
        const auto read = parseEdits(toJson(edits));
        QVERIFY(read.isOk());
        QVERIFY(*read == edits);
        for (const char* bad : {"", "[]", R"({"version": 2})", R"({"version": 1, "order": 3})"}) {
            QVERIFY2(!parseEdits(bad), bad);
        }
    }

    void questionsWithoutAnAnswerAreNotPrinted()
    {
        Report report;
        report.blocks = {{"a", Heading{1, "Result"}}, {"a/text", Paragraph{"It fell."}}, {"b", Heading{1, "Analysis"}},
            {"b/question", Question{"Why?", {}}}, {"b/question#2", Question{"How?", {}}}, {"c", Heading{1, "Appendix"}},
            {"c/text", Paragraph{"lockstep run"}}};
        QCOMPARE(unansweredIn(report), 2);
        Report one = report;
        std::get<Question>(one.blocks[4].content).answer = "By steps.";
        dropUnanswered(one);
        QCOMPARE(one.blocks.size(), std::size_t{6});
        QCOMPARE(one.blocks[3].key, std::string("b/question#2"));
        dropUnanswered(report);
        QCOMPARE(report.blocks.size(), std::size_t{4}); // the heading has gone with its questions
        QCOMPARE(report.blocks[2].key, std::string("c"));
    }

    void sectionsOfTheUsersOwnComeBeforeTheQuestions()
    {
        Section own;
        own.id = "own-0";
        own.content.emplace_back().kind = ItemKind::Chart;
        own.content.front().name = "timeline";
        const Template which = *builtInTemplate("optimizers");
        const Template made = withAdded(which, {toJson(own), "{"});
        QCOMPARE(made.sections.size(), which.sections.size() + 1);
        const auto place = std::ranges::find(made.sections, "own-0", &Section::id);
        QVERIFY(place != made.sections.end() && (place + 1)->id == "analysis");
        Edits edits;
        edits.added = {toJson(own)};
        QVERIFY(*parseEdits(toJson(edits)) == edits);
        QVERIFY(parseEdits(R"({"version": 1, "order": [], "left_out": [], "texts": {}, "author": "", "number": ""})")
                    .isOk()); // of before
    }
};

LOCKSTEP_TEST(TestReportEdits)
#include "test_report_edits.moc"
