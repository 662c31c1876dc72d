// Hand-ins: names of files, what is in them, what a lecturer reads, what is refused.
#include "archive/zip_writer.h"
#include "core/laboratory/laboratory_fixture.h"
#include "core/truth/truth_stores.h"
#include "exchange/bundle/zip_reader.h"
#include "laboratory/hand_in.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

class TestHandIn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(u"a.handin"_s);
    }

    void namesAreSafeOnEverySystem()
    {
        QCOMPARE(handInName({{"Ada Lovelace", " 007 "}}, m_lab), u"007-Ada-Lovelace-sample.handin"_s);
        QVERIFY(handInName({{"李小明", "２０２５００１"}}, m_lab).startsWith(u"2025001-李小明"_s));
        static const QRegularExpression Forbidden(u"[<>:\"/\\\\|?*\\x00-\\x1f]"_s);
        const std::string strange = "<b>|?*:\"..\\/\n\u202e";
        const std::string longName(500, 'x');
        std::string longChinese;
        for (int i = 0; i < 200; ++i) {
            longChinese += "李";
        }
        for (const Student& each : {Student{strange, strange}, Student{longName, longName},
                 Student{longChinese, longChinese}, Student{}, Student{"CON", ""}, Student{"😀é", "-."}}) {
            const QString name = handInName({each}, m_lab);
            QVERIFY2(!Forbidden.match(name).hasMatch() && !name.startsWith(u'.'), qPrintable(name));
            QVERIFY2(name.toUtf8().size() <= 120, qPrintable(name));
            QVERIFY2(name.endsWith(u"sample.handin"_s), qPrintable(name));
            QFile file(m_folder->filePath(name));
            QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(name));
        }
    }

    void whatWasDoneIsInIt()
    {
        writeWork();
        const auto handIn = readHandIn(m_file, "sample");
        QVERIFY2(handIn.isOk(), handIn.isOk() ? "" : handIn.error().text().c_str());
        QVERIFY(!handIn->journal.fault());
        QCOMPARE(handIn->state.students().size(), std::size_t{2});
        QCOMPARE(handIn->state.answerOf("why").text, std::string("<b>because</b>"));
        const LabJson json = LabJson::parse(handIn->json);
        QCOMPARE(json["predictions"].size(), std::size_t{1});
        QCOMPARE(json["predictions"][0]["code"].get<std::string>(), handIn->state.sealOf("guess")->code);
        QCOMPARE(json["claims"][0]["verdict"]["judgement"].get<std::string>(), std::string("not_measured"));
        QCOMPARE(json["missing"].size(), std::size_t{7}); // start, amount, order, curve, run, pick, ring
        QCOMPARE(json["students"][1]["name"].get<std::string>(), std::string("Грейс"));
    }

    /// The file as it is when it is handed in; what the student's machine said of it is listed.
    void theCodeIsInIt()
    {
        const QString storeFolder = m_folder->filePath(u"store"_s);
        const auto store = store::RunStore::open(storeFolder);
        const auto work = Work::open(storeFolder, m_lab);
        QVERIFY2(work.isOk(), work.isOk() ? "" : work.error().text().c_str());
        QVERIFY(writeTemplate(**work, "ring").isOk());
        QVERIFY(!writeTemplate(**work, "ring").isOk()); // it may be edited by now
        QVERIFY((*work)->addCheck("ring", "first", wrong(failureOf(verbatim("no")))).isOk());
        const auto draft = HandInDraft::create(**work, **store, "1");
        QVERIFY2(draft.isOk(), draft.isOk() ? "" : draft.error().text().c_str());
        QVERIFY(draft->write(m_file).isOk());
        const auto handIn = readHandIn(m_file);
        QVERIFY2(handIn.isOk(), handIn.isOk() ? "" : handIn.error().text().c_str());
        QCOMPARE(handIn->code.at("ring"), m_lab.files.at("code/ring.py"));
        QCOMPARE(handIn->state.checksOf("ring").size(), std::size_t{1});
        const LabJson json = LabJson::parse(handIn->json);
        QCOMPARE(json["code"][0]["step"].get<std::string>(), std::string("ring"));
        QCOMPARE(json["code"][0]["right"].get<bool>(), false);
        QVERIFY(draft->code() == handIn->code);
        const report::Report report = reportOf(handIn->laboratory, handIn->state, {}, handIn->code);
        const auto listing = std::ranges::find(report.blocks, "ring.code", &report::Block::key);
        QVERIFY(listing != report.blocks.end());
        QCOMPARE(std::get<report::Listing>(listing->content).text, std::string("def all_reduce(x):\n    return x"));
        QVERIFY(std::get<report::Paragraph>(std::prev(listing)->content).text.ends_with("after 1 check."));
    }

    void itsRunsOpenInAStoreOfTheirOwn()
    {
        const auto made = truthRuns(
            *std::ranges::find_if(truthTable(), [](const TruthRow& row) { return row.preset == "optimizers"; }));
        QVERIFY(made.isOk());
        const QString storeFolder = m_folder->filePath(u"store"_s);
        QVERIFY(writeTruth(*made, storeFolder).isOk());
        {
            const auto work = Work::open(storeFolder, m_lab);
            QVERIFY2(work.isOk(), work.isOk() ? "" : work.error().text().c_str());
            std::vector<RunId> ids;
            std::ranges::transform(*made, std::back_inserter(ids), [](const TruthRun& run) { return run.record.id; });
            QVERIFY((*work)->addRuns("run", ids).isOk());
            const auto store = store::RunStore::open(storeFolder);
            const auto draft = HandInDraft::create(**work, **store, "1");
            QVERIFY2(draft.isOk(), draft.isOk() ? "" : draft.error().text().c_str());
            QCOMPARE(draft->lostRuns(), std::size_t{0});
            QCOMPARE(draft->runs()->runs.size(), made->size());
            QVERIFY(draft->write(m_file).isOk());
        }
        const QString own = m_folder->filePath(u"own"_s);
        const auto handIn = openHandIn(m_file, own);
        QVERIFY2(handIn.isOk(), handIn.isOk() ? "" : handIn.error().text().c_str());
        QCOMPARE((*store::RunStore::open(own))->list().size(), made->size());
        QVERIFY(openHandIn(m_file, own).error().text().find("already exists") != std::string::npos);
        report::Source source;
        source.runs = recordsOf(*made);
        const report::Report report = reportOf(handIn->laboratory, handIn->state, source);
        const auto has = [&report](const std::string& key) {
            return std::ranges::find(report.blocks, key, &report::Block::key) != report.blocks.end();
        };
        for (const char* key : {"run.chart.loss.step", "run.chart.loss.seconds", "run.results/table:results", "why.see",
                 "why.answer", "guess.none", "claim.none", "method"}) {
            QVERIFY2(has(key), key);
        }
    }

    void theReportHasPredictionAndResult()
    {
        writeWork();
        auto handIn = readHandIn(m_file);
        report::Source source;
        source.language = report::Language::Chinese;
        source.date = "2026-11-29";
        const report::Report report = reportOf(handIn->laboratory, handIn->state, source);
        QCOMPARE(report.title, std::string("示例"));
        QCOMPARE(report.titleLines.size(), std::size_t{6}); // course, two students, date
        const auto block = [&report](const std::string& key) {
            return std::ranges::find(report.blocks, key, &report::Block::key)->content;
        };
        const auto table = std::get<report::Table>(block("guess.prediction"));
        QCOMPARE(table.rows.front().front(), std::string("lower"));
        QVERIFY(table.rows.front()[1].find("no finished runs") != std::string::npos);
        QCOMPARE(std::get<report::Question>(block("why.answer")).answer, std::string("<b>because</b>"));
        QVERIFY(std::get<report::Paragraph>(block("seals.note")).text.find("seal codes") != std::string::npos);
        QCOMPARE(std::get<report::Table>(block("seals.table")).rows.front()[3], std::string("Not run."));
        const auto placeOf = [&report](const std::string& key) {
            return std::ranges::find(report.blocks, key, &report::Block::key) - report.blocks.begin();
        };
        QVERIFY(placeOf("seals.table") < placeOf("guess")); // what a reader wants to know comes first

        source.runs = runsOf("Adam", {0.1, 0.101, 0.099});
        std::ranges::copy(runsOf("SGD", {0.2, 0.199, 0.201}), std::back_inserter(source.runs));
        Entry ran;
        ran.kind = EntryKind::Run;
        ran.step = "run";
        for (const analysis::RunRecord& run : source.runs) {
            ran.content["runs"].push_back(run.id.text);
        }
        handIn->state.take(ran);
        const report::Report after = reportOf(handIn->laboratory, handIn->state, source);
        const auto measured = std::ranges::find(after.blocks, "guess.prediction", &report::Block::key)->content;
        const std::string said = std::get<report::Table>(measured).rows.front()[1];
        QVERIFY2(said.starts_with("Holds. Last batch loss of SGD is 2.0"), said.c_str());
        const auto seals = std::ranges::find(after.blocks, "seals.table", &report::Block::key)->content;
        QVERIFY(std::get<report::Table>(seals).rows.front()[3].starts_with("19")); // made up, at second 0 of 1970
    }

    /// What an answer refers to stands right before it, and not a second time at the experiment.
    void figuresStandBeforeTheAnswer()
    {
        LabJson description = sampleDescription();
        for (LabJson& step : description["steps"]) {
            if (step["id"] == "why") {
                step["figures"] = LabJson::parse(
                    R"([{"chart": "loss"}, {"chart": "timeline"}, {"table": "results", "columns": ["final_loss"]}])");
            }
        }
        const QString folder = m_folder->filePath(u"lab"_s);
        writeFolder(filesWith(description), folder);
        const auto lab = readLaboratory(folder);
        QVERIFY2(lab.isOk(), lab.isOk() ? "" : lab.error().text().c_str());
        report::Source source;
        source.runs = runsOf("Adam", {0.1, 0.101, 0.099});
        Entry ran;
        ran.kind = EntryKind::Run;
        ran.step = "run";
        for (const analysis::RunRecord& run : source.runs) {
            ran.content["runs"].push_back(run.id.text);
        }
        WorkState state;
        state.take(ran);
        std::vector<std::string> keys;
        const report::Report report = reportOf(*lab, state, source);
        std::ranges::transform(report.blocks, std::back_inserter(keys), &report::Block::key);
        const auto answer = std::ranges::find(keys, "why.answer");
        QVERIFY(answer - keys.begin() > 3);
        QCOMPARE((std::vector<std::string>(answer - 3, answer)),
            (std::vector<std::string>{
                "why.figures/chart:loss", "why.figures/chart:timeline", "why.figures/table:results"}));
        QVERIFY(std::ranges::find(keys, "run.chart.loss.step") == keys.end());
        QVERIFY(std::ranges::find(keys, "run.chart.loss.seconds") != keys.end());
        QVERIFY(std::ranges::find(keys, "why.see") == keys.end());
    }

    /// Tables, lists and code of a step's text stay what they are; signs of emphasis and formulas are put into words.
    void textsKeepTheirForm()
    {
        Laboratory lab = m_lab;
        lab.steps.front().text.en
            = "Some *plain* text with `a*b*c` and $\\hat{m}_1$,\nin two lines.\n\n> Look at the chart.\n\n## Part\n\n"
              "| rule | `n|m` |\n| --- | ---: |\n| **GD** | 1 |\n| SGD |\n\n"
              "1. First\n   line\n2. *Second*\n\n- one\n- two\n\n```\na = 1\n  b *= 2\n```\n";
        const report::Report report = reportOf(lab, WorkState(), {});
        const auto at = [&report](int number) {
            return std::ranges::find(report.blocks, "start.text." + std::to_string(number), &report::Block::key)
                ->content;
        };
        QCOMPARE(std::get<report::Paragraph>(at(1)).text,
            std::string("Some plain text with a*b*c and m\xCC\x82_1, in two lines."));
        const auto& pieces = std::get<report::Paragraph>(at(1)).pieces;
        QCOMPARE(pieces.size(), std::size_t{5});
        QCOMPARE(pieces[1].text, std::string("plain"));
        QVERIFY(pieces[1].style == report::TextStyle::Emphasis && pieces[3].style == report::TextStyle::Code);
        QCOMPARE(std::get<report::Heading>(at(2)).level, 2); // what to do in the window is left out
        const auto table = std::get<report::Table>(at(3));
        QCOMPARE(table.header, (std::vector<std::string>{"rule", "n|m"}));
        QCOMPARE(table.isNumber, (std::vector<bool>{false, true}));
        QCOMPARE(table.rows, (std::vector<std::vector<std::string>>{{"GD", "1"}, {"SGD", ""}}));
        QCOMPARE(std::get<report::Paragraph>(at(4)).text, std::string("1. First line\n2. Second"));
        QCOMPARE(std::get<report::Sentences>(at(5)).list.back().text, std::string("two"));
        QCOMPARE(std::get<report::Listing>(at(6)).text, std::string("a = 1\n  b *= 2"));
    }

    void whatIsNoneIsNamed()
    {
        writeWork();
        QCOMPARE(saidOf(m_file, "optimizers"), u"it is a hand-in of sample, not of optimizers"_s);
        const auto archive = exchange::ZipReader::open(m_file);
        QVERIFY(archive.isOk());
        std::vector<archive::ZipInput> members;
        for (const auto& member : archive->members()) {
            members.push_back({member.name.toStdString(), archive->read(member.name, 1u << 24u)->toStdString()});
        }
        const auto saidWith = [&](const std::string& name, const std::function<void(std::string&)>& change) {
            auto changed = members;
            auto member = std::ranges::find(changed, name, &archive::ZipInput::name);
            if (member == changed.end()) {
                changed.push_back({name, {}});
                member = std::prev(changed.end());
            }
            change(member->content);
            const QString file = m_folder->filePath(u"changed.handin"_s);
            return archive::writeZip(file.toStdString(), changed) ? saidOf(file) : u"not written"_s;
        };
        QCOMPARE(
            saidWith("handin.json", [](std::string& text) { text = R"({"format":"lockstep-handin","version":2})"; }),
            u"it is a hand-in of version 2, from a later version of Lockstep; this program reads 1"_s);
        QCOMPARE(saidWith("handin.json", [](std::string& text) { text = "{}"; }), u"it is not a hand-in"_s);
        QCOMPARE(saidWith("run.sh", [](std::string&) {}), u"its file run.sh has no place in a hand-in"_s);
        QCOMPARE(saidWith("code/x/y.py", [](std::string&) {}), u"its file code/x/y.py has no place in a hand-in"_s);
        QVERIFY(saidWith("../x", [](std::string&) {}).contains(u"names must be relative"_s));
        QVERIFY(
            saidWith("laboratory.lab", [](std::string& text) { text.resize(100); }).startsWith(u"its laboratory"_s));
        QVERIFY(saidWith("work.jsonl", [](std::string& text) { text.clear(); }).startsWith(u"its journal is not of"_s));
        const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
        QVERIFY(saidWith("work.jsonl", [&deep](std::string& text) {
            text = R"({"content":)" + deep + "}\n";
        }).startsWith(u"its journal is not of"_s));
        QFile cut(m_file);
        QVERIFY(cut.resize(cut.size() / 2));
        QVERIFY(saidOf(m_file).contains(u"cut short"_s));
    }

    void aChangedJournalIsSeen()
    {
        writeWork();
        const auto archive = exchange::ZipReader::open(m_file);
        std::vector<archive::ZipInput> members;
        for (const auto& member : archive->members()) {
            QByteArray content = *archive->read(member.name, 1u << 24u);
            members.push_back({member.name.toStdString(), content.replace("because", "perhaps").toStdString()});
        }
        QVERIFY(archive::writeZip(m_file.toStdString(), members).isOk());
        const auto handIn = readHandIn(m_file);
        QVERIFY(handIn.isOk());
        QVERIFY(handIn->journal.fault()->text().ends_with("of the journal was changed"));
    }

private:
    void writeWork()
    {
        const QString storeFolder = m_folder->filePath(u"store"_s);
        const auto store = store::RunStore::open(storeFolder);
        const auto work = Work::open(storeFolder, m_lab);
        QVERIFY2(work.isOk(), work.isOk() ? "" : work.error().text().c_str());
        QVERIFY((*work)->setStudents({{"Ada", "007"}, {"Грейс", "8"}}).isOk());
        QVERIFY((*work)->seal("guess", {DirectionPrediction{laboratory::Direction::Lower}, "a reason"}).isOk());
        QVERIFY((*work)->type("why", {"<b>because</b>", {}}).isOk());
        QVERIFY((*work)->writeTyped().isOk());
        QVERIFY((*work)->addClaim("claim", {ClaimKind::Less, "final_loss", "Adam", "SGD", 10.0, {}, {}}).isOk());
        const auto draft = HandInDraft::create(**work, **store, "1");
        QVERIFY2(draft.isOk(), draft.isOk() ? "" : draft.error().text().c_str());
        QVERIFY(!draft->runs());
        QVERIFY(draft->write(m_file).isOk());
    }
    static QString saidOf(const QString& file, const std::string& expected = {})
    {
        const auto handIn = readHandIn(file, expected);
        const QString said = handIn ? QString() : QString::fromStdString(handIn.error().text());
        return said.section(u"cannot be opened: "_s, 1);
    }

    const Laboratory m_lab = sampleLaboratory();
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
};

LOCKSTEP_TEST(TestHandIn)
#include "test_hand_in.moc"
