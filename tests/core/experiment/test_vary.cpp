// `--vary`: lists of values, ranges, and the variants that they make.
#include "core/experiment/message_of.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "experiment/vary.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <set>

using namespace lockstep;
using namespace lockstep::experiment;
using lockstep::tests::messageOf;

namespace {

Result<Spec> variedSpec(Spec spec, const std::vector<std::string>& texts)
{
    std::vector<VariedParameter> varied;
    for (const std::string& text : texts) {
        LOCKSTEP_TRY_ASSIGN(auto one, parseVaried(text));
        varied.push_back(std::move(one));
    }
    return vary(std::move(spec), varied);
}

QStringList namesOf(const Result<Spec>& spec)
{
    QStringList names;
    for (const Variant& variant : spec->variants) {
        names += QString::fromStdString(variant.name);
    }
    return names;
}

Spec plain()
{
    return {"optimizers", {{"optimizer.name", std::string("momentum")}}, {}, 1};
}

} // namespace

class TestVary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void severalParametersGiveTheirGrid()
    {
        const auto spec = variedSpec(plain(), {"optimizer.momentum=0.5,0.9", "train.batch=16,32,64"});
        QVERIFY2(spec.isOk(), qPrintable(messageOf(spec)));
        QCOMPARE(namesOf(spec).join(u'|'),
            QStringLiteral("momentum=0.5 batch=16|momentum=0.5 batch=32|momentum=0.5 batch=64|momentum=0.9 batch=16|"
                           "momentum=0.9 batch=32|momentum=0.9 batch=64"));
        const auto runs = expand(*spec);
        QVERIFY2(runs.isOk(), qPrintable(messageOf(runs)));
        QCOMPARE(runs->size(), std::size_t{6});
        QCOMPARE(runs->at(4).settings->optimizer.momentum, 0.9);
        QCOMPARE(runs->at(4).settings->train.batch, std::int64_t{32});
    }

    void everyVariantTakesEveryValue()
    {
        auto optimizers = *preset("optimizers");
        optimizers.repeats = 1;
        const auto spec = variedSpec(optimizers, {"net.name=mlp,logistic"});
        QVERIFY2(spec.isOk(), qPrintable(messageOf(spec)));
        QCOMPARE(namesOf(spec),
            (QStringList{"GD mlp", "GD logistic", "SGD mlp", "SGD logistic", "Adam mlp", "Adam logistic"}));
        QCOMPARE(std::get<double>(spec->variants[1].values.at("optimizer.lr")), 0.1);
    }

    /// Momentum applies to one of the two optimizers; SGD is made once, under a name without it.
    void combinationsThatAreEqualAreMadeOnce()
    {
        const auto spec
            = variedSpec({"optimizers", {}, {}, 1}, {"optimizer.name=sgd,momentum", "optimizer.momentum=0.5,0.9"});
        QVERIFY2(spec.isOk(), qPrintable(messageOf(spec)));
        QCOMPARE(namesOf(spec), (QStringList{"sgd", "momentum momentum=0.5", "momentum momentum=0.9"}));
        QVERIFY(!spec->variants[0].values.contains("optimizer.momentum"));
        QVERIFY(expand(*spec).isOk());
    }

    void aSingleProcessKeepsItsRank()
    {
        Spec spec = plain();
        spec.base["strategy.name"] = std::string("data");
        spec.variants = {{"single", {{"strategy.name", std::string("single")}}}, {"ranks", {}}};
        const auto made = variedSpec(spec, {"world_size=2,4"});
        QVERIFY2(made.isOk(), qPrintable(messageOf(made)));
        QCOMPARE(namesOf(made), (QStringList{"single", "ranks world_size=2", "ranks world_size=4"}));
        QVERIFY2(expand(*made).isOk(), qPrintable(messageOf(expand(*made))));
    }

    void listsAreSeparatedBySemicolons()
    {
        const auto varied = parseVaried("straggler.ranks=;0;1,2");
        QVERIFY2(varied.isOk(), qPrintable(messageOf(varied)));
        QCOMPARE(varied->values.size(), std::size_t{3});
        QCOMPARE(std::get<std::vector<std::int64_t>>(varied->values[0]).size(), std::size_t{0});
        QCOMPARE(std::get<std::vector<std::int64_t>>(varied->values[2]), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(valuesText(*varied->parameter, varied->values), std::string(";0;1,2"));
        Spec spec = plain();
        spec.base["strategy.name"] = std::string("data");
        const auto made = vary(spec, std::vector{*varied});
        QVERIFY2(made.isOk(), qPrintable(messageOf(made)));
        // Names have no comma, because --only separates them by commas.
        QCOMPARE(namesOf(made), (QStringList{"ranks=none", "ranks=0", "ranks=1+2"}));
    }

    void partsOfNamesThatAreAlikeAreWrittenOut()
    {
        Spec spec = plain();
        spec.base["strategy.name"] = std::string("data");
        const auto made = variedSpec(spec, {"straggler.ranks=0;1", "link.ranks=0"});
        QVERIFY2(made.isOk(), qPrintable(messageOf(made)));
        QCOMPARE(namesOf(made).front(), QStringLiteral("straggler.ranks=0 link.ranks=0"));
    }

    void namesFollowTheirValues()
    {
        const Parameter& rate = *findParameter("optimizer.lr");
        const Parameter& net = *findParameter("net.name");
        QCOMPARE(namePart(rate, Value(0.1)), std::string("lr=0.1"));
        QCOMPARE(namePart(net, Value(std::string("cnn"))), std::string("cnn"));
        QCOMPARE(withoutNamePart("SGD lr=0.1 batch=32", rate), std::string("SGD batch=32"));
        QCOMPARE(withoutNamePart("lr=0.1", rate), std::string());
        QCOMPARE(withoutNamePart("lrr=0.1 lr", rate), std::string("lrr=0.1 lr"));
        QCOMPARE(withNamePart("SGD lr=0.1 cnn", rate, Value(0.2)), std::string("SGD lr=0.2 cnn"));
        QCOMPARE(withNamePart("SGD optimizer.lr=0.1", rate, Value(0.2)), std::string("SGD optimizer.lr=0.2"));
        QCOMPARE(withNamePart("SGD cnn", net, Value(std::string("mlp"))), std::string("SGD mlp"));
        QCOMPARE(withNamePart("SGD", net, Value(std::string("mlp"))), std::string("SGD"));
    }

    void oneRemainingVariantMayBeVariedByWhatItSets()
    {
        const auto one = customise(*preset("optimizers"), {}, std::vector<std::string>{"SGD"});
        const auto made = variedSpec(*one, {"optimizer.lr=0.1,0.2"});
        QVERIFY2(made.isOk(), qPrintable(messageOf(made)));
        QCOMPARE(namesOf(made), (QStringList{"SGD lr=0.1", "SGD lr=0.2"}));
        QCOMPARE(std::get<double>(made->variants[1].values.at("optimizer.lr")), 0.2);
    }

    void signsOfChineseKeyboardsAreTheirTwins()
    {
        const auto rates = parseVaried("optimizer.lr＝0.01，０．０３、0.1");
        QVERIFY2(rates.isOk(), qPrintable(messageOf(rates)));
        QCOMPARE(valuesText(*rates->parameter, rates->values), std::string("0.01,0.03,0.1"));
        const auto ranks = parseVaried("straggler.ranks=0；1，２");
        QVERIFY2(ranks.isOk(), qPrintable(messageOf(ranks)));
        QCOMPARE(valuesText(*ranks->parameter, ranks->values), std::string("0;1,2"));
        const auto wrong = parseVaried("optimizer.lr=0.01，fast、0.1");
        QVERIFY(messageOf(wrong).contains(QStringLiteral("fast is not")));
        const auto item = parseVaried("straggler.ranks=0,x,2");
        QVERIFY2(messageOf(item).startsWith(QStringLiteral("straggler.ranks: x is not")), qPrintable(messageOf(item)));
    }

    void whatCannotBeVariedIsRefused_data()
    {
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<QString>("message");
        QTest::addRow("no values") << QStringList{"train.batch"} << "--vary: \"train.batch\" is not KEY=VALUE,VALUE";
        QTest::addRow("unknown") << QStringList{"train.bach=1,2"}
                                 << "train.bach: no such parameter; did you mean train.batch?";
        QTest::addRow("empty") << QStringList{"train.batch="}
                               << "train.batch: an empty value is not an integer in [1, 1000000]";
        QTest::addRow("value") << QStringList{"optimizer.momentum=0.5,2"} << "optimizer.momentum: 2 is outside [0, 1)";
        QTest::addRow("double") << QStringList{"train.batch=16,32,16"} << "train.batch: 16 is given twice";
        QTest::addRow("double in another form")
            << QStringList{"optimizer.lr=0.1,0.10"} << "optimizer.lr: 0.10 is given twice";
        QTest::addRow("twice") << QStringList{"train.batch=16,32", "train.batch=64"}
                               << "train.batch: is varied twice; give all its values in one list";
        QTest::addRow("repeats") << QStringList{"repeats=1,2"}
                                 << "repeats: cannot be varied; every variant has the same number: --set repeats=3";
        QTest::addRow("variants set it") << QStringList{"optimizer.lr=0.1,0.2"}
                                         << "optimizer.lr: cannot be varied, because variants set it already (GD, SGD, "
                                            "Adam); choose one of them with "
                                            "--only NAME";
        QTest::addRow("applies nowhere") << QStringList{"zero.stage=1,2"}
                                         << "zero.stage: has no effect in this experiment: it applies where "
                                            "strategy.name is zero";
        QTest::addRow("single process") << QStringList{"world_size=1,2"}
                                        << "world_size: has no effect in this experiment: it runs single processes";
    }

    void whatCannotBeVariedIsRefused()
    {
        QFETCH(QStringList, texts);
        QFETCH(QString, message);
        std::vector<std::string> plainTexts;
        for (const QString& text : texts) {
            plainTexts.push_back(text.toStdString());
        }
        const auto spec = variedSpec(*preset("optimizers"), plainTexts);
        QVERIFY(!spec.isOk());
        QCOMPARE(messageOf(spec), message);
    }

    void tooManyRunsAreRefused()
    {
        std::string seeds = "train.seed=";
        for (int i = 0; i < 100; ++i) {
            seeds += (i == 0 ? "" : ",") + std::to_string(i);
        }
        QVERIFY(variedSpec(plain(), {seeds, "train.batch=1,2,3,4,5,6,7,8,9,10"}).isOk());
        const auto spec = variedSpec(plain(), {seeds, "train.batch=1,2,3,4,5,6,7,8,9,10,11"});
        QCOMPARE(messageOf(spec),
            QStringLiteral("train.batch: variants times repeats give 1100 runs; at most 1000 are "
                           "allowed"));
    }

    void rangesAreLinearOrLogarithmic()
    {
        const Parameter& rate = *findParameter("optimizer.lr");
        const auto linear = valuesInRange(rate, 0.1, 0.5, 5, Spacing::Linear);
        QCOMPARE(valuesText(rate, *linear), std::string("0.1,0.2,0.3,0.4,0.5"));
        const auto ratios = valuesInRange(rate, 0.001, 1.0, 4, Spacing::Logarithmic);
        QCOMPARE(valuesText(rate, *ratios), std::string("0.001,0.01,0.1,1"));
        const auto down = valuesInRange(rate, 1.0, 0.01, 3, Spacing::Logarithmic);
        QCOMPARE(valuesText(rate, *down), std::string("1,0.1,0.01"));
        const Parameter& batch = *findParameter("train.batch");
        QCOMPARE(valuesText(batch, *valuesInRange(batch, 1, 256, 9, Spacing::Logarithmic)),
            std::string("1,2,4,8,16,32,64,128,256"));
        QCOMPARE(valuesText(batch, *valuesInRange(batch, 1, 3, 9, Spacing::Linear)), std::string("1,2,3"));
    }

    void rangesThatCannotBeAreRefused()
    {
        const Parameter& rate = *findParameter("optimizer.lr");
        const auto message = [&](const Parameter& parameter, double first, double last, int count, Spacing spacing) {
            return messageOf(valuesInRange(parameter, first, last, count, spacing));
        };
        QCOMPARE(message(rate, 0.0, 1.0, 3, Spacing::Logarithmic),
            QStringLiteral("optimizer.lr: a logarithmic range needs numbers above 0"));
        QCOMPARE(message(rate, 0.1, 0.1, 3, Spacing::Linear),
            QStringLiteral("optimizer.lr: a range needs two numbers that differ"));
        QCOMPARE(message(rate, 0.1, NAN, 3, Spacing::Linear),
            QStringLiteral("optimizer.lr: a range needs two numbers that differ"));
        QCOMPARE(message(rate, 0.1, 0.2, 1, Spacing::Linear),
            QStringLiteral("optimizer.lr: 1 values are outside [2, 1000]"));
        QVERIFY(message(rate, -1.0, 1.0, 3, Spacing::Linear).startsWith(u"optimizer.lr: -1 is outside"));
        QVERIFY(message(*findParameter("net.name"), 1.0, 2.0, 3, Spacing::Linear)
                    .startsWith(u"net.name: a range needs a numeric parameter"));
    }

    void aRandomSampleIsTheSameForItsSeed()
    {
        const auto sample = randomSample(100, 10, Seed{7});
        QCOMPARE(sample.size(), std::size_t{10});
        QCOMPARE(std::set<std::size_t>(sample.begin(), sample.end()).size(), std::size_t{10});
        QVERIFY(std::is_sorted(sample.begin(), sample.end()) && sample.back() < 100);
        QCOMPARE(randomSample(100, 10, Seed{7}), sample);
        QVERIFY(randomSample(100, 10, Seed{8}) != sample);
        QCOMPARE(randomSample(3, 10, Seed{7}), (std::vector<std::size_t>{0, 1, 2}));
    }
};

LOCKSTEP_TEST(TestVary)
#include "test_vary.moc"
