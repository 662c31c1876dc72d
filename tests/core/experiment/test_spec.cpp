#include "core/experiment/message_of.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <set>

using namespace lockstep;
using namespace lockstep::experiment;
using lockstep::tests::messageOf;

namespace {

const std::vector<std::string> CutVariants{"single", "data", "rpc", "p2p", "tensor", "grid"};

/// Of one repeat, unless `overrides` says otherwise.
Result<std::vector<RunSpec>> runsOf(const std::vector<Override>& overrides, const std::vector<std::string>& only = {})
{
    auto once = *preset("optimizers");
    once.repeats = 1;
    auto spec = customise(once, overrides, only);
    return spec ? expand(*spec) : Result<std::vector<RunSpec>>(spec.error());
}

} // namespace

class TestSpec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyPresetExpands()
    {
        QVERIFY(!presetNames().empty());
        for (const std::string_view name : presetNames()) {
            const auto spec = preset(name);
            QVERIFY2(spec.isOk(), qPrintable(messageOf(spec)));
            QCOMPARE(spec->experiment, std::string(name));
            const auto runs = expand(*spec);
            QVERIFY2(runs.isOk(), qPrintable(messageOf(runs)));
            for (const RunSpec& run : *runs) {
                QCOMPARE(run.settings.size(), parameters().size());
            }
        }
    }

    void aSpecSaysWhatItIsAbout()
    {
        const char* text
            = R"({"version":1,"experiment":"own","title":"Batch","question":{"en":"How large?","zh":"多大？"},
            "description":{"zh":"说明"},"charts":["loss","time"],"base":{"train.batch":32}})";
        const auto spec = parseSpec(text);
        QVERIFY2(spec.isOk(), qPrintable(messageOf(spec)));
        QCOMPARE(spec->about.title.en, std::string("Batch"));
        QCOMPARE(spec->about.question.zh, std::string("多大？"));
        QCOMPARE(spec->about.description.en, std::string());
        QCOMPARE(spec->about.charts, (std::vector<std::string>{"loss", "time"}));
        const std::string written = toJson(*spec);
        const auto again = parseSpec(written);
        QVERIFY2(again.isOk(), qPrintable(messageOf(again)));
        QVERIFY(again->about == spec->about);
        QCOMPARE(toJson(*again), written);
    }

    void whatASpecCannotSayIsRefused_data()
    {
        QTest::addColumn<QString>("entries");
        QTest::addColumn<QString>("message");
        QTest::addRow("title") << R"("title":1)"
                               << "spec: title: 1 is not a text, nor an object with en and zh";
        QTest::addRow("language") << R"("question":{"fr":"x"})"
                                  << "spec: question: fr: \"x\" is not a text in en or zh";
        QTest::addRow("charts") << R"("charts":"loss")"
                                << "spec: charts: \"loss\" is not a list of the names of charts";
        QTest::addRow("unknown") << R"("titel":"x")"
                                 << "spec: titel is not an entry of a spec; allowed: base, charts, description, "
                                    "experiment, question, repeats, title, variants, version";
        QTest::addRow("newer") << R"("version":2)"
                               << "spec: version: 2; this program reads version 1";
    }

    void whatASpecCannotSayIsRefused()
    {
        QFETCH(QString, entries);
        QFETCH(QString, message);
        const QString version = entries.contains(u"version") ? QString() : QStringLiteral(R"("version":1,)");
        const QString text = QStringLiteral("{%1%2,\"experiment\":\"own\"}").arg(version, entries);
        QCOMPARE(messageOf(parseSpec(text.toStdString())), message);
    }

    void aVariantCanBeKeptWithoutRunning()
    {
        const auto spec = parseSpec(R"({"version":1,"experiment":"own","variants":[{"name":"a","train.batch":8},
            {"name":"b","enabled":false,"train.batch":16}]})");
        QVERIFY2(spec.isOk(), qPrintable(messageOf(spec)));
        QCOMPARE(expand(*spec)->size(), std::size_t{1});
        QCOMPARE(customise(*spec, {}, {})->variants.size(), std::size_t{1});
        const auto named = customise(*spec, {}, std::vector<std::string>{"b"});
        QCOMPARE(expand(*named)->at(0).name, std::string("b"));
        QCOMPARE(toJson(*parseSpec(toJson(*spec))), toJson(*spec));
        QVERIFY(!parseSpec(toJson(*spec))->variants[1].isEnabled);
        Spec none = *spec;
        none.variants[0].isEnabled = false;
        QCOMPARE(messageOf(expand(none)), QStringLiteral("variants: none is enabled; choose some with --only NAME"));
        QCOMPARE(messageOf(customise(none, {}, {})), messageOf(expand(none)));
        QVERIFY(messageOf(parseSpec(R"({"version":1,"experiment":"own","variants":[{"name":"a","enabled":1}]})"))
                    .startsWith(u"spec: variant a: enabled: 1 is not"));
    }

    void theOptimizersPresetIsTheLaboratory()
    {
        const auto runs = runsOf({});
        QVERIFY(runs.isOk());
        QCOMPARE(runs->size(), std::size_t{3});
        QCOMPARE(std::string(nameOf(runs->at(0).settings->optimizer.name)), std::string("gd"));
        QCOMPARE(runs->at(0).settings->optimizer.lr, 0.1);
        QCOMPARE(runs->at(0).settings->train.epochs, std::int64_t{50});
        QCOMPARE(runs->at(1).name, std::string("SGD"));
        QCOMPARE(runs->at(1).settings->train.batch, std::int64_t{64});
        QCOMPARE(runs->at(2).settings->optimizer.lr, 0.001);
    }

    void repeatsFollowTheirVariantWithOtherSeeds()
    {
        const auto runs = runsOf({{"repeats", "3"}, {"train.seed", "10"}});
        QVERIFY(runs.isOk());
        QCOMPARE(runs->size(), std::size_t{9});
        for (std::size_t i = 0; i < 9; ++i) {
            QCOMPARE(runs->at(i).repeat, static_cast<int>(i % 3));
            QCOMPARE(runs->at(i).settings->train.seed, static_cast<std::int64_t>(10 + i % 3));
        }
        QCOMPARE(runs->at(3).name, std::string("SGD"));
    }

    void setWinsOverBaseAndVariants()
    {
        const auto runs = runsOf({{"net.name", "cnn"}, {"optimizer.lr", "0.01"}, {"optimizer.lr", "0.02"}}, {"Adam"});
        QVERIFY2(runs.isOk(), qPrintable(messageOf(runs)));
        QCOMPARE(runs->size(), std::size_t{1});
        QCOMPARE(runs->front().settings->optimizer.lr, 0.02);
        QCOMPARE(std::string(nameOf(runs->front().settings->net.name)), std::string("cnn"));
    }

    /// What a variant looks like is given once: it depends neither on which others are chosen nor on their order.
    void aPlaceStaysWithItsVariant()
    {
        const auto placesIn = [](const Result<Spec>& spec) {
            std::vector<std::size_t> places;
            const auto runs = expand(*spec);
            for (const RunSpec& run : *runs) {
                places.push_back(*run.place);
            }
            return places;
        };
        Spec spec = *preset("optimizers");
        spec.repeats = 1;
        QCOMPARE(placesIn(spec), (std::vector<std::size_t>{0, 1, 2}));
        QCOMPARE(placesIn(customise(spec, {}, std::vector<std::string>{"Adam"})), std::vector<std::size_t>{2});
        spec.variants[0].isEnabled = false;
        QCOMPARE(placesIn(customise(spec, {}, {})), (std::vector<std::size_t>{1, 2}));
        spec.variants[0].place = 1; // as SGD's in the list, which gets another
        QCOMPARE(placesOf(spec.variants), (std::vector<std::size_t>{1, 0, 2}));
        spec.variants[2].place = 1; // taken
        QCOMPARE(placesOf(spec.variants), (std::vector<std::size_t>{1, 0, 2}));
        const Spec again = *parseSpec(toJson(spec));
        QCOMPARE(placesOf(again.variants), placesOf(spec.variants));
        const RunSpec run = expand(spec)->back();
        QCOMPARE(parseRunSpec(toJson(run))->place, run.place);
        const auto older = parseRunSpec(R"({"version":1,"experiment":"optimizers","base":{}})");
        QVERIFY(!older->place);
    }

    void theSingleProcessKeepsItsOneRank()
    {
        const auto sizesOf = [](const char* name, const std::vector<std::string>& only) {
            const auto spec = customise(*preset(name), std::vector<Override>{{"world_size", "8"}}, only);
            const auto runs = spec ? expand(*spec) : Result<std::vector<RunSpec>>(spec.error());
            QString text = messageOf(runs);
            for (std::size_t i = 0; runs && i < runs->size(); ++i) {
                if (runs->at(i).repeat == 0) {
                    text += QString::number(*worldSizeOf(runs->at(i))) + u' ';
                }
            }
            return text;
        };
        QCOMPARE(sizesOf("partitioning", {}), QString("1 8 8 8 8 8 8 8 8 2 "));
        QCOMPARE(sizesOf("sharding", {"single", "zero-1"}), QString("1 8 "));
        QCOMPARE(sizesOf("scaling", {"single", "2"}), QString("1 8 "));
        QCOMPARE(sizesOf("partitioning", {"single"}),
            QString("world_size: 8 does not fit strategy.name single, which needs 1 (variant single)"));
        QVERIFY(sizesOf("scaling", {}).startsWith("world_size: the variants (single, 2, 4, "));
    }

    void badOverridesAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("only");
        QTest::addColumn<QString>("message");
        QTest::addRow("variants differ")
            << "optimizer.lr"
            << "0.1"
            << ""
            << "optimizer.lr: the variants (GD, SGD, Adam) differ by it; choose one with --only NAME to set it";
        QTest::addRow("unknown, near") << "optimizer.lrr"
                                       << "1"
                                       << ""
                                       << "optimizer.lrr: no such parameter; did you mean optimizer.lr?";
        QTest::addRow("unknown, far") << "colour"
                                      << "1"
                                      << ""
                                      << "colour: no such parameter; `lockstep parameters` lists them all";
        QTest::addRow("only unknown") << "net.name"
                                      << "mlp"
                                      << "Lion"
                                      << "--only: Lion is not a variant; allowed: GD, SGD, Adam";
        QTest::addRow("repeats") << "repeats"
                                 << "0"
                                 << ""
                                 << "repeats: 0 is not an integer in [1, 100]";
        QTest::addRow("world size") << "world_size"
                                    << "4"
                                    << ""
                                    << "world_size: 4 does not fit strategy.name single, which needs 1 (variant GD)";
        QTest::addRow("batch") << "train.batch"
                               << "9000"
                               << "SGD"
                               << "train.batch: 9000 is more than the 8000 training samples (variant SGD)";
        QTest::addRow("idx") << "dataset.name"
                             << "idx"
                             << ""
                             << "dataset.path: an idx data set needs the folder with its four files (variant GD)";
    }
    void badOverridesAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, only);
        QFETCH(QString, message);
        const std::vector<std::string> kept
            = only.isEmpty() ? std::vector<std::string>() : std::vector{only.toStdString()};
        const auto runs = runsOf({{name.toStdString(), text.toStdString()}}, kept);
        QCOMPARE(messageOf(runs), message);
    }

    void recomputationIsRefusedWhereThereIsNone_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("message");
        const auto add = [](const char* settings, const char* message) {
            QTest::newRow(settings) << QString(settings).split(' ')
                                    << (*message == 0 ? QString() : QString("train.recompute: ") + message);
        };
        add("train.recompute=layer strategy.name=single", "");
        add("train.recompute=layer strategy.name=data", "");
        add("train.recompute=layer strategy.name=zero", "");
        add("train.recompute=stage strategy.name=pipeline", "");
        add("train.recompute=stage strategy.name=grid", "");
        add("train.recompute=none strategy.name=tensor", "");
        add("train.recompute=stage strategy.name=single",
            "stage is not available with strategy.name single; use none or layer");
        add("train.recompute=stage strategy.name=data",
            "stage is not available with strategy.name data; use none or layer");
        add("train.recompute=stage strategy.name=zero",
            "stage is not available with strategy.name zero; use none or layer");
        add("train.recompute=layer strategy.name=pipeline",
            "layer is not available with strategy.name pipeline; use none or stage");
        add("train.recompute=layer strategy.name=grid",
            "layer is not available with strategy.name grid; use none or stage");
        add("train.recompute=layer strategy.name=tensor", "layer is not available with strategy.name tensor; use none");
        add("train.recompute=stage strategy.name=tensor", "stage is not available with strategy.name tensor; use none");
        add("train.recompute=layer strategy.name=data aggregation.algorithm=parameter_server_async",
            "layer is not available with aggregation.algorithm parameter_server_async; use none");
    }
    void recomputationIsRefusedWhereThereIsNone()
    {
        QFETCH(QStringList, settings);
        QFETCH(QString, message);
        std::vector<Override> overrides;
        for (const QString& setting : settings) {
            overrides.push_back({setting.section('=', 0, 0).toStdString(), setting.section('=', 1).toStdString()});
        }
        const auto spec
            = customise(Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
        const auto runs = spec ? expand(*spec) : Result<std::vector<RunSpec>>(spec.error());
        QCOMPARE(messageOf(runs), message);
    }

    void netsThatDoNotFitAreRefused_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("message");
        QTest::addRow("gpt on images")
            << QStringList{"net.name=gpt"}
            << "net.name: gpt reads text byte by byte, but digits is a set of images; use dataset.name text "
               "(variant SGD)";
        QTest::addRow("images' net on text") << QStringList{"dataset.name=text",
            "net.name=lenet5"} << "net.name: lenet5 needs images; for dataset.name text use gpt (variant SGD)";
        const QStringList gpt{"net.name=gpt", "dataset.name=text"};
        QTest::addRow("heads")
            << gpt + QStringList{"net.heads=5"}
            << "net.heads: 5 heads cannot share net.width 64 equally; their number must divide it (variant SGD)";
        QTest::addRow("heads do not matter to others") << QStringList{"net.heads=5"} << "";
        QTest::addRow("fits") << gpt + QStringList{"net.heads=16", "net.width=96", "net.tied=true"} << "";
        QTest::addRow("windows") << gpt + QStringList{"net.context=4000"}
                                 << "train.batch: 100 is more than the 72 training samples (variant SGD)";
        const QString labels = " needs a label for each sample, and windows of text have none; use "
                               "reshuffled, random-sampling, random, contiguous, strided or unequal (variant SGD)";
        for (const char* partition : {"by-label", "dirichlet"}) {
            const QStringList partitioned{"strategy.name=data", QString("partition.name=") + partition};
            QTest::addRow("%s", partition) << gpt + partitioned << QString("partition.name: ") + partition + labels;
            QTest::addRow("%s alone", partition) << gpt + QStringList{partitioned[1]} << "";
        }
        QTest::addRow("contiguous") << gpt + QStringList{"strategy.name=data", "partition.name=contiguous"} << "";
    }
    void netsThatDoNotFitAreRefused()
    {
        QFETCH(QStringList, settings);
        QFETCH(QString, message);
        std::vector<Override> overrides{{"train.batch", "100"}};
        for (const QString& setting : settings) {
            overrides.push_back({setting.section('=', 0, 0).toStdString(), setting.section('=', 1).toStdString()});
        }
        QCOMPARE(messageOf(runsOf(overrides, {"SGD"})), message);
    }

    void shardedRunsThatDoNotFitAreRefused_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("message");
        const QStringList zero{"strategy.name=zero"};
        QTest::addRow("as it is") << zero << "";
        QTest::addRow("most ranks") << zero + QStringList{"world_size=64", "zero.stage=3"} << "";
        QTest::addRow("stage") << zero + QStringList{"zero.stage=4"} << "zero.stage: 4 is outside [1, 3]";
        QTest::addRow("ranks")
            << zero + QStringList{"world_size=64", "train.batch=63"}
            << "train.batch: 63 leaves some of 64 ranks without a sample; it must be at least 64 (variant SGD)";
        QTest::addRow("gd")
            << zero + QStringList{"optimizer.name=gd"}
            << "optimizer.name: gd needs the gradient of the whole set at once, but ZeRO trains on batches; use sgd "
               "(variant SGD)";
        QTest::addRow("link") << zero + QStringList{"link.ranks=2"}
                              << "link.ranks: there is no rank 2; the ranks are 0 to 1 (variant SGD)";
        QTest::addRow("labels of text")
            << zero + QStringList{"net.name=gpt", "dataset.name=text", "partition.name=by-label"}
            << "partition.name: by-label needs a label for each sample, and windows of text have none; use "
               "reshuffled, random-sampling, random, contiguous, strided or unequal (variant SGD)";
        QTest::addRow("verified from a checkpoint")
            << zero + QStringList{"verify=true", "checkpoint.from=/tmp/step-1"}
            << "checkpoint.from: a run that is verified must start at its first step (variant SGD)";
        QTest::addRow("others need not fit") << QStringList{"zero.stage=3", "optimizer.name=gd"} << "";
    }
    void shardedRunsThatDoNotFitAreRefused()
    {
        QFETCH(QStringList, settings);
        QFETCH(QString, message);
        std::vector<Override> overrides{{"optimizer.name", "sgd"}, {"train.batch", "64"}};
        for (const QString& setting : settings) {
            overrides.push_back({setting.section('=', 0, 0).toStdString(), setting.section('=', 1).toStdString()});
        }
        QCOMPARE(messageOf(runsOf(overrides, {"SGD"})), message);
    }
    void transportsThatDoNotFitAreRefused_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("message");
        const QStringList rpc{"strategy.name=pipeline", "pipeline.transport=rpc"};
        const QString noLink
            = "pipeline.transport: rpc uses LibTorch's own agent, which cannot emulate a link; use p2p, or leave "
              "link.latency_us and link.bandwidth_mbps at 0 (variant SGD)";
        QTest::addRow("fits") << rpc << "";
        QTest::addRow("latency") << rpc + QStringList{"link.latency_us=100"} << noLink;
        QTest::addRow("bandwidth") << rpc + QStringList{"link.bandwidth_mbps=100"} << noLink;
        QTest::addRow("p2p with a link") << QStringList{rpc[0], "link.latency_us=100"} << "";
        QTest::addRow("no pipeline") << QStringList{"strategy.name=data", rpc[1], "link.latency_us=100"} << "";
        QTest::addRow("unknown") << QStringList{rpc[0], "pipeline.transport=mail"}
                                 << "pipeline.transport: mail is not one of p2p, rpc";
    }
    void transportsThatDoNotFitAreRefused() { netsThatDoNotFitAreRefused(); }

    void aBatchIsOfAllRanksOrOfEach()
    {
        const auto of = [](std::vector<Override> more) {
            more.insert(more.begin(), {{"strategy.name", "data"}, {"world_size", "4"}, {"train.batch", "50"}});
            return runsOf(more, {"SGD"});
        };
        QCOMPARE(globalBatch(of({})->front()), std::int64_t{50});
        QCOMPARE(globalBatch(of({{"train.batch_of", "rank"}})->front()), std::int64_t{200});
        QCOMPARE(messageOf(of({{"train.batch_of", "rank"}, {"dataset.train_samples", "199"}})),
            QString("train.batch: 50 per rank, 200 together, is more than the 199 training samples (variant SGD)"));
        // A single process has no other ranks.
        QCOMPARE(globalBatch(runsOf({{"train.batch", "50"}, {"train.batch_of", "rank"}}, {"SGD"})->front()),
            std::int64_t{50});
    }

    void badSpecsAreRefused_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("message");
        QTest::addRow("no json") << "{"
                                 << "spec: this is not a JSON object";
        QTest::addRow("a list") << "[1]"
                                << "spec: this is not a JSON object";
        QTest::addRow("no version") << R"({"experiment":"optimizers"})"
                                    << "spec: version: missing; this program reads version 1";
        QTest::addRow("newer") << R"({"version":2,"experiment":"optimizers"})"
                               << "spec: version: 2; this program reads version 1";
        QTest::addRow("experiment") << R"({"version":1,"experiment":"x"})"
                                    << "spec: experiment: x is not one of own, optimizers, aggregation, partitioning, "
                                       "scaling, model-parallel, sharding, collectives, gpt, mixed-precision, "
                                       "schedules, bucketing, backends, offload";
        QTest::addRow("unknown entry") << R"({"version":1,"experiment":"optimizers","bases":{}})"
                                       << "spec: bases is not an entry of a spec; allowed: base, charts, description, "
                                          "experiment, question, repeats, title, variants, version";
        QTest::addRow("type") << R"({"version":1,"experiment":"optimizers","base":{"train.batch":"64"}})"
                              << "train.batch: \"64\" is not an integer in [1, 1000000]";
        QTest::addRow("range") << R"({"version":1,"experiment":"optimizers","base":{"optimizer.lr":-1}})"
                               << "optimizer.lr: -1 is outside (0, 10]";
        QTest::addRow("twice") << R"({"version":1,"experiment":"optimizers","variants":[{"name":"a"},{"name":"a"}]})"
                               << "spec: two variants are named a";
        QTest::addRow("no name") << R"({"version":1,"experiment":"optimizers","variants":[{"optimizer.lr":1}]})"
                                 << "spec: every variant needs a name, this one has none: {\"optimizer.lr\":1}";
        QTest::addRow("repeats") << R"({"version":1,"experiment":"optimizers","repeats":0})"
                                 << "repeats: 0 is not an integer in [1, 100]";
    }
    void badSpecsAreRefused()
    {
        QFETCH(QString, json);
        QFETCH(QString, message);
        QCOMPARE(messageOf(parseSpec(json.toStdString())), message);
    }

    void specsSurviveTheirJson()
    {
        auto spec = customise(*preset("optimizers"), std::vector<Override>{{"net.name", "cnn"}, {"repeats", "2"}}, {});
        QVERIFY(spec.isOk());
        const auto again = parseSpec(toJson(*spec));
        QVERIFY2(again.isOk(), qPrintable(messageOf(again)));
        QCOMPARE(toJson(*again), toJson(*spec));
    }

    void runSpecsSurviveTheirJson()
    {
        const auto runs = runsOf({{"repeats", "2"}});
        for (const RunSpec& run : *runs) {
            const auto again = parseRunSpec(toJson(run));
            QVERIFY2(again.isOk(), qPrintable(messageOf(again)));
            QCOMPARE(again->name, run.name);
            QCOMPARE(again->repeat, run.repeat);
            QVERIFY(again->settings == run.settings);
        }
    }

    void whatHasNoEffectIsSaid()
    {
        const auto settingsOf = [](const char* name, const std::vector<Override>& asked) {
            std::vector<std::string> names;
            for (const Override& each : asked) {
                names.push_back(each.name);
            }
            // Those between which the number of micro-batches differs are left out.
            const bool isCut = std::string_view(name) == "model-parallel";
            const std::vector<std::string> only = isCut ? CutVariants : std::vector<std::string>();
            return settingsWithoutEffect(*customise(*preset(name), asked, only), names);
        };
        for (const std::string_view name : presetNames()) {
            QVERIFY2(settingsWithoutEffect(*preset(name), {}).empty(), std::string(name).c_str());
        }
        // Some variants have it, others not; a default says nothing.
        const auto some = settingsOf("model-parallel", {{"pipeline.microbatches", "8"}});
        QCOMPARE(some.size(), std::size_t{1});
        QVERIFY(refuseWithoutEffect(some).isOk());
        QVERIFY2(some[0].error().message.starts_with("pipeline.microbatches: has no effect in single, "),
            some[0].error().message.c_str());
        QVERIFY2(some[0].error().message.ends_with(": it applies where strategy.name is pipeline or grid"),
            some[0].error().message.c_str());
        QVERIFY(settingsOf("model-parallel", {{"pipeline.microbatches", "4"}}).empty());
        QVERIFY(settingsOf("optimizers", {{"dataset.train_samples", "512"}}).empty());
        // None has it.
        QCOMPARE(messageOf(refuseWithoutEffect(settingsOf("optimizers", {{"pipeline.microbatches", "8"}}))),
            QString("pipeline.microbatches: has no effect in this experiment: it applies where strategy.name is "
                    "pipeline or grid"));
    }

    void theRunsThatLackASettingNoteIt()
    {
        const std::vector<Override> asked{{"pipeline.microbatches", "8"}};
        const std::vector<std::string> names{"pipeline.microbatches"};
        const Spec spec = *customise(*preset("model-parallel"), asked, CutVariants);
        auto runs = *expand(spec);
        addNotes(runs, settingsWithoutEffect(spec, names));
        for (const RunSpec& run : runs) {
            const bool hasIt = run.settings->rank.strategy == experiment::Strategy::Pipeline
                || run.settings->rank.strategy == experiment::Strategy::Grid;
            QCOMPARE(run.notes.size(), std::size_t{hasIt ? 0U : 1U});
            QVERIFY(hasIt
                || run.notes[0].english
                    == "pipeline.microbatches: has no effect in this run: it applies where strategy.name is pipeline "
                       "or "
                       "grid");
            QVERIFY(parseRunSpec(toJson(run))->notes.empty());
        }
        // A rank that is started by hand gets the settings as they were written.
        const auto alone = parseRunSpec(
            R"({"version":1,"experiment":"optimizers","base":{"pipeline.microbatches":8,"train.batch":32}})");
        QCOMPARE(alone->notes.size(), std::size_t{1});
        QVERIFY(alone->notes[0].english.starts_with("pipeline.microbatches: "));
    }

    void aVariantMustHaveWhatItNames()
    {
        const auto spec = parseSpec(R"({"version":1,"experiment":"optimizers","variants":[)"
                                    R"({"name":"a","optimizer.name":"sgd","optimizer.momentum":0.5},)"
                                    R"({"name":"b","optimizer.name":"momentum","optimizer.momentum":0.5}]})");
        QVERIFY2(spec.isOk(), qPrintable(messageOf(spec)));
        const auto settings = settingsWithoutEffect(*spec, {});
        QCOMPARE(settings.size(), std::size_t{1});
        QCOMPARE(settings[0].variants, std::vector<std::string>{"a"});
        QVERIFY(settings[0].isOwn && !settings[0].isInEvery);
        QVERIFY(messageOf(refuseWithoutEffect(settings)).startsWith("optimizer.momentum: has no effect in a: "));
    }

    void verifyLeavesOutTheAsynchronousServer()
    {
        const std::vector<Override> asked{{"verify", "true"}};
        const std::vector<std::string> names{"verify"};
        const Spec spec = *customise(*preset("aggregation"), asked, {});
        const auto runs = expand(spec);
        QVERIFY2(runs.isOk(), qPrintable(messageOf(runs)));
        for (const RunSpec& run : *runs) {
            QCOMPARE(run.settings->verify.isOn,
                run.settings->aggregation.algorithm != experiment::Algorithm::ParameterServerAsync);
        }
        const auto settings = settingsWithoutEffect(spec, names);
        QVERIFY(refuseWithoutEffect(settings).isOk());
        QCOMPARE(settings.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(settings[0].error().message),
            QString("verify: has no effect in parameter_server_async, parameter_server_async-slow: it applies where "
                    "strategy.name is data, local, zero, pipeline, tensor or grid and aggregation.algorithm is not "
                    "parameter_server_async"));
    }

    void theAggregationPresetHasEveryAlgorithmAndRule()
    {
        const Spec spec = *preset("aggregation");
        std::set<std::string> algorithms;
        std::set<std::string> rules;
        const auto runs = expand(spec);
        QVERIFY2(runs.isOk(), qPrintable(messageOf(runs)));
        for (const RunSpec& run : *runs) {
            algorithms.insert(std::string(nameOf(run.settings->aggregation.algorithm)));
            rules.insert(std::string(nameOf(run.settings->aggregation.rule)));
        }
        QCOMPARE(algorithms.size(), findParameter("aggregation.algorithm")->choices.size());
        QCOMPARE(rules.size(), findParameter("aggregation.rule")->choices.size());
        QCOMPARE(spec.variants.front().name, std::string("all_reduce"));
        // Variants of one group follow each other, and only the first variant has none.
        std::vector<std::string> groups;
        for (const Variant& variant : spec.variants) {
            if (groups.empty() || groups.back() != variant.group) {
                groups.push_back(variant.group);
            }
        }
        QCOMPARE(groups,
            (std::vector<std::string>{"", "Collectives", "Messages", "Parameter server", "Rules", "One slow rank"}));
        QCOMPARE(toJson(*parseSpec(toJson(spec))), toJson(spec));
        QVERIFY(toJson(spec).find("\"group\": \"Rules\"") != std::string::npos);
        QCOMPARE(
            messageOf(parseSpec(R"({"version":1,"experiment":"aggregation","variants":[{"name":"a","group":3}]})")),
            QString("spec: variant a: group: 3 is not a string"));
    }

    void sweepsThatCannotBeAreRefused_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QString>("message");
        const auto collective = [](const char* name) { return QStringList{QStringLiteral("collective.name=") + name}; };
        QTest::addRow("root") << collective("broadcast") + QStringList{"sweep.root=3"} << "";
        QTest::addRow("no such root") << collective("gather") + QStringList{"sweep.root=4"}
                                      << "sweep.root: there is no rank 4; the ranks are 0 to 3 (variant all_reduce)";
        QTest::addRow("no such root in a group")
            << collective("reduce") + QStringList{"sweep.root=2", "sweep.groups=2"}
            << "sweep.root: there is no rank 2 in a group; its ranks are 0 to 1 (variant all_reduce)";
        QTest::addRow("root of none") << collective("all_gather") + QStringList{"sweep.root=9"} << "";
        QTest::addRow("groups") << QStringList{"sweep.groups=2"} << "";
        const QString unequal = "sweep.groups: %1 does not divide %2 ranks into equal groups of at least two (variant "
                                "all_reduce)";
        QTest::addRow("unequal groups") << QStringList{"sweep.groups=3"} << unequal.arg(3).arg(4);
        QTest::addRow("groups of one") << QStringList{"sweep.groups=4"} << unequal.arg(4).arg(4);
        QTest::addRow("async") << QStringList{"sweep.async=true"} << "";
        QTest::addRow("async ring")
            << QStringList{"sweep.async=true", "aggregation.algorithm=ring"}
            << "sweep.async: ring is made of messages that each rank sends one after the other; only the backend's own "
               "all-reduce (all_reduce) can be started asynchronously (variant all_reduce)";
        QTest::addRow("async send_recv")
            << collective("send_recv") + QStringList{"sweep.async=true"}
            << "sweep.async: an in-place send_recv cannot be started again before its result has been read; use "
               "sweep.buffers out_of_place (variant all_reduce)";
        QTest::addRow("async send_recv apart")
            << collective("send_recv") + QStringList{"sweep.async=true", "sweep.buffers=out_of_place"} << "";
        QTest::addRow("training") << QStringList{"sweep.buffers=training"} << "";
        QTest::addRow("training of another")
            << collective("broadcast") + QStringList{"sweep.buffers=training"}
            << "sweep.buffers: training allocates arrays as training does for all_reduce; for broadcast use both, "
               "in_place or out_of_place (variant all_reduce)";
    }
    void sweepsThatCannotBeAreRefused()
    {
        QFETCH(QStringList, settings);
        QFETCH(QString, message);
        std::vector<Override> overrides;
        for (const QString& setting : settings) {
            overrides.push_back({setting.section('=', 0, 0).toStdString(), setting.section('=', 1).toStdString()});
        }
        const auto spec = customise(*preset("collectives"), overrides, std::vector<std::string>{"all_reduce"});
        QVERIFY(spec.isOk());
        QCOMPARE(messageOf(expand(*spec)), message);
    }

    void whatDoesNotApplyHasNoEffect()
    {
        const std::vector<Override> stray{{"partition.name", "strided"}, {"aggregation.rule", "median"},
            {"aggregation.algorithm", "all_gather"}, {"train.accumulate", "4"}, {"straggler.delay_ms", "5"}};
        const auto with = [&](const Override& strategy) {
            std::vector<Override> overrides = stray;
            overrides.push_back(strategy);
            return *customise(*preset("optimizers"), overrides, std::vector<std::string>{"SGD"});
        };
        const auto data = expand(with({"strategy.name", "data"}));
        QVERIFY(data.isOk());
        QCOMPARE(std::string(nameOf(data->front().settings->partition.name)), std::string("strided"));
        QCOMPARE(std::string(nameOf(data->front().settings->aggregation.rule)), std::string("median"));
        QCOMPARE(data->front().settings->train.accumulate, std::int64_t{4});
        for (const char* strategy : {"pipeline", "tensor", "grid", "zero"}) {
            const auto runs = expand(with({"strategy.name", strategy}));
            QVERIFY2(runs.isOk(), qPrintable(messageOf(runs)));
            const RunSpec& run = runs->front();
            QCOMPARE(std::string(nameOf(run.settings->rank.strategy)), std::string(strategy));
            QCOMPARE(std::string(nameOf(run.settings->aggregation.rule)), std::string("mean"));
            const bool hasMicroBatches = QLatin1String(strategy) == u"zero" || QLatin1String(strategy) == u"tensor";
            QCOMPARE(run.settings->train.accumulate, std::int64_t{hasMicroBatches ? 4 : 1});
            QCOMPARE(run.settings->straggler.delayMs, 5.0);
            QCOMPARE(std::string(nameOf(run.settings->partition.name)),
                std::string(QLatin1String(strategy) == u"zero" ? "strided" : "reshuffled"));
        }
    }

    void aRankTakesNoVariants()
    {
        const auto run = parseRunSpec(toJson(*preset("optimizers")));
        QVERIFY(!run.isOk());
        QVERIFY(messageOf(run).contains(QStringLiteral("variants")));
    }
};

LOCKSTEP_TEST(TestSpec)
#include "test_spec.moc"
