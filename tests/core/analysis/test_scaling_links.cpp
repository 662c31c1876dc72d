#include "analysis/findings/all_findings.h"
#include "core/analysis/scaling_runs.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests::scaling;

class TestScalingLinks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNumberOfRanksHasTheLinkThatItMeasured()
    {
        auto runs = everything();
        runs.push_back(link("link-8", 4.0));
        runs.push_back(link("link-4", 2.0));
        for (RunRecord& each : runs) {
            each.summary.cores = 4;
        }
        const ScalingStudy study = scalingStudy(runs);
        const ScalingModel& model = *study.curves.front().model;
        QCOMPARE(model.links.size(), std::size_t{3});
        QVERIFY(model.reach == LinkReach::SharedMemory && model.areArraysShared);
        for (const auto& [ranks, measured] : {std::pair{1, 2}, {2, 2}, {3, 2}, {4, 4}, {6, 4}, {8, 8}, {64, 8}}) {
            QCOMPARE(model.linkOf(ranks, Cores::AtHand).ranks, measured);
            // What was measured on more ranks than cores says nothing about ranks with a core each.
            QCOMPARE(model.linkOf(ranks, Cores::Enough).ranks, std::min(measured, 4));
        }
        QVERIFY(std::abs(model.communicateMs(8, Cores::AtHand) - 4.0 * ringMs(8)) < 1e-9);
        QVERIFY(std::abs(model.communicateMs(8, Cores::Enough) - 2.0 * ringMs(8)) < 1e-9);
    }

    /// Two links: one within a host, one between hosts, eight times as slow.
    void ranksOverHostsHaveTwoLinks()
    {
        constexpr double Slower = 8.0;
        const auto onHosts = [](RunRecord made, std::int64_t hosts) {
            made.summary.hosts = hosts;
            made.summary.cores = 64 * hosts;
            made.id.text += "@" + std::to_string(hosts);
            return made;
        };
        /// As slow as the model says.
        const auto trainedOver = [&](const char* variant, int hosts) {
            RunRecord made = onHosts(trained(variant), hosts);
            const int ranks = ranksOf(made);
            const int inside = ranks / hosts;
            made.summary.msPerStep = ParallelMs / ranks + SerialMs + ringMs(inside) + Slower * ringMs(hosts);
            made.summary.commMsPerStep = ringMs(inside) + Slower * ringMs(hosts);
            made.summary.samplesPerSecond = 32.0 / made.summary.msPerStep * 1e3;
            return made;
        };
        std::vector<RunRecord> runs{trained("single"), trained("2"), trainedOver("2", 2), trainedOver("4", 2),
            trainedOver("4", 4), link("link", 1.0, true)};
        const auto curveOf = [](const ScalingStudy& study, int ranksPerHost) {
            for (const ScalingCurve& curve : study.curves) {
                if (curve.model && curve.model->ranksPerHost == ranksPerHost) {
                    return curve;
                }
            }
            return ScalingCurve{};
        };
        // A link within a host says nothing about one between hosts.
        const auto within = scalingStudy(runs);
        QCOMPARE(within.curves.size(), std::size_t{3});
        QVERIFY(curveOf(within, 0).model && !curveOf(within, 1).model && !curveOf(within, 2).model);
        runs.push_back(onHosts(link("link", Slower, false), 2));
        const ScalingStudy study = scalingStudy(runs);
        for (const int ranksPerHost : {0, 1, 2}) {
            const ScalingCurve curve = curveOf(study, ranksPerHost);
            QVERIFY(curve.model.has_value());
            for (const ScalingPoint& point : curve.points) {
                const double predicted = curve.model->speedUp(point.ranks, Cores::AtHand);
                QVERIFY2(std::abs(predicted / point.speedUp.mean - 1.0) < 1e-9,
                    qPrintable(QString("%1 for %2 ranks").arg(predicted).arg(point.ranks)));
            }
        }
        QCOMPARE(curveOf(study, 0).apart, std::string("one host"));
        QCOMPARE(curveOf(study, 1).apart, std::string("ranks per host 1"));
        QCOMPARE(curveOf(study, 1).points.size(), std::size_t{3});
        QVERIFY(curveOf(study, 2).model->reach == LinkReach::Hosts);
        QVERIFY(curveOf(study, 0).model->reach == LinkReach::SharedMemory);
        const auto told = findings(runs);
        QVERIFY(
            textOf(told, "scaling.prediction", 2)
                .contains("a link of 50.0 µs, 1.00 GB/s within a host and one of 400 µs, 0.125 GB/s between hosts"));
        QVERIFY(textOf(told, "scaling.extrapolation").startsWith("Extrapolated to more such hosts (ranks on each: 1)"));
        // One rank on each host needs no link within a host.
        std::erase_if(
            runs, [](const RunRecord& each) { return !each.measurements.empty() && each.summary.hosts == 1; });
        QVERIFY(curveOf(scalingStudy(runs), 1).model.has_value());
        QVERIFY(!curveOf(scalingStudy(runs), 2).model.has_value());
    }

    /// The same spec on more hosts is another measurement.
    void runsOnOtherHostsAreNoRepeats()
    {
        RunRecord one = trained("2");
        RunRecord two = trained("2");
        QVERIFY(areRepeats(one, two));
        two.summary.hosts = 0;
        QVERIFY(areRepeats(one, two)); // of one that does not know
        two.summary.hosts = 2;
        QVERIFY(!areRepeats(one, two));
        RunRecord older = trained("2");
        older.summary.hosts = 0;
        for (const std::vector<RunRecord>& runs : {std::vector{older, one, two}, std::vector{two, older, one}}) {
            std::size_t curves = 0;
            std::vector<RunRecord> all = runs;
            all.push_back(trained("single"));
            for (const ScalingCurve& curve : scalingStudy(all).curves) {
                curves += curve.points.back().runs.size();
            }
            QCOMPARE(curves, std::size_t{3});
            QCOMPARE(scalingStudy(all).curves.size(), std::size_t{2});
        }
    }

    void theLinkIsThatOfTrainingsArraysWhereItWasMeasured()
    {
        auto runs = everything();
        runs.back() = link("link", 3.0, false); // of copied arrays, as older runs have it
        QVERIFY(!scalingStudy(runs).curves.front().model->areArraysShared);
        runs.push_back(link("link-4", 2.0));
        const ScalingStudy preferred = scalingStudy(runs);
        const ScalingModel& model = *preferred.curves.front().model;
        QVERIFY(model.areArraysShared);
        QCOMPARE(model.links.size(), std::size_t{1});
        QCOMPARE(model.links[0].ranks, 4);
        // Weights are averaged in place, which needs the link of copied arrays.
        for (RunRecord& each : runs) {
            each.spec.settings["aggregation.what"] = std::string("weights");
        }
        const auto study = scalingStudy(runs);
        QVERIFY(!study.curves.front().model->areArraysShared);
        // Groups that measured beside each other are no link of one group.
        for (RunRecord& each : runs) {
            each.spec.settings["sweep.groups"] = std::int64_t{2};
        }
        QVERIFY(!scalingStudy(runs).curves.front().model);
    }

    void aLinkOfOneMachineIsSaidNotToCarryBeyondIt()
    {
        auto runs = everything();
        const auto figureOf = [](const std::vector<Finding>& all, std::string_view kind, std::string_view name) {
            for (const Finding& finding : all) {
                for (const auto& [each, value] : finding.kind == kind ? finding.figures : decltype(finding.figures)()) {
                    if (each == name) {
                        return value;
                    }
                }
            }
            return NotMeasured;
        };
        const auto shared = findings(runs);
        QCOMPARE(textOf(shared, "scaling.link"),
            QString("The link behind the predictions was measured as training uses it, in one machine's shared memory. "
                    "It does not carry over to ranks on several machines; links of a cluster can be emulated."));
        QCOMPARE(figureOf(shared, "scaling.prediction", "link_carries_beyond_machine"), 0.0);
        QVERIFY(textOf(findings(std::vector{runs.back()}), "collectives.fit")
                    .contains("one machine's shared memory and do not carry over"));
        runs.back() = link("link", 1.0, false);
        QVERIFY(textOf(findings(runs), "scaling.link").contains("between processes of one machine"));
        // An emulated link represents one between machines.
        for (RunRecord& each : runs) {
            each.spec.settings["link.latency_us"] = 50.0;
        }
        const auto emulated = findings(runs);
        QVERIFY(textOf(emulated, "scaling.link").isEmpty());
        QCOMPARE(figureOf(emulated, "scaling.prediction", "link_carries_beyond_machine"), 1.0);
        QVERIFY(!textOf(findings(std::vector{runs.back()}), "collectives.fit").contains("carry over"));
    }
};

LOCKSTEP_TEST(TestScalingLinks)
#include "test_scaling_links.moc"
