// The names in a run's JSON are a contract with users' scripts: they stay, in their order.
#include "exchange/export/run_json.h"
#include "program/test_class.h"

#include "analysis/figures/figure.h"
#include "experiment/spec.h"

#include <QStringList>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace lockstep;

namespace {

analysis::RunRecord singleRun()
{
    analysis::RunRecord run;
    run.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    run.status = analysis::RunStatus::Finished;
    return run;
}

nlohmann::ordered_json summaryOf(const analysis::RunRecord& run)
{
    return nlohmann::ordered_json::parse(exchange::runsAsJson({run}))["runs"][0]["summary"];
}

} // namespace

class TestRunJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesStayInTheirOrder()
    {
        QStringList names;
        const nlohmann::ordered_json summary = summaryOf(singleRun());
        for (const auto& [name, value] : summary.items()) {
            names += QString::fromStdString(name);
        }
        const QStringList pinned{"final_loss", "best_loss", "test_accuracy", "best_test_accuracy", "ms_per_step",
            "samples_per_s", "comm_ms_per_step", "wait_ms_per_step", "between_hosts_ms_per_step", "comm_fraction",
            "comms_with_wait", "hosts", "bytes_per_step", "bytes_modelled", "seconds_to_first_loss",
            "verify_max_relative_difference", "verify_drifts", "interfered", "label_skew", "staleness", "staleness_max",
            "overlap_fraction", "exposed_ms_per_step", "critical_comm_ms_per_step", "critical_rank", "critical_share",
            "bubble_fraction", "bytes_by_kind", "cores", "steps", "dropped_spans", "train_seconds", "memory_by_rank"};
        QStringList known = names; // figures may be added between them
        known.removeIf([&pinned](const QString& name) { return !pinned.contains(name); });
        QCOMPARE(known, pinned);
    }

    void everyFigureHasItsValue()
    {
        analysis::RunRecord run = singleRun();
        double value = 0.5;
        for (const analysis::Figure& figure : analysis::figures()) {
            if (figure.member != nullptr) {
                run.summary.*figure.member = value++;
            }
        }
        const nlohmann::ordered_json json = summaryOf(run);
        for (const analysis::Figure& figure : analysis::figures()) {
            const std::string name(figure.name);
            if (figure.member != nullptr && figure.isInResults) {
                QVERIFY2(json.contains(name) && json[name].is_number(), name.c_str());
                QCOMPARE(json[name].get<double>(), run.summary.*figure.member);
            }
        }
        QCOMPARE(json["verify_drifts"].dump(), std::string("[]"));
        QVERIFY(json["bytes_by_kind"].is_object() && json["memory_by_rank"].is_array() && json["hosts"].is_null());
        QVERIFY(summaryOf(singleRun())["final_loss"].is_null()); // not measured
    }
};

LOCKSTEP_TEST(TestRunJson)
#include "test_run_json.moc"
