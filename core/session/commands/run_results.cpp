#include "session/commands/run_results.h"

#include "analysis/bandwidth.h"
#include "analysis/comparison.h"
#include "analysis/finding.h"
#include "analysis/link_fit.h"
#include "analysis/scaling.h"
#include "analysis/traffic.h"
#include "base/translate.h"
#include "experiment/choices.h"
#include "plan/grid.h"
#include "plan/net.h"
#include "session/export/series_csv.h"
#include "session/language.h"
#include "session/messages.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <nlohmann/json.hpp>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

[[nodiscard]] Json curveJson(const analysis::Curve& curve)
{
    return {{"step", curve.step}, {"epoch", curve.epoch}, {"seconds", curve.seconds}, {"value", curve.value}};
}

[[nodiscard]] Json seriesJson(const analysis::RunRecord& record)
{
    Json series{{"loss", curveJson(record.loss)}, {"accuracy", curveJson(record.accuracy)},
        {"test_loss", curveJson(record.testLoss)}};
    for (const auto& [name, curve] : record.metrics) {
        if (!series.contains(name)) {
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

[[nodiscard]] Json summaryJson(const analysis::RunRecord& record)
{
    const analysis::Summary& summary = record.summary;
    // The library writes NaN as null.
    return {{"final_loss", summary.finalLoss}, {"best_loss", summary.bestLoss}, {"test_accuracy", summary.testAccuracy},
        {"best_test_accuracy", summary.bestTestAccuracy}, {"ms_per_step", summary.msPerStep},
        {"samples_per_s", summary.samplesPerSecond}, {"comm_ms_per_step", summary.commMsPerStep},
        {"wait_ms_per_step", summary.waitMsPerStep}, {"between_hosts_ms_per_step", summary.betweenHostsMsPerStep},
        {"comm_fraction", summary.commFraction}, {"hosts", summary.hosts > 0 ? Json(summary.hosts) : Json()},
        {"bytes_per_step", summary.bytesPerStep}, {"bytes_modelled", analysis::areBytesModelled(record)},
        {"seconds_to_first_loss", summary.secondsToFirstLoss},
        {"verify_max_relative_difference", summary.verifyMaxRelativeDifference},
        {"verify_drifts", summary.verifyDrifts}, {"interfered", analysis::namesOf(summary.interference)},
        {"label_skew", summary.labelSkew}, {"staleness", summary.staleness},
        {"staleness_max", summary.largestStaleness}, {"overlap_fraction", summary.overlapFraction},
        {"exposed_ms_per_step", summary.exposedMsPerStep}, {"critical_comm_ms_per_step", summary.criticalCommMsPerStep},
        {"critical_rank", summary.criticalRank}, {"critical_share", summary.criticalShare},
        {"bubble_fraction", summary.bubbleFraction}, {"bytes_by_kind", trafficJson(record)}, {"cores", summary.cores},
        {"steps", summary.steps}, {"dropped_spans", summary.droppedSpans}, {"train_seconds", summary.trainSeconds},
        {"memory_by_rank", memoryJson(record)}};
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

/// The phases that a program of one's own does not tell are null.
[[nodiscard]] Json phaseMs(const analysis::RunRecord& record, const analysis::RankSummary& rank, std::size_t phase)
{
    const bool isTold = rank.phaseMs[phase] > 0.0 || !is(record.spec, experiment::Strategy::Own);
    return isTold ? Json(rank.phaseMs[phase]) : Json();
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

[[nodiscard]] double bandwidthOf(const analysis::CollectiveMeasurement& row)
{
    return analysis::algorithmBandwidth(static_cast<double>(row.bytes), row.p50Us * 1e-6);
}

/// Null where the collective has no root.
[[nodiscard]] Json rootOf(const analysis::RunRecord& record)
{
    using experiment::CollectiveName;
    const bool isRooted = is(record.spec, CollectiveName::Broadcast, CollectiveName::Reduce, CollectiveName::Gather,
        CollectiveName::Scatter);
    return isRooted ? Json(record.spec.integer("sweep.root")) : Json();
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
        const double bandwidth = bandwidthOf(row);
        list.push_back({{"collective", row.collective}, {"algorithm", row.algorithm}, {"type", row.type},
            {"bytes", row.bytes}, {"in_place", row.inPlace}, {"calls", row.calls}, {"p50_us", row.p50Us},
            {"p99_us", row.p99Us}, {"mean_us", row.meanUs}, {"algbw_gbps", bandwidth},
            {"busbw_gbps", bandwidth * analysis::busFactor(row.collective, analysis::ranksOfCall(record))},
            {"wrong", row.wrong}, {"shared", row.shared}, {"ranks", analysis::ranksOfCall(record)},
            {"groups", record.spec.integer("sweep.groups")}, {"async", record.spec.boolean("sweep.async")},
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
        list.push_back({{"baseline", of.baseline}, {"run", of.run}, {"figure", std::string(of.figure)},
            {"difference", difference.difference}, {"ci95", Json::array({difference.low, difference.high})},
            {"n", difference.n}, {"unit", std::string(of.unit)}, {"blocks_merged", difference.merged}});
    }
    return list;
}

/// The findings about this run; findings about no particular run belong to every run.
[[nodiscard]] Json findingsOf(const RunId& id, const std::vector<analysis::Finding>& findings)
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
        list.push_back({{"kind", std::string(finding.kind)}, {"text", findingSentence(finding)}, {"figures", figures}});
    }
    return list;
}

[[nodiscard]] QString numberText(double value, int digits)
{
    return std::isfinite(value) ? QString::number(value, 'f', digits) : u"-"_s;
}

/// In a separate process: drawing needs Qt Gui, and a run must not wait for it to start.
[[nodiscard]] Result<void> draw(const Results& results, const QStringList& runs, const QStringList& charts)
{
    if (runs.isEmpty() || charts.isEmpty()) {
        return {};
    }
    QProcess drawing;
    drawing.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    drawing.start(QCoreApplication::applicationFilePath(),
        QStringList{u"export"_s} + runs
            + QStringList{u"--chart"_s, charts.join(u','), u"--format"_s, u"pdf,svg"_s, u"--out"_s, results.folder,
                u"--store"_s, results.store, u"--lang"_s, textLanguage() == TextLanguage::Chinese ? u"zh"_s : u"en"_s});
    if (!drawing.waitForFinished(120'000) || drawing.exitStatus() != QProcess::NormalExit || drawing.exitCode() != 0) {
        return refusal({}, LS_TR("Refusals", "the charts could not be drawn into %1"), {results.folder.toStdString()});
    }
    return {};
}

[[nodiscard]] QStringList chartsOf(const std::vector<analysis::RunRecord>& records)
{
    const auto any = [&records](const auto& holds) { return std::any_of(records.begin(), records.end(), holds); };
    const bool isDivided = any([](const analysis::RunRecord& record) { return plan::dividesModel(record.spec); });
    QStringList charts;
    if (any([](const analysis::RunRecord& record) { return record.measurements.empty(); })) {
        charts += {u"loss"_s, u"accuracy"_s};
    }
    if (any([](const analysis::RunRecord& record) { return record.ranks.size() > 1 && record.measurements.empty(); })) {
        charts += {u"comm"_s, u"ranks"_s};
    }
    if (any([](const analysis::RunRecord& record) { return !record.staleness.empty(); })) {
        charts += u"staleness"_s;
    }
    if (any([](const analysis::RunRecord& record) { return !record.shares.empty(); })) {
        charts += {u"test-loss"_s, u"labels"_s, u"shares"_s, u"skew"_s};
    }
    if (isDivided) {
        charts += {u"throughput"_s, u"memory"_s, u"traffic"_s};
    } else if (!analysis::scalingStudy(records).curves.empty()) {
        charts += {u"speed-up"_s, u"efficiency"_s, u"throughput"_s, u"split"_s, u"target"_s};
    }
    if (any([](const analysis::RunRecord& record) { return !record.measurements.empty(); })) {
        charts += {u"sweep"_s, u"bandwidth"_s};
    }
    const auto hasCurve = [](const analysis::MachineFigures& machine) { return machine.samples > 1; };
    if (any([&](const analysis::RunRecord& record) { return std::ranges::any_of(record.machines, hasCurve); })) {
        charts += u"machine"_s;
    }
    return charts;
}

[[nodiscard]] Result<void> drawCharts(const Results& results)
{
    QStringList runs;
    QStringList pipelines; // each of them shows its bubble; its repeats look alike
    for (const analysis::RunRecord& record : results.records) {
        if (record.loss.step.empty()) { // a run that never began has no file
            continue;
        }
        runs += QString::fromStdString(record.id.text);
        if (is(record.spec, experiment::Strategy::Pipeline) && record.spec.repeat == 0) {
            pipelines += runs.back();
        }
    }
    auto drawn = draw(results, runs, chartsOf(results.records));
    return drawn ? draw(results, pipelines, {u"timeline"_s}) : drawn;
}

} // namespace

std::string resultsAsJson(const Results& results)
{
    const std::vector<analysis::Finding> findings = analysis::findings(results.records);
    Json runs = Json::array();
    for (const analysis::RunRecord& record : results.records) {
        runs.push_back({{"id", record.id.text}, {"name", record.spec.name}, {"repeat", record.spec.repeat},
            {"spec", Json::parse(experiment::toJson(record.spec))},
            {"status", std::string(analysis::nameOf(record.status))}, {"message", record.message},
            {"imported_from", record.importedFrom.empty() ? Json() : Json(record.importedFrom)},
            {"summary", summaryJson(record)}, {"series", seriesJson(record)},
            {"findings", findingsOf(record.id, findings)}});
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
    if (Json compared = comparisonsJson(results.records); !compared.empty()) {
        result["comparisons"] = std::move(compared);
    }
    return result.dump() + "\n";
}

namespace {

/// As nccl-tests prints it.
[[nodiscard]] QString measurementTable(const Results& results)
{
    const auto line = [](const QStringList& cells) {
        QString text = cells[0].leftJustified(20);
        for (qsizetype i = 1; i < cells.size(); ++i) {
            text += cells[i].rightJustified(i == 1 ? 12 : 10);
        }
        return text + u'\n';
    };
    QString text = line({u"name"_s, u"bytes"_s, u"in place"_s, u"calls"_s, u"p50 us"_s, u"p99 us"_s, u"alg GB/s"_s,
        u"bus GB/s"_s, u"wrong"_s});
    for (const analysis::RunRecord& record : results.records) {
        for (const analysis::CollectiveMeasurement& row : record.measurements) {
            const double bandwidth = bandwidthOf(row);
            text += line({QString::fromStdString(record.spec.name), QString::number(row.bytes),
                row.shared        ? u"shared"_s
                    : row.inPlace ? u"yes"_s
                                  : u"no"_s,
                QString::number(row.calls), numberText(row.p50Us, 2), numberText(row.p99Us, 2),
                numberText(bandwidth, 3),
                numberText(bandwidth * analysis::busFactor(row.collective, analysis::ranksOfCall(record)), 3),
                QString::number(row.wrong)});
        }
    }
    return text;
}

} // namespace

std::string resultsAsTable(const Results& results)
{
    const auto line = [](const std::array<QString, 7>& cells) {
        constexpr std::array Widths{-20, -12, 8, 10, 9, 10, -22};
        QStringList padded;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            padded += inColumn(cells[i], Widths[i]);
        }
        return padded.join(u' ') + u'\n';
    };
    const auto title = [](std::string_view text) { return QString::fromStdString(told(text)); };
    QString text = line({title(LS_TR("CommandLine", "name")), title(LS_TR("CommandLine", "status")),
        title(LS_TR("CommandLine", "steps")), title(LS_TR("CommandLine", "loss")),
        title(LS_TR("CommandLine", "accuracy")), title(LS_TR("CommandLine", "ms/step")), u"id"_s});
    for (const analysis::RunRecord& record : results.records) {
        QString name = QString::fromStdString(record.spec.name);
        name += record.spec.repeat > 0 ? u" #%1"_s.arg(record.spec.repeat + 1) : QString();
        const std::string status(analysis::nameOf(record.status));
        text += line({name, QString::fromStdString(worded(status)), QString::number(record.summary.steps),
            numberText(record.summary.finalLoss, 4), numberText(record.summary.testAccuracy, 4),
            numberText(record.summary.msPerStep, 3), QString::fromStdString(record.id.text)});
    }
    const bool hasMeasurements = std::any_of(results.records.begin(), results.records.end(),
        [](const analysis::RunRecord& record) { return !record.measurements.empty(); });
    if (hasMeasurements) {
        text += u'\n' + measurementTable(results);
    }
    for (const analysis::Finding& finding : analysis::findings(results.records)) {
        text += u"\n"_s + QString::fromStdString(findingSentence(finding));
    }
    return text.toStdString() + "\n";
}

Result<void> writeResults(const Results& results, const CommandContext& context)
{
    const QDir folder(results.folder);
    if (auto written = writeFile(folder.filePath(u"result.json"_s), QByteArray::fromStdString(resultsAsJson(results)));
        !written) {
        return written;
    }
    LOCKSTEP_TRY(writeFile(folder.filePath(u"series.csv"_s), seriesCsv(results.records)));
    const bool hasCurves = std::any_of(results.records.begin(), results.records.end(),
        [](const analysis::RunRecord& record) { return !record.loss.step.empty(); });
    return context.exportCharts && hasCurves ? drawCharts(results) : Result<void>{};
}

} // namespace lockstep::session
