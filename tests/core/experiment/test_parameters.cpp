#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "program/test_class.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

using namespace lockstep;
using namespace lockstep::experiment;

class TestParameters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyRowFillsItsMember()
    {
        std::vector<Member> filled;
        for (const Parameter& row : parameters()) {
            const std::string name(row.name);
            Settings settings;
            QVERIFY2(row.fills.fill(settings, row.standard), name.c_str()); // the types fit
            QVERIFY2(std::ranges::find(filled, row.fills) == filled.end(), name.c_str());
            filled.push_back(row.fills);
            QCOMPARE(nameOf(row.fills), name);
            QVERIFY2(std::ranges::equal(row.choices, row.fills.names(), {}, &Choice::name), name.c_str());
        }
    }

    void settingsFollowTheirNames()
    {
        RunSpec run{"own", "own", 0, {{"straggler.delay_ms", 2.5}, {"strategy.name", std::string("zero")}}};
        QCOMPARE(run.settings->straggler.delayMs, 2.5);
        QCOMPARE(run.settings->straggler.factor, 1.0); // the default
        QVERIFY(is(run, Strategy::Zero));
        run.settings["straggler.delay_ms"] = 4.0;
        QCOMPARE(run.settings->straggler.delayMs, 4.0);
        run.settings.set(&RankSettings::strategy, Strategy::Grid);
        QVERIFY(run.settings.at("strategy.name") == Value(std::string("grid")));
        QCOMPARE(run.settings->rank.strategy, Strategy::Grid);
        run.settings["own.lr"] = 0.5; // has a row, but no member
        QVERIFY(run.settings.contains("own.lr"));
    }

    void aRunsChoicesAreTyped()
    {
        const auto run = parseRunSpec(R"({"version":1,"experiment":"sharding","base":{"strategy.name":"grid"}})");
        QVERIFY2(run.isOk(), run ? "" : run.error().message.c_str());
        QCOMPARE(choice<Strategy>(*run), Strategy::Grid);
        QVERIFY(is(*run, Strategy::Grid));
        QVERIFY(is(*run, Strategy::Data, Strategy::Grid));
        QVERIFY(!is(*run, Strategy::Data, Strategy::Zero));
        QCOMPARE(nameOf(Strategy::Zero), std::string_view("zero"));
        QCOMPARE(choice<LrSchedule>(*run), LrSchedule::Constant);
    }

    void everyRowIsComplete()
    {
        std::set<std::string_view> names;
        for (const Parameter& row : parameters()) {
            const std::string name(row.name);
            QVERIFY2(names.insert(row.name).second, name.c_str());
            QVERIFY2(!row.label.empty() && !row.help.empty() && !row.group.empty(), name.c_str());
            QVERIFY2(row.help.ends_with('.'), name.c_str());
            QVERIFY2(checkValue(row, row.standard).isOk(), name.c_str());
            QCOMPARE(row.type == Type::Choice, !row.choices.empty());
            for (const Condition& condition : row.appliesWhen) {
                const Parameter* other = findParameter(condition.parameter);
                QVERIFY2(other != nullptr, name.c_str());
                for (const std::string_view value : condition.values) {
                    QVERIFY2(parseValue(*other, value).isOk(), name.c_str());
                }
            }
        }
    }

    void defaultsReadBackFromTheirText()
    {
        for (const Parameter& row : parameters()) {
            const auto value = parseValue(row, toText(row.standard));
            QVERIFY2(value.isOk(), std::string(row.name).c_str());
            QVERIFY(*value == row.standard);
        }
    }

    void wrongValuesAreRefusedByName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::addRow("below") << "optimizer.lr"
                               << "-1"
                               << "optimizer.lr: -1 is outside (0, 10]";
        QTest::addRow("open end") << "optimizer.lr"
                                  << "0"
                                  << "optimizer.lr: 0 is outside (0, 10]";
        QTest::addRow("above") << "optimizer.lr"
                               << "10.5"
                               << "optimizer.lr: 10.5 is outside (0, 10]";
        QTest::addRow("open maximum") << "optimizer.momentum"
                                      << "1"
                                      << "optimizer.momentum: 1 is outside [0, 1)";
        QTest::addRow("no number") << "optimizer.lr"
                                   << "fast"
                                   << "optimizer.lr: fast is not a number in (0, 10]";
        QTest::addRow("nan") << "optimizer.lr"
                             << "nan"
                             << "optimizer.lr: nan is not a number in (0, 10]";
        QTest::addRow("inf") << "optimizer.lr"
                             << "inf"
                             << "optimizer.lr: inf is outside (0, 10]";
        QTest::addRow("trailing") << "train.batch"
                                  << "64x"
                                  << "train.batch: 64x is not an integer in [1, 1000000]";
        QTest::addRow("fraction") << "train.batch"
                                  << "6.5"
                                  << "train.batch: 6.5 is not an integer in [1, 1000000]";
        QTest::addRow("too large") << "train.batch"
                                   << "99999999999999999999"
                                   << "train.batch: 99999999999999999999 is not an integer in [1, 1000000]";
        QTest::addRow("empty") << "train.batch"
                               << ""
                               << "train.batch: an empty value is not an integer in [1, 1000000]";
        QTest::addRow("choice") << "net.name"
                                << "vgg"
                                << "net.name: vgg is not one of logistic, mlp, cnn, lenet5, deep-mlp, gpt";
        QTest::addRow("device") << "device"
                                << "tpu"
                                << "device: tpu is not auto, cpu or cuda:N";
        QTest::addRow("device number") << "device"
                                       << "cuda:x"
                                       << "device: cuda:x is not auto, cpu or cuda:N";
    }
    void wrongValuesAreRefusedByName()
    {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Parameter* row = findParameter(name.toStdString());
        QVERIFY(row != nullptr);
        const auto value = parseValue(*row, text.toStdString());
        QVERIFY(!value.isOk());
        QCOMPARE(QString::fromStdString(value.error().message), message);
    }

    void textIsTheShortestThatReadsBack()
    {
        QCOMPARE(toText(0.1), std::string("0.1"));
        QCOMPARE(toText(1e-3), std::string("0.001"));
        QCOMPARE(toText(std::int64_t{64}), std::string("64"));
        QCOMPARE(toText(true), std::string("true"));
        QCOMPARE(toText(std::vector<std::int64_t>{0, 2, 3}), std::string("0,2,3"));
    }

    void conditionsDecideWhatApplies()
    {
        auto spec = preset("optimizers");
        QVERIFY(spec.isOk());
        spec->repeats = 1;
        auto runs = expand(*spec);
        QVERIFY(runs.isOk());
        const Parameter* batch = findParameter("train.batch");
        const Parameter* beta = findParameter("optimizer.beta1");
        QVERIFY(!applies(*batch, runs->at(0).settings)); // GD
        QVERIFY(applies(*batch, runs->at(1).settings)); // SGD
        QVERIFY(!applies(*beta, runs->at(1).settings));
        QVERIFY(applies(*beta, runs->at(2).settings)); // Adam
    }

    void whatDoesNotApplyHasNoEffect_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("others");
        QTest::addColumn<bool>("isKept");
        const auto addRow = [](const char* name, const char* value, const char* others, bool isKept) {
            QTest::addRow("%s, %s", name, others) << name << value << others << isKept;
        };
        addRow("device.gpus", "0,1", "strategy.name=data", true);
        addRow("device.gpus", "0,1", "device=cuda:1", false);
        addRow("device.gpus", "0,1", "device=cpu", false);
        addRow("comm.nccl_shared_gpu", "true", "strategy.name=data", true);
        addRow("comm.nccl_shared_gpu", "true", "strategy.name=data comm.backend=nccl", true);
        addRow("comm.nccl_shared_gpu", "true", "strategy.name=data comm.backend=gloo", false);
        addRow("comm.nccl_shared_gpu", "true", "strategy.name=single", false);
        addRow("train.precision", "bfloat16", "train.dtype=float32", true);
        addRow("train.precision", "bfloat16", "train.dtype=float64", false);
        addRow("train.precision", "float16", "strategy.name=collectives", false);
        addRow("train.channels_last", "true", "net.name=cnn", true);
        addRow("train.channels_last", "true", "net.name=mlp", false);
        addRow("train.graphs", "false", "strategy.name=single", true);
        addRow("train.graphs", "false", "strategy.name=data", true);
        addRow("train.graphs", "false", "strategy.name=zero", false);
        addRow("measure.mode", "measure", "strategy.name=data", true);
        addRow("measure.mode", "measure", "strategy.name=single", false);
    }
    void whatDoesNotApplyHasNoEffect()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, others);
        QFETCH(bool, isKept);
        const Parameter& row = *findParameter(name.toStdString());
        Spec spec{.experiment = "optimizers", .base = {}, .variants = {}, .repeats = 1};
        for (const QString& each : others.split(' ')) {
            const Parameter& other = *findParameter(each.section('=', 0, 0).toStdString());
            spec.base[std::string(other.name)] = parseValue(other, each.section('=', 1).toStdString()).value();
        }
        const Value given = parseValue(row, value.toStdString()).value();
        spec.base[std::string(row.name)] = given;
        QVERIFY(given != row.standard);
        const auto runs = expand(spec);
        QVERIFY(runs.isOk());
        QCOMPARE(runs->front().settings.at(std::string(row.name)) == given, isKept);
    }

    void jsonHasEveryRow()
    {
        const auto json = nlohmann::json::parse(parametersJson());
        QCOMPARE(json["version"].get<int>(), 1);
        QCOMPARE(json["parameters"].size(), parameters().size());
        const auto& lr = *std::find_if(json["parameters"].begin(), json["parameters"].end(),
            [](const auto& row) { return row["name"] == "optimizer.lr"; });
        QCOMPARE(lr["default"].get<double>(), 0.1);
        QCOMPARE(lr["minimum"]["included"].get<bool>(), false);
        QCOMPARE(lr["maximum"]["value"].get<double>(), 10.0);
    }

    /// When this fails: build/bin/lockstep parameters --markdown > resources/docs/parameters.md
    void referencePageEqualsTheTable()
    {
        QFile file(QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/docs/parameters.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), QString::fromStdString(parametersMarkdown()));
    }
};

LOCKSTEP_TEST(TestParameters)
#include "test_parameters.moc"
