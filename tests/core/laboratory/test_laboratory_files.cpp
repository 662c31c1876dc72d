// Laboratories as files: what is read, what is refused and in which words, seeds, handing out, schema and page.
#include "analysis/figures/figure.h"
#include "archive/zip_writer.h"
#include "core/laboratory/laboratory_fixture.h"
#include "laboratory/read_laboratory.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

namespace {

/// Changes one thing of the sample; and what must be said of it.
struct BadLaboratory {
    const char* name;
    std::function<void(LabJson&)> change;
    const char* said;
};

LabJson& stepIn(LabJson& json, const std::string& id)
{
    return *std::ranges::find_if(json["steps"], [&id](const LabJson& step) { return step.value("id", "") == id; });
}

/// The spec of the preset with these settings, in the preset's place.
void setBase(LabJson& json, const LabJson& settings)
{
    LabJson spec = LabJson::parse(experiment::toJson(*experiment::preset("optimizers")));
    spec["base"].update(settings);
    stepIn(json, "run").erase("preset");
    stepIn(json, "run")["experiment"] = spec;
}

/// Names of figures that there are not.
std::vector<BadLaboratory> badFigures()
{
    return {
        {"figure of a question", [](LabJson& json) { stepIn(json, "why")["about"]["figure"] = "final_los"; },
            "steps.why.about.figure: there is no figure final_los; did you mean final_loss?"},
        {"chart of an experiment",
            [](LabJson& json) {
                setBase(json, {{"train.epochs", 2}});
                stepIn(json, "run")["experiment"]["charts"] = {"speedup"};
            },
            "steps.run.experiment.charts: there is no chart speedup; did you mean speed-up?"},
        {"chart before an answer",
            [](LabJson& json) { stepIn(json, "why")["figures"] = LabJson::parse(R"([{"chart": "curve"}])"); },
            "steps.why.figures.chart: \"curve\" is not one of loss"},
        {"column before an answer",
            [](LabJson& json) {
                stepIn(json, "why")["figures"] = LabJson::parse(R"([{"table": "results", "columns": ["speedup"]}])");
            },
            "steps.why.figures.columns: there is no figure speedup; did you mean speed_up?"},
        {"figure that no chart draws",
            [](LabJson& json) {
                stepIn(json, "why")["figures"] = LabJson::parse(R"([{"chart": "parameter", "choice": "staleness"}])");
            },
            "steps.why.figures.choice: the chart draws no figure staleness"},
        {"neither chart nor table",
            [](LabJson& json) { stepIn(json, "why")["figures"] = LabJson::parse(R"([{"x": "step"}])"); },
            "steps.why.figures: each needs either a chart or a table"},
        {"figures of no experiment",
            [](LabJson& json) { stepIn(json, "pick")["figures"] = LabJson::parse(R"([{"chart": "loss"}])"); },
            "steps.pick.figures: it needs about"},
    };
}

std::vector<BadLaboratory> badFields()
{
    return {
        {"later version", [](LabJson& json) { json["version"] = 2; }, "from a later version of Lockstep"},
        {"unknown field", [](LabJson& json) { json["tilte"] = 1; }, "there is no field tilte; did you mean title?"},
        {"unknown field of a step", [](LabJson& json) { stepIn(json, "why")["unti"] = "ms"; },
            "steps.why: there is no field unti; did you mean unit?"},
        {"unknown kind", [](LabJson& json) { stepIn(json, "why")["kind"] = "quiz"; }, "its kind is not one of text"},
        {"missing field", [](LabJson& json) { json.erase("revision"); }, "the field revision is missing"},
        {"id", [](LabJson& json) { json["id"] = "../x"; }, "\"../x\" is not an id"},
        {"id twice", [](LabJson& json) { stepIn(json, "pick")["id"] = "why"; }, "another step has this id"},
        {"no experiment", [](LabJson& json) { stepIn(json, "guess")["of"]["step"] = "why"; },
            "why is not an experiment step"},
        {"figure", [](LabJson& json) { stepIn(json, "guess")["of"]["figure"] = "final_los"; },
            "there is no figure final_los; did you mean final_loss?"},
        {"variant", [](LabJson& json) { stepIn(json, "guess")["of"]["variant"] = "adam"; },
            "the experiment has no variant \"adam\"; it has: GD, SGD, Adam"},
        {"prediction after", [](LabJson& json) { std::swap(stepIn(json, "guess"), stepIn(json, "run")); },
            "a prediction stands before its experiment, run"},
        {"time", [](LabJson& json) { stepIn(json, "amount")["of"]["figure"] = "ms_per_step_typical"; },
            "differs from machine to machine"},
        {"axis of a sweep", [](LabJson& json) { stepIn(json, "curve")["of"]["x"] = "bytes"; },
            "steps.curve.of.x: the axis bytes is of the chart sweep"},
        {"sweep without its axis", [](LabJson& json) { stepIn(json, "curve")["of"]["chart"] = "sweep"; },
            "steps.curve.of.x: the axis bytes is of the chart sweep"},
        {"direction without other", [](LabJson& json) { stepIn(json, "guess")["of"].erase("against"); },
            "steps.guess.of.against: it is missing"},
        {"program",
            [](LabJson& json) {
                setBase(json, {{"strategy.name", "own"}, {"rank.program", "python3 x.py"}});
            },
            "it sets rank.program; a laboratory may not set programs, paths and interfaces"},
        {"path",
            [](LabJson& json) {
                setBase(json, {{"checkpoint.path", "/tmp/x"}, {"checkpoint.every", 10}});
            },
            "it sets checkpoint.path"},
        {"fault",
            [](LabJson& json) {
                setBase(json, {{"strategy.name", "data"}, {"world_size", 2}, {"fault.skip_collective", 3}});
            },
            "only a step that hides fault. may set faults"},
        {"free path", [](LabJson& json) { stepIn(json, "run")["free"] = {"dataset.path"}; },
            "dataset.path may not be free"},
        {"free and varied", [](LabJson& json) { stepIn(json, "run")["free"] = {"optimizer.lr"}; },
            "optimizer.lr may not be free: the variants set it"},
        {"variant of a question", [](LabJson& json) { stepIn(json, "why")["about"]["variant"] = "RMSprop"; },
            "steps.why.about.variant: the experiment has no variant \"RMSprop\""},
        {"preset", [](LabJson& json) { stepIn(json, "run")["preset"] = "optimisers"; },
            "there is no preset optimisers"},
        {"choices", [](LabJson& json) { stepIn(json, "pick").erase("choices"); }, "it needs at least two choices"},
        {"template", [](LabJson& json) { stepIn(json, "ring")["template"] = "code/none.py"; },
            "code/none.py is not a file in its folder code"},
        {"optional prediction", [](LabJson& json) { stepIn(json, "guess")["optional"] = true; },
            "steps.guess.optional: its experiment run is not optional"},
        {"optional without a value", [](LabJson& json) { stepIn(json, "why")["optional"] = "yes"; },
            "steps.why.optional: \"yes\" is not true or false"},
        {"html in a title", [](LabJson& json) { json["title"]["en"] = "<img src=x onerror=y>"; }, "it has HTML"},
    };
}

std::vector<BadLaboratory> badLaboratories()
{
    std::vector<BadLaboratory> all = badFields();
    const std::vector<BadLaboratory> ofFigures = badFigures();
    all.insert(all.end(), ofFigures.begin(), ofFigures.end());
    return all;
}

} // namespace

class TestLaboratoryFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void aFolderAndItsFileAreEqual()
    {
        const QString folder = written(sampleFiles());
        const auto read = readLaboratory(folder);
        QVERIFY2(read.isOk(), read.isOk() ? "" : read.error().text().c_str());
        QCOMPARE(read->steps.size(), std::size_t{10});
        QCOMPARE(read->revision, 2);
        QCOMPARE(read->find("guess")->as<PredictionStep>()->of.against, std::string("SGD"));
        QCOMPARE(read->experiment("run")->spec.variants.size(), std::size_t{3});
        QVERIFY(read->find("why")->text.zh.starts_with("# Text"));
        const QString file = m_folder.filePath(u"sample.lab"_s);
        QVERIFY(writeLaboratory(*read, file).isOk());
        const auto again = readLaboratory(file);
        QVERIFY2(again.isOk(), again.isOk() ? "" : again.error().text().c_str());
        QCOMPARE(again->sha256, read->sha256);
        QVERIFY(checkLaboratory(file).remarks.empty());
        const auto relative = readLaboratory(QDir::current().relativeFilePath(folder));
        QVERIFY2(relative.isOk(), relative.isOk() ? "" : relative.error().text().c_str());
        QCOMPARE(relative->sha256, read->sha256);
    }

    void whatIsWrongIsOneLine_data()
    {
        QTest::addColumn<int>("place");
        const auto all = badLaboratories();
        for (std::size_t i = 0; i < all.size(); ++i) {
            QTest::newRow(all[i].name) << static_cast<int>(i);
        }
    }
    void whatIsWrongIsOneLine()
    {
        QFETCH(int, place);
        const BadLaboratory bad = badLaboratories()[static_cast<std::size_t>(place)];
        LabJson json = sampleDescription();
        bad.change(json);
        const auto read = readLaboratory(written(filesWith(json)));
        QVERIFY(!read.isOk());
        const QString line = QString::fromStdString(read.error().text());
        QVERIFY2(line.contains(QLatin1String(bad.said)), qPrintable(line));
        QVERIFY(!line.contains(u'\n'));
    }

    void whatIsAboutAnOptionalStepIsOptional()
    {
        LabJson json = sampleDescription();
        for (const char* id : {"guess", "amount", "order", "curve", "run", "claim"}) {
            stepIn(json, id)["optional"] = true;
        }
        const auto check = checkLaboratory(written(filesWith(json)));
        QVERIFY2(check.isOk(), check.errors.empty() ? "" : check.errors.front().text().c_str());
        QCOMPARE(check.remarks.size(), std::size_t{1});
        QCOMPARE(check.remarks.front().text(),
            std::string("steps.why.optional: it is not optional, but its experiment run is"));
    }

    void textsAreMarkdownWithOwnPictures()
    {
        LabFiles files = sampleFiles();
        files[u"texts/why.en.md"_s] = "Look: <script>alert(1)</script>";
        QVERIFY(saidOf(files).contains(u"texts/why.en.md: it has HTML, <script>"_s));
        files[u"texts/why.en.md"_s] = "![x](https://example.org/spy.png)";
        QVERIFY(saidOf(files).contains(u"the picture https://example.org/spy.png is not in its folder pictures"_s));
        files[u"texts/why.en.md"_s] = "A link: <https://example.org>, 1 < 2, `<b>` and\n```\n<b>\n```\n";
        QCOMPARE(saidOf(files), QString());
        files.erase(u"texts/why.en.md"_s);
        QCOMPARE(saidOf(files), QString()); // Chinese is complete
        files.erase(u"texts/why.zh.md"_s);
        QVERIFY(saidOf(files).contains(u"one language must be complete"_s));
    }

    void otherFilesAreNamed()
    {
        LabFiles files = sampleFiles();
        files[u"run.sh"_s] = "echo";
        QVERIFY(saidOf(files).contains(u"its file run.sh has no place in a laboratory"_s));
        QVERIFY(saidOfPath(m_folder.filePath(u"none"_s)).contains(u"there is no such file"_s));
        const QString key = m_folder.filePath(u"sample.key"_s);
        writeTo(key, R"({"laboratory": "sample", "revision": 2, "steps": {}})");
        QVERIFY(saidOfPath(key).contains(u"it is the key of a laboratory"_s));
        writeTo(m_folder.filePath(u"x.lab"_s), "no zip");
        QVERIFY(saidOfPath(m_folder.filePath(u"x.lab"_s)).contains(u"it is not a laboratory"_s));
    }

    void archivesAreReadWithCare()
    {
        const QString file = m_folder.filePath(u"hostile.lab"_s);
        QVERIFY(saidOfMembers({{"../evil.json", "{}"}}).contains(u"names must be relative"_s));
        QVERIFY(saidOfMembers({{"laboratory.json", "{}"}, {"key.json", "{}"}}).contains(u"it has its key, key.json"_s));
        QVERIFY(saidOfMembers({{"handin.json", "{}"}}).contains(u"it is a hand-in, not a laboratory"_s));
        QVERIFY(saidOfMembers({{"bundle.json", "{}"}}).contains(u"it is a bundle of runs"_s));
        QVERIFY(saidOfMembers({{"laboratory.json", std::string((1u << 20u) + 1, ' ')}}).contains(u"bytes allowed"_s));
        QVERIFY(saidOfMembers({{"laboratory.json", "[]"}}).contains(u"its laboratory.json is not JSON"_s));
        QVERIFY(
            saidOfMembers({{"laboratory.json", "{\"id\": 1,\n \"x\" 2}"}}).contains(u"not JSON: line 2, column 6"_s));
        const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
        QVERIFY(saidOfMembers({{"laboratory.json", R"({"id": )" + deep + "}"}}).contains(u"is not JSON"_s));
        QVERIFY(writeLaboratory(sampleLaboratory(), file).isOk());
        QFile cut(file);
        QVERIFY(cut.resize(cut.size() / 2));
        QVERIFY(saidOfPath(file).contains(u"cut short"_s));
    }

    void seedsAreSpreadAndKeepZeros()
    {
        QVERIFY(seedOf("007") != seedOf("7"));
        QCOMPARE(seedOf(" 007 "), seedOf("007"));
        QCOMPARE(seedOf("００７"), seedOf("007")); // full-width digits: NFKC
        QCOMPARE(seedOf(""), std::int64_t{0});
        std::set<std::int64_t> seeds;
        std::int64_t closest = std::numeric_limits<std::int64_t>::max();
        for (int number = 20'250'001; number < 20'250'301; ++number) {
            const std::int64_t seed = seedOf(std::to_string(number));
            QVERIFY(seed >= 0 && seed < (std::int64_t{1} << 31));
            seeds.insert(seed);
        }
        for (auto seed = std::next(seeds.begin()); seed != seeds.end(); ++seed) {
            closest = std::min(closest, *seed - *std::prev(seed));
        }
        QCOMPARE(seeds.size(), std::size_t{300});
        QVERIFY2(closest > 3, "repeats add to a seed: those of neighbours must not meet");
    }

    void theSpecIsLocked()
    {
        const Laboratory lab = sampleLaboratory();
        const Step& run = *lab.find("run");
        const auto spec = specOf(run, "007");
        QVERIFY(spec.isOk());
        const auto runs = experiment::expand(*spec);
        QCOMPARE(runs->front().settings->train.seed, seedOf("007"));
        QVERIFY(!specOf(run, " ").isOk());
        const experiment::Override batch{"train.batch", "16"};
        QVERIFY(specOf(run, "1", {&batch, 1}).isOk());
        const experiment::Override epochs{"train.epochs", "1"};
        const auto refused = specOf(run, "1", {&epochs, 1});
        QCOMPARE(refused.error().text(), std::string("train.epochs: the laboratory has locked it; free: train.batch"));
    }

    void keysAreChecked()
    {
        LabFiles files = sampleFiles();
        const auto saidOfKey = [&](const char* steps) {
            files[u"key.json"_s] = QByteArray(R"({"laboratory": "sample", "revision": 2, "steps": )") + steps + "}";
            const auto check = checkLaboratory(written(files));
            return check.errors.empty() ? QString() : QString::fromStdString(check.errors.front().text());
        };
        QCOMPARE(saidOfKey(R"({"pick": {"answer": "yes", "points": 2}, "why": {"rubric": {"en": "x"}}})"), QString());
        QVERIFY(saidOfKey(R"({"pick": {"answer": "maybe"}})").contains(u"the answer maybe is no choice"_s));
        QVERIFY(saidOfKey(R"({"none": {}})").contains(u"key.steps.none: the laboratory has no such step"_s));
        QVERIFY(saidOfKey(R"({"pick": {"anwser": "yes"}})").contains(u"did you mean answer?"_s));
        QVERIFY(saidOfKey(R"({"pick": {"answer": "yes", "tolerance": 5}})").contains(u"its tolerance 5"_s));
        LabJson json = sampleDescription();
        stepIn(json, "ring")["check"] = {{"kind", "later"}};
        files = filesWith(json);
        QCOMPARE(saidOfKey(R"({"ring": {"rubric": {"en": "x"}}})"), QString()); // marked by hand
        QVERIFY(saidOfKey(R"({"ring": {"points": 2}})").contains(u"key.steps.ring: its points cannot be given"_s));
    }

    void hugeAndActiveFilesAreNamed()
    {
        LabJson json = sampleDescription();
        for (int i = 0; i < 10'000; ++i) {
            LabJson more = stepIn(json, "start");
            more["id"] = "start-" + std::to_string(i);
            json["steps"].push_back(std::move(more));
        }
        LabFiles files = sampleFiles();
        files[u"laboratory.json"_s] = QByteArray::fromStdString(json.dump());
        QVERIFY2(
            files[u"laboratory.json"_s].size() < (1 << 20) && json["steps"].size() > 10'000, "else it is too large");
        QVERIFY(saidOf(files).contains(u"it has 10010 steps; a laboratory has at most 200"_s));
        files = sampleFiles();
        files[u"texts/why.en.md"_s] = QByteArray(10 << 20, 'a');
        QVERIFY(saidOf(files).contains(u"its file texts/why.en.md has more than the 1048576 bytes allowed"_s));
        for (const auto& [svg, said] : {std::pair{"<html/>", "it is no SVG picture"},
                 std::pair{"<svg><script>x</script></svg>", "it has <script;"},
                 std::pair{"<svg onload='x()'/>", "it has onload=;"},
                 std::pair{"<svg><use href=\"file:///etc/passwd\"/></svg>", "it has href=\""}}) {
            files = sampleFiles();
            files[u"pictures/ring.svg"_s] = svg;
            const QString found = saidOf(files);
            QVERIFY2(found.contains(QLatin1String(said)), qPrintable(found));
        }
        files = sampleFiles();
        files[u"pictures/ring.svg"_s] = "<svg><use href=\"#a\" fill=\"url(#b)\"/></svg>";
        QCOMPARE(saidOf(files), QString());
        files[u"pictures/ring.png"_s] = "GIF89a";
        QVERIFY(saidOf(files).contains(u"pictures/ring.png: it is no PNG picture"_s));
    }

    void aComputedAnswerHasTheValues()
    {
        const auto runs = experiment::expand(*experiment::preset("optimizers"));
        const experiment::RunSpec& run = runs->front();
        QCOMPARE(*computedAnswer("2*(n+3)/4*train.epochs", run, "MB"), std::string("2 × (1+3) / 4 × 50 = 100 MB"));
        QCOMPARE(*computedAnswer("max(n,2)", run, ""), std::string("max(1,2) = 2"));
        QCOMPARE(*computedAnswer("12.5", run, "ms"), std::string("= 12.5 ms"));
        QVERIFY(!computedAnswer("2*(", run, "").isOk());
    }

    void aShownAnswerIsWhatItsReaderChecks()
    {
        LabJson json = sampleDescription();
        stepIn(json, "why").update({{"form", "number"}, {"unit", "MB"}, {"about", {{"step", "run"}}}});
        const auto lab = readLaboratory(written(filesWith(json)));
        QVERIFY2(lab.isOk(), lab.isOk() ? "" : lab.error().text().c_str());
        const auto shown = [&](const char* step, const char* answer) {
            KeyEntry entry;
            entry.answer = answer;
            return shownAnswer(*lab, *lab->find(step), entry);
        };
        QCOMPARE(shown("why", "2*train.epochs"), std::string("2 × 50 = 100 MB"));
        QCOMPARE(shown("why", ""), std::string());
        QCOMPARE(shown("pick", "yes"), std::string("Yes"));
        QCOMPARE(shown("start", "yes"), std::string());
    }

    void formulasAreOfTheRunsSettings()
    {
        const auto runs = experiment::expand(*experiment::preset("optimizers"));
        const experiment::RunSpec& run = runs->front();
        QCOMPARE(*formulaValue("2*(3-1)/4 + 2^3", run), 9.0);
        QCOMPARE(*formulaValue("train.epochs * n", run), 50.0);
        QCOMPARE(*formulaValue("bytes / parameters", run), 4.0);
        QCOMPARE(*formulaValue("max(sqrt(16), log2(8)) - -1", run), 5.0);
        QVERIFY(formulaValue("2*(", run).error().text().find("cannot be read at place") != std::string::npos);
        QVERIFY(formulaValue("batch", run).error().text().find("has batch, which is no number") != std::string::npos);
        QVERIFY(!formulaValue(std::string(10'000, '('), run).isOk());
        QCOMPARE(*formulaValue("ceil(7/2) - floor(7/2)", run), 1.0);
        // 0 means all samples there, so a number of steps made of it would be 0.
        experiment::RunSpec all = run;
        all.settings["dataset.train_samples"] = std::int64_t{0};
        QVERIFY(formulaValue("dataset.train_samples / 64", all).error().text().find("no amount") != std::string::npos);
        QCOMPARE(formulaValue("1/(n-1)", run).error().text(), std::string("the formula 1/(n-1) has no value here"));
    }

    void handedOutWithoutTheKey()
    {
        LabFiles files = sampleFiles();
        files[u"key.json"_s] = R"({"laboratory": "sample", "revision": 2, "steps": {"pick": {"answer": "yes"}}})";
        const QString out = m_folder.filePath(u"out.lab"_s);
        const auto handed = handOut(written(files), {}, out);
        QVERIFY2(handed.isOk(), handed.isOk() ? "" : handed.error().text().c_str());
        QCOMPARE(handed->key, m_folder.filePath(u"out.key"_s));
        const auto read = readLaboratory(out);
        QVERIFY(read.isOk());
        QVERIFY(!read->files.contains("key.json"));
        QVERIFY(checkLaboratory(out, handed->key).key.has_value());
    }

    void aNewOneHasNoErrors()
    {
        for (const std::string_view preset : experiment::presetNames()) {
            const QString folder
                = m_folder.filePath(u"new-"_s + QString::fromUtf8(preset.data(), qsizetype(preset.size())));
            QVERIFY(writeNewLaboratory(*experiment::preset(preset), std::string(preset), folder).isOk());
            const auto check = checkLaboratory(folder);
            QVERIFY2(check.isOk(), check.isOk() ? "" : check.errors.front().text().c_str());
            QVERIFY(check.key.has_value());
        }
    }

    void shippedOnesHaveNoErrors()
    {
        const auto all = shippedLaboratories();
        QCOMPARE(all.size(), std::size_t{8});
        for (const ShippedLaboratory& shipped : all) {
            const auto check = checkLaboratory(shipped.path);
            QVERIFY2(
                check.isOk(), check.errors.empty() ? "" : (shipped.id + ": " + check.errors.front().text()).c_str());
            QCOMPARE(check.laboratory->id, shipped.id);
            QVERIFY2(!check.laboratory->files.contains("key.json"), shipped.id.c_str());
            QVERIFY2(!check.key, shipped.id.c_str());
            // Its folder in the sources, with the key: all of its files are compiled in.
            const auto source = checkLaboratory(
                QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/laboratories/") + QString::fromStdString(shipped.id));
            QVERIFY2(source.isOk(), source.errors.empty() ? "" : source.errors.front().text().c_str());
            QVERIFY2(source.key.has_value(), shipped.id.c_str());
            QVERIFY2(source.remarks.empty(), source.remarks.empty() ? "" : source.remarks.front().text().c_str());
            QCOMPARE(check.laboratory->sha256, source.laboratory->sha256);
            for (const Step& step : check.laboratory->steps) {
                const auto* content = step.as<ExperimentStep>();
                const auto runs = content == nullptr
                    ? Result<std::vector<experiment::RunSpec>>(std::vector<experiment::RunSpec>())
                    : experiment::expand(content->spec);
                QVERIFY(runs.isOk());
                for (const experiment::RunSpec& run : *runs) { // a delay without ranks slows them all down
                    const experiment::StragglerSettings& straggler = run.settings->straggler;
                    QVERIFY2(straggler.delayMs == 0.0 || !straggler.ranks.empty(), (step.id + " " + run.name).c_str());
                }
            }
        }
    }

    void thePageIsTheTable()
    {
        QFile page(QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/docs/laboratories.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QCOMPARE(page.readAll().toStdString(), laboratoryReference()); // lockstep lab format writes it
        const LabJson schema = LabJson::parse(laboratorySchema());
        QVERIFY(schema["$defs"]["step prediction"]["properties"].contains("of"));
        QVERIFY(schema["$defs"]["step"]["oneOf"].size() == 6);
    }

    /// Put together, the page's examples are a laboratory with its key.
    void theExamplesOfThePageAreALaboratory()
    {
        const QString page = QString::fromStdString(laboratoryReference());
        QRegularExpressionMatchIterator blocks
            = QRegularExpression(u"```json\n(.*?)```"_s, QRegularExpression::DotMatchesEverythingOption)
                  .globalMatch(page);
        std::vector<QString> examples;
        while (blocks.hasNext()) {
            examples.push_back(blocks.next().captured(1));
        }
        QCOMPARE(examples.size(), std::size_t{4}); // a laboratory, an experiment step, other steps, their key
        LabJson json = LabJson::parse(examples[0].toStdString());
        LabJson steps = LabJson::array();
        for (const QString& step : examples[2].split(u"\n{"_s)) {
            steps.push_back(LabJson::parse((step.startsWith(u'{') ? step : u'{' + step).toStdString()));
        }
        QCOMPARE(steps.size(), std::size_t{7});
        const LabJson run = LabJson::parse(examples[1].toStdString());
        const auto isAfter = [](const LabJson& step) { return step["kind"] != "prediction"; };
        steps.insert(std::ranges::find_if(steps, isAfter), run);
        steps.push_back(*std::ranges::find(json["steps"], "why", [](const LabJson& step) { return step["id"]; }));
        json["steps"] = steps;
        LabFiles files = filesWith(json);
        files[u"key.json"_s] = examples[3].toUtf8();
        const auto check = checkLaboratory(written(files));
        QVERIFY2(check.isOk(), check.errors.empty() ? "" : check.errors.front().text().c_str());
        QVERIFY(check.key.has_value());
        for (const analysis::Figure& figure : analysis::figures()) {
            QCOMPARE(page.contains(u"| `%1` |"_s.arg(QLatin1String(figure.name.data(), qsizetype(figure.name.size())))),
                !figure.label.empty());
        }
    }

private:
    QString written(const LabFiles& files)
    {
        const QString folder = m_folder.filePath(u"sample-%1"_s.arg(++m_count));
        writeFolder(files, folder);
        return folder;
    }
    static QString saidOfPath(const QString& path)
    {
        const auto read = readLaboratory(path);
        return read ? QString() : QString::fromStdString(read.error().text());
    }
    QString saidOf(const LabFiles& files) { return saidOfPath(written(files)); }
    QString saidOfMembers(const std::vector<archive::ZipInput>& members)
    {
        const QString file = m_folder.filePath(u"members.lab"_s);
        return archive::writeZip(file.toStdString(), members) ? saidOfPath(file) : u"not written"_s;
    }
    static void writeTo(const QString& path, const QByteArray& content)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

    QTemporaryDir m_folder;
    int m_count = 0;
};

LOCKSTEP_TEST(TestLaboratoryFiles)
#include "test_laboratory_files.moc"
