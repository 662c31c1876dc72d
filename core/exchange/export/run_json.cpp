#include "exchange/export/run_json.h"

#include "analysis/figures/comparison.h"
#include "analysis/figures/figure.h"
#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "analysis/scaling/bandwidth.h"
#include "analysis/scaling/link_fit.h"
#include "analysis/timing/traffic_by_kind.h"
#include "experiment/choices.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "plan/net.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lockstep::exchange {

namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json curveJson(const analysis::Curve& curve)
{
    return {{"step", curve.step}, {"epoch", curve.epoch}, {"seconds", curve.seconds}, {"value", curve.value}};
}

[[nodiscard]] Json seriesJson(const analysis::RunRecord& record)
{
    Json series{{"loss", curveJson(record.loss)}, {"accuracy", curveJson(record.accuracy)},
        {"test_loss", curveJson(record.testLoss)}, {"train_loss", curveJson(record.trainLoss)}};
    for (const auto& [name, curve] : record.metrics) {
        if (!series.contains(name) || series[name]["step"].empty()) {
            series[name] = curveJson(curve);
        }
    }
    return series;
}

[[nodiscard]] Json trafficJson(const analysis::RunRecord& record)
{
    Json kinds = Json::object();
    const auto bytes = analysis::bytesByKind(record);
    for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
        kinds[std::string(TrafficKindNames[kind])] = bytes[kind];
    }
    return kinds;
}

[[nodiscard]] Json memoryJson(const analysis::RunRecord& record)
{
    const auto named = [](const MemoryBytes& bytes, const char* tail) {
        Json kinds;
        for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
            kinds[std::string(MemoryKindNames[kind]) + tail] = bytes[kind];
        }
        return kinds;
    };
    const auto parameters
        = static_cast<double>(std::max<std::int64_t>(1, plan::parametersOf(plan::netUnits(record.spec))));
    Json list = Json::array();
    for (const analysis::RankMemory& rank : record.summary.memory) {
        // Activations at their peak, the rest as after the step.
        MemoryBytes shown = rank.afterStep;
        of(shown, MemoryKind::Activations) = of(rank.most, MemoryKind::Activations);
        Json entry{{"rank", rank.rank}};
        entry.update(named(shown, "_bytes"));
        entry["states_bytes_per_parameter"] = static_cast<double>(statesOf(rank.afterStep)) / parameters;
        entry["step_peak_bytes"] = rank.mostOfSum;
        entry["peak_bytes"] = rank.highest;
        entry["rss_bytes"] = rank.resident;
        entry["peak_rss_bytes"] = rank.highestResident;
        entry["predicted"] = named(rank.planned, "_bytes");
        entry["predicted"]["states_bytes_per_parameter"] = static_cast<double>(statesOf(rank.planned)) / parameters;
        entry["predicted"]["peak_bytes"] = rank.plannedHighest;
        list.push_back(std::move(entry));
    }
    return list;
}

/// `own`, `other` or null: analysis::Machine::mps.
[[nodiscard]] Json mpsJson(const analysis::RunRecord& record)
{
    const auto found = std::ranges::find_if(
        record.machines, [](const analysis::MachineFigures& machine) { return !machine.mps.empty(); });
    return found == record.machines.end() ? Json() : Json(found->mps);
}

/// The figures in their order, and after some of them what else a summary has: names and order are a contract.
[[nodiscard]] Json summaryJson(const analysis::RunRecord& record)
{
    const analysis::Summary& summary = record.summary;
    const std::map<std::string_view, Json> after{
        {"comms_with_wait", {{"hosts", summary.hosts > 0 ? Json(summary.hosts) : Json()}}},
        {"bytes_per_step", {{"bytes_modelled", analysis::areBytesModelled(record)}}},
        {"verify_max_relative_difference",
            {{"verify_drifts", summary.verifyDrifts}, {"interfered", analysis::namesOf(summary.interference)}}},
        {"bubble_fraction",
            {{"bytes_by_kind", trafficJson(record)}, {"cores", summary.cores}, {"steps", summary.steps},
                {"dropped_spans", summary.droppedSpans}}},
        {"cpu_cores", {{"memory_by_rank", memoryJson(record)}, {"mps", mpsJson(record)}}}};
    Json json;
    for (const analysis::Figure& figure : analysis::figures()) {
        if (figure.member != nullptr && figure.isInResults) {
            json[std::string(figure.name)] = summary.*figure.member; // the library writes NaN as null
        }
        if (const auto others = after.find(figure.name); others != after.end()) {
            json.update(others->second);
        }
    }
    return json;
}

[[nodiscard]] double stalenessOf(const analysis::RunRecord& record, std::int32_t rank)
{
    const auto found = std::find_if(record.staleness.begin(), record.staleness.end(),
        [rank](const analysis::RankStaleness& each) { return each.rank == rank; });
    return found == record.staleness.end() ? analysis::NotMeasured : found->mean();
}

/// How many gradients were how stale: `counts` by staleness 0, 1, ...
[[nodiscard]] Json stalenessJson(const analysis::RunRecord& record)
{
    Json list = Json::array();
    for (const analysis::RankStaleness& rank : record.staleness) {
        list.push_back({{"rank", rank.rank}, {"gradients", rank.gradients}, {"mean", rank.mean()},
            {"max", rank.largest}, {"counts", rank.counts}});
    }
    return list;
}

/// The phases that a user's own program does not report are null.
[[nodiscard]] Json phaseMs(const analysis::RunRecord& record, const analysis::RankSummary& rank, std::size_t phase)
{
    const bool isKnown = rank.phaseMs[phase] > 0.0 || !is(record.spec, experiment::Strategy::Own);
    return isKnown ? Json(rank.phaseMs[phase]) : Json();
}

[[nodiscard]] Json ranksJson(const analysis::RunRecord& record)
{
    Json list = Json::array();
    for (const analysis::RankSummary& rank : record.ranks) {
        Json entry{{"rank", rank.rank}, {"ms_per_step", rank.msPerStep}};
        for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
            entry[std::string(PhaseNames[phase]) + "_ms"] = phaseMs(record, rank, phase);
        }
        entry["median_wait_ms"] = rank.medianWaitMs;
        entry["median_communicate_ms"] = rank.medianCommunicateMs;
        entry["bytes_per_step"] = rank.bytesPerStep;
        entry["between_hosts_ms_per_step"] = rank.betweenHostsMs;
        entry["staleness"] = stalenessOf(record, rank.rank);
        list.push_back(std::move(entry));
    }
    return list;
}

/// The run's use of its machines, by host.
[[nodiscard]] Json machinesJson(const analysis::RunRecord& record)
{
    Json list = Json::array();
    for (const analysis::MachineFigures& machine : record.machines) {
        Json gpus = Json::array();
        for (const analysis::GpuFigures& gpu : machine.gpus) {
            Json held;
            for (std::size_t i = 0; i < analysis::HeldByCount; ++i) {
                held[std::string(analysis::HeldByNames[i])] = gpu.heldShare[i];
            }
            gpus.push_back({{"number", gpu.number}, {"name", gpu.name}, {"mean_use_percent", gpu.meanUsePercent},
                {"peak_use_percent", gpu.highestUsePercent}, {"peak_memory_bytes", gpu.highestMemoryBytes},
                {"mean_power_w", gpu.meanPowerW}, {"energy_j", gpu.energyJ},
                {"peak_temperature_c", gpu.highestTemperatureC}, {"mean_sm_mhz", gpu.meanSmMhz},
                {"clocks_held_by", held}});
        }
        Json ranks = Json::array();
        for (const analysis::RankFigures& rank : machine.ranks) {
            ranks.push_back({{"rank", rank.rank}, {"mean_cores", rank.meanCores},
                {"peak_rss_bytes", rank.highestResidentBytes}, {"peak_gpu_bytes", rank.highestGpuBytes}});
        }
        list.push_back({{"host", machine.host}, {"cores", machine.cores}, {"samples", machine.samples},
            {"mean_busy_cores", machine.meanBusyCores}, {"lowest_free_memory_bytes", machine.lowestFreeMemoryBytes},
            {"sampling_cores", machine.samplingCores}, {"workbench_cores", machine.workbenchCores}, {"gpus", gpus},
            {"ranks", ranks}});
    }
    return list;
}

/// By how much the clocks of other hosts were ahead of rank 0's.
[[nodiscard]] Json clocksJson(const analysis::RunRecord& record)
{
    Json list = Json::array();
    for (const analysis::HostClock& clock : record.clocks) {
        list.push_back(
            {{"host", clock.host}, {"ranks", clock.ranks}, {"ahead_s", static_cast<double>(clock.aheadNs) / 1e9},
                {"error_ms", static_cast<double>(clock.errorNs) / 1e6}, {"measurements", clock.measurements}});
    }
    return list;
}

/// Null where the collective has no root.
[[nodiscard]] Json rootOf(const analysis::RunRecord& record)
{
    using experiment::CollectiveName;
    const bool isRooted = is(record.spec, CollectiveName::Broadcast, CollectiveName::Reduce, CollectiveName::Gather,
        CollectiveName::Scatter);
    return isRooted ? Json(record.spec.settings->sweep.root) : Json();
}

/// The link behind a sweep; null where its times do not determine it.
[[nodiscard]] Json linkJson(const analysis::RunRecord& record)
{
    const auto fit = analysis::linkOf(record);
    if (!fit) {
        return nullptr;
    }
    const auto reach = analysis::reachOf(record);
    return {{"alpha_us", fit->link.alpha * 1e6}, {"ns_per_byte", fit->link.beta * 1e9}, {"residual", fit->residual},
        {"ranks", analysis::ranksOfCall(record)}, {"measured_in", std::string(analysis::nameOf(reach))},
        {"carries_beyond_machine", analysis::carriesBeyondMachine(reach)}};
}

[[nodiscard]] Json measurementsJson(const analysis::RunRecord& record)
{
    Json list = Json::array();
    for (const analysis::CollectiveMeasurement& row : record.measurements) {
        const double bandwidth = analysis::algorithmBandwidth(row);
        list.push_back({{"collective", row.collective}, {"algorithm", row.algorithm}, {"type", row.type},
            {"bytes", row.bytes}, {"in_place", row.inPlace}, {"calls", row.calls}, {"p50_us", row.p50Us},
            {"p99_us", row.p99Us}, {"mean_us", row.meanUs}, {"algbw_gbps", bandwidth},
            {"busbw_gbps", bandwidth * analysis::busFactor(row.collective, analysis::ranksOfCall(record))},
            {"wrong", row.wrong}, {"shared", row.shared}, {"ranks", analysis::ranksOfCall(record)},
            {"groups", record.spec.settings->sweep.groups}, {"async", record.spec.settings->sweep.isAsync},
            {"root", rootOf(record)}});
    }
    return list;
}

[[nodiscard]] Json sharesJson(const analysis::RunRecord& record)
{
    Json list = Json::array();
    for (const analysis::RankShare& share : record.shares) {
        list.push_back(
            {{"rank", share.rank}, {"samples", share.samples}, {"shared", share.shared}, {"labels", share.labels}});
    }
    return list;
}

/// Without the runs that were interfered with, as the findings leave them out.
[[nodiscard]] Json comparisonsJson(const std::vector<analysis::RunRecord>& records)
{
    std::vector<analysis::RunRecord> clean;
    std::copy_if(records.begin(), records.end(), std::back_inserter(clean),
        [](const analysis::RunRecord& record) { return !record.summary.interference.any(); });
    Json list = Json::array();
    for (const analysis::Comparison& of : analysis::comparisons(clean)) {
        const analysis::RelativeDifference& difference = of.difference;
        list.push_back({{"baseline", of.baselineKey}, {"run", of.runKey}, {"figure", std::string(of.figure)},
            {"difference", difference.difference}, {"ci95", Json::array({difference.low, difference.high})},
            {"n", difference.n}, {"unit", std::string(of.unit)}, {"blocks_merged", difference.merged}});
    }
    return list;
}

[[nodiscard]] Json tableJson(const analysis::TextTable& table)
{
    Json header = Json::array();
    for (const analysis::TextTable::Header& each : table.headers) {
        header.push_back(each.name);
    }
    return {{"header", header}, {"rows", table.rows}};
}

/// How the findings were measured, a sentence each.
[[nodiscard]] Json methodJson(
    const std::vector<analysis::Finding>& findings, const std::vector<analysis::RunRecord>& records)
{
    Json notes = Json::array();
    for (const analysis::Finding& note : analysis::methodNotes(findings, records)) {
        notes.push_back(language::findingSentence(note));
    }
    return notes;
}

/// The findings about this run; findings about no particular run belong to every run.
[[nodiscard]] Json findingsOf(
    const RunId& id, const std::vector<analysis::Finding>& findings, const std::string& question)
{
    Json list = Json::array();
    for (const analysis::Finding& finding : findings) {
        if (!finding.runs.empty() && std::find(finding.runs.begin(), finding.runs.end(), id) == finding.runs.end()) {
            continue;
        }
        Json figures = Json::object();
        for (const auto& [name, value] : finding.figures) {
            figures[name] = value;
        }
        list.push_back({{"kind", std::string(finding.kind)}, {"role", std::string(analysis::nameOf(finding.role))},
            {"question", question}, {"text", language::findingSentence(finding)}, {"figures", figures}});
        if (!finding.table.rows.empty()) {
            list.back()["table"] = tableJson(language::findingTable(finding));
        }
    }
    return list;
}

} // namespace

std::string runsAsJson(const std::vector<analysis::RunRecord>& records)
{
    const std::vector<analysis::RunRecord> named = language::named(records);
    const std::vector<analysis::Finding> findings = analysis::findings(named);
    const std::string question = language::questionOf(records);
    Json runs = Json::array();
    for (const analysis::RunRecord& record : named) {
        runs.push_back({{"id", record.id.text}, {"name", record.spec.name}, {"shown", record.spec.shown},
            {"repeat", record.spec.repeat}, {"spec", Json::parse(experiment::toJson(record.spec))},
            {"status", std::string(analysis::nameOf(record.status))}, {"message", record.message},
            {"imported_from", record.importedFrom.empty() ? Json() : Json(record.importedFrom)},
            {"summary", summaryJson(record)}, {"series", seriesJson(record)},
            {"findings", findingsOf(record.id, findings, question)}});
        if (analysis::ranksOf(record) > 1) {
            runs.back()["ranks"] = ranksJson(record);
        }
        if (!record.machines.empty()) {
            runs.back()["machines"] = machinesJson(record);
        }
        if (!record.clocks.empty()) {
            runs.back()["clocks"] = clocksJson(record);
        }
        if (!record.staleness.empty()) {
            runs.back()["staleness"] = stalenessJson(record);
        }
        if (!record.shares.empty()) {
            runs.back()["shares"] = sharesJson(record);
        }
        if (!record.measurements.empty()) {
            runs.back()["measurements"] = measurementsJson(record);
            runs.back()["link"] = linkJson(record);
        }
    }
    Json result{{"version", 1}, {"runs", runs}};
    if (Json compared = comparisonsJson(records); !compared.empty()) {
        result["comparisons"] = std::move(compared);
    }
    if (Json notes = methodJson(findings, records); !notes.empty()) {
        result["method"] = std::move(notes);
    }
    return result.dump() + "\n";
}

} // namespace lockstep::exchange
