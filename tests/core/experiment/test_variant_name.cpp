// What variants and experiments are called: labels, units and names of values, never keys.
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "experiment/spec_of_runs.h"
#include "experiment/variant_name.h"
#include "experiment/vary.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::experiment;

namespace {

QStringList namesOf(Spec spec, const std::vector<std::string>& varied)
{
    std::vector<VariedParameter> parameters;
    for (const std::string& text : varied) {
        parameters.push_back(*parseVaried(text));
    }
    const auto runs = expand(*vary(std::move(spec), parameters));
    QStringList names;
    for (const RunSpec& run : *runs) {
        names << QString::fromStdString(variantName(run).english);
    }
    return names;
}

Spec own(const Assignment& base)
{
    Spec spec = *preset(OwnExperiment);
    spec.base = base;
    return spec;
}

const Assignment FourRanks{{"strategy.name", std::string("data")}, {"world_size", std::int64_t{4}}};

} // namespace

class TestVariantName : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void variedParametersAreInWords()
    {
        QCOMPARE(namesOf(own({{"strategy.name", std::string("data")}}),
                     {"aggregation.algorithm=all_reduce,ring", "world_size=2,4"}),
            (QStringList{"All-reduce, 2 ranks", "All-reduce, 4 ranks", "Ring, 2 ranks", "Ring, 4 ranks"}));
        QCOMPARE(
            namesOf(own({}), {"optimizer.name=adam", "optimizer.lr=0.003"}), QStringList{"Adam, learning rate 0.003"});
        QCOMPARE(namesOf(own({}), {"optimizer.lr=0.003"}), QStringList{"Learning rate 0.003"});
        QCOMPARE(namesOf(own({}), {"dataset.test_samples=512"}), QStringList{"Test samples 512"});
        QCOMPARE(namesOf(own({{"strategy.name", std::string("local")}, {"world_size", std::int64_t{2}}}),
                     {"local.every=0,1,10"}),
            (QStringList{"Synchronize every epoch", "Synchronize every 1 step", "Synchronize every 10 steps"}));
        QCOMPARE(
            namesOf(own(FourRanks), {"aggregation.algorithm=all_reduce", "straggler.ranks=3", "straggler.delay_ms=5"}),
            QStringList{"All-reduce, rank 3 +5 ms"});
        Assignment slow = FourRanks;
        slow["straggler.ranks"] = std::vector<std::int64_t>{3};
        QCOMPARE(namesOf(own(slow), {"straggler.factor=1,4"}), (QStringList{"no slow rank", "rank 3 ×4"}));
        slow["straggler.ranks"] = std::vector<std::int64_t>(); // every rank
        QCOMPARE(namesOf(own(slow), {"straggler.delay_ms=0,5"}), (QStringList{"no slow rank", "all ranks +5 ms"}));
    }

    void aPresetsVariantsKeepTheirTitles()
    {
        Spec spec = *preset("aggregation");
        std::erase_if(spec.variants, [](const Variant& variant) { return variant.name != "ring"; });
        QCOMPARE(namesOf(spec, {"world_size=2,4"}), (QStringList{"Ring, 2 ranks", "Ring, 4 ranks"}));
        // Unless another parameter's value takes the place of what gives the variant its title.
        spec = *preset("optimizers");
        spec.repeats = 1;
        std::erase_if(spec.variants, [](const Variant& variant) { return variant.name != "SGD"; });
        QCOMPARE(namesOf(spec, {"optimizer.name=sgd,adam", "optimizer.lr=0.1"}),
            (QStringList{"SGD, learning rate 0.1", "Adam, learning rate 0.1"}));
        QCOMPARE(variantName("scaling", "2-weak from 40", {}).english, std::string("2 ranks, weak from 40"));
        QCOMPARE(variantName("scaling", "4", {}).english, std::string("4 ranks"));
    }

    /// A key is only put into words where the run has that setting with that value.
    void whatAPersonTypedStays()
    {
        const Assignment settings = withDefaults({{"optimizer.lr", 0.1}}, {});
        QCOMPARE(variantName("own", "my ring", settings).english, std::string("my ring"));
        QCOMPARE(variantName("own", "alpha=1", settings).english, std::string("alpha=1"));
        QCOMPARE(variantName("own", "lr=0.2", settings).english, std::string("lr=0.2"));
        QCOMPARE(variantName("own", "not right", settings).english, std::string("not right"));
        QCOMPARE(variantName("own", "B faulty", settings).english, std::string("B, with a fault"));
        QCOMPARE(variantName("own", "B right", settings).english, std::string("B, without a fault"));
    }

    /// Of every parameter that can be varied: no name of a variant has its key.
    void noNameHasAKey()
    {
        for (const Parameter& row : parameters()) {
            const std::string text = inWords(row, row.standard).english;
            const bool hasKey
                = row.name.find('.') != std::string_view::npos && text.find(row.name) != std::string::npos;
            QVERIFY2(!hasKey && text.find('=') == std::string::npos, text.c_str());
            QVERIFY2(row.choices.empty() || text.find('_') == std::string::npos, text.c_str());
        }
    }

    void anExperimentIsNamedByWhatVaries()
    {
        const auto nameOf = [](Spec spec, const std::vector<std::string>& varied) {
            std::vector<VariedParameter> parameters;
            for (const std::string& text : varied) {
                parameters.push_back(*parseVaried(text));
            }
            return nameByVariation(*vary(std::move(spec), parameters)).english;
        };
        const Spec adam = own({{"optimizer.name", std::string("adam")}});
        QCOMPARE(nameOf(adam, {"optimizer.lr=0.01,0.1"}), std::string("Adam, learning rate"));
        QCOMPARE(nameOf(adam, {"optimizer.lr=0.01,0.1", "train.batch=16,32"}),
            std::string("Adam, learning rate, batch size"));
        QCOMPARE(nameByVariation(adam).english, std::string("Adam, MLP"));
        const auto nameOfProgram = [](const std::string& command) {
            const Spec spec = own({{"strategy.name", std::string("own")}, {"rank.program", command}});
            return nameByVariation(spec).english;
        };
        QCOMPARE(nameOfProgram("/usr/bin/python3 '/home/a b/train.py' --lr 0.1"), std::string("train.py"));
        QCOMPARE(nameOfProgram("env -C /tmp torchrun --nproc_per_node 2 ddp.py"), std::string("ddp.py"));
        QCOMPARE(nameOfProgram("python3 -m models.train"), std::string("models.train"));
        QCOMPARE(nameOfProgram("/opt/bin/rank -x"), std::string("rank"));
    }

    /// Runs are filed under their title; its preset's own title makes no other experiment.
    void runsKnowTheirExperiment()
    {
        Spec spec = *preset("optimizers");
        QCOMPARE(experimentKey(expand(spec)->front()), std::string("optimizers"));
        QCOMPARE(experimentKey("optimizers", {}), std::string("optimizers"));
        spec.about.title = {"Momentum sweep", {}};
        spec.about.question = {"Does momentum help?", {}};
        const RunSpec run = expand(spec)->front();
        QVERIFY(experimentKey(run) != "optimizers");
        const auto read = parseRunSpec(toJson(run));
        QVERIFY(read.isOk());
        QCOMPARE(read->title.en, std::string("Momentum sweep"));
        QCOMPARE(read->question.en, std::string("Does momentum help?"));
        const std::vector<RunSpec> runs{run, expand(*preset("optimizers"))->front()};
        const std::vector<Spec> specs = specsOfRuns(runs);
        QCOMPARE(specs.size(), std::size_t{2});
        QCOMPARE(specs[0].about.title.en, std::string("Momentum sweep"));
        QCOMPARE(specs[0].about.question.en, std::string("Does momentum help?"));
    }

    void everyPresetHasATitleAndAQuestion()
    {
        for (const std::string_view name : presetNames()) {
            const About& about = aboutPreset(name);
            for (const Wording& each : {about.title, about.question}) {
                QVERIFY2(!each.en.empty() && !each.zh.empty(), std::string(name).c_str());
            }
        }
    }

    /// A script has its data, net and optimizer from itself.
    void ownProgramsUseWhatTheyAreGiven()
    {
        const Assignment settings = withDefaults({{"rank.program", std::string("python3 train.py")}}, {});
        QVERIFY(!isUsed(*findParameter("net.name"), settings));
        QVERIFY(!isUsed(*findParameter("optimizer.lr"), settings));
        QVERIFY(isUsed(*findParameter("rank.program"), settings));
        QVERIFY(isUsed(*findParameter("world_size"), settings));
        QVERIFY(isUsed(*findParameter("net.name"), withDefaults({}, {})));
    }
};

LOCKSTEP_TEST(TestVariantName)
#include "test_variant_name.moc"
