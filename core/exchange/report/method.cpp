#include "exchange/report/method.h"

#include "analysis/findings/run_count.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/timing/summary.h"
#include "base/translate.h"
#include "exchange/report/counted_runs.h"
#include "experiment/command_of.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

namespace lockstep::report {

namespace {

using analysis::RunRecord;

/// `a, b, c`, in the order in which they were added, each once; at most some, then `…`.
class Listed {
public:
    explicit Listed(const Source& source, bool isOfSentences = false)
        : m_separator(source.language == Language::Chinese ? (isOfSentences ? "；" : "，")
                : isOfSentences                            ? "; "
                                                           : ", ")
    { }
    void add(const std::string& text)
    {
        if (text.empty() || !m_known.insert(text).second) {
            return;
        }
        if (m_known.size() <= Most) {
            m_text += (m_text.empty() ? "" : m_separator) + text;
        } else if (m_known.size() == Most + 1) {
            m_text += m_separator + "…";
        }
    }
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool isEmpty() const { return m_text.empty(); }

private:
    static constexpr std::size_t Most = 12;
    std::string m_separator;
    std::set<std::string> m_known;
    std::string m_text;
};

/// `Seed: 1.`, `Seeds: 1, 2, 3.`
std::string seedsOf(const Source& source, const std::vector<RunRecord>& runs)
{
    std::set<std::int64_t> seeds;
    for (const RunRecord& run : runs) {
        seeds.insert(run.spec.settings->train.seed);
    }
    Listed list(source);
    for (const std::int64_t seed : seeds) {
        list.add(std::to_string(seed));
    }
    return source.say(seeds.size() == 1 ? LS_TR("Report", "Seed: %1.") : LS_TR("Report", "Seeds: %1."), {list.text()});
}

/// How many runs and variants the report rests on, in the words of the window.
std::string basisOf(const Source& source)
{
    std::vector<const RunRecord*> runs;
    std::ranges::transform(source.runs, std::back_inserter(runs), [](const RunRecord& run) { return &run; });
    const auto translate = [&source](std::string_view text) { return source.say("Findings", text); };
    return source.say(
        LS_TR("Report", "This report is based on %1."), {analysis::runCount(runs, source.interfered, translate)});
}

std::size_t mostRepeats(const std::vector<analysis::Group>& groups)
{
    std::size_t most = 0;
    for (const analysis::Group& group : groups) {
        most = std::max(most, group.runs.size());
    }
    return most;
}

/// `ring (from results.lockstep)`, ...; empty: none was imported.
std::string importedRuns(const Source& source)
{
    Listed list(source);
    for (const RunRecord& run : source.runs) {
        if (!run.importedFrom.empty()) {
            list.add(source.say(LS_TR("Report", "%1 (from %2)"), {displayName(run), run.importedFrom}));
        }
    }
    return list.text();
}

/// How many runs, variants, seeds; how the figures are made.
std::vector<Block> ofRuns(const Source& source)
{
    std::vector<Block> blocks;
    const std::vector<RunRecord> counted = countedRuns(source);
    const std::vector<analysis::Group> groups = analysis::groupsOf(counted);
    std::string text = basisOf(source);
    const auto append
        = [&](const std::string& sentence) { text += (source.language == Language::Chinese ? "" : " ") + sentence; };
    append(counted.empty() ? source.say(LS_TR("Report", "None of them counts, so this report has no results."))
                           : seedsOf(source, counted));
    if (const std::string imported = importedRuns(source); !imported.empty()) {
        append(source.say(LS_TR("Report", "Imported from a file, and not measured in this store: %1."), {imported}));
    }
    if (mostRepeats(groups) > 1) {
        append(source.say(LS_TR("Report",
            "Repeats differ in their seed only; their means are given with 95 % confidence intervals (Student's t; for "
            "accuracies on the logit scale).")));
    } else if (!groups.empty()) {
        append(source.say(LS_TR("Report", "Each variant ran with one seed, so small differences may be chance.")));
    }
    append(source.say(LS_TR("Report",
                          "Times per step are geometric means over blocks of steps after the first %1, without "
                          "evaluation, pauses and "
                          "blocks in which a run stalled."),
        {std::to_string(analysis::WarmUpSteps)}));
    blocks.push_back({"method:runs", Paragraph{text}});
    return blocks;
}

void addRow(Table& table, const std::string& label, const std::string& value)
{
    if (!value.empty()) {
        table.rows.push_back({label, value});
    }
}

std::string machineText(const Source& source, const analysis::MachineFigures& machine)
{
    if (machine.cores <= 0) {
        return machine.host;
    }
    return source.say(machine.cores == 1 ? LS_TR("Report", "%1 (one core)") : LS_TR("Report", "%1 (%2 cores)"),
        {machine.host, std::to_string(machine.cores)});
}

/// Hosts with cores and GPUs, from what the runs recorded of their machines.
void addMachines(const Source& source, Table& table)
{
    Listed hosts(source);
    Listed gpus(source);
    for (const RunRecord& run : source.runs) {
        for (const analysis::MachineFigures& machine : run.machines) {
            hosts.add(machineText(source, machine));
            for (const analysis::GpuFigures& gpu : machine.gpus) {
                gpus.add(gpu.name);
            }
        }
    }
    if (hosts.isEmpty()) {
        for (const RunFacts& facts : source.facts) {
            hosts.add(facts.host);
        }
    }
    addRow(table, source.say(LS_TR("Report", "Machine")), hosts.text());
    addRow(table, source.say(LS_TR("Report", "GPU")), gpus.text());
}

std::vector<Block> ofMachine(const Source& source)
{
    Table table;
    table.caption = source.say(LS_TR("Report", "Machine and versions, as the runs recorded them"));
    table.header = {source.say(LS_TR("Report", "Item")), source.say(LS_TR("Report", "Value"))};
    table.isNumber = {false, false};
    addMachines(source, table);
    Listed devices(source);
    Listed data(source, true);
    Listed parameters(source, true);
    Listed communication(source, true);
    Listed libtorch(source);
    for (const RunFacts& facts : source.facts) {
        devices.add(facts.device);
        data.add(facts.dataset);
        parameters.add(facts.parameters > 0 ? analysis::grouped(facts.parameters) : "");
        communication.add(facts.communication);
        libtorch.add(facts.libtorch);
    }
    addRow(table, source.say(LS_TR("Report", "Device of rank 0")), devices.text());
    addRow(table, source.say(LS_TR("Report", "Data set")), data.text());
    addRow(table, source.say(LS_TR("Report", "Parameters of the net")), parameters.text());
    addRow(table, source.say(LS_TR("Report", "Communication")), communication.text());
    addRow(table, "LibTorch", libtorch.text());
    addRow(table, source.say(LS_TR("Report", "This report was made with")),
        source.version.empty() ? "" : "Lockstep " + source.version);
    std::vector<Block> blocks;
    blocks.push_back({"method:machine", std::move(table)});
    return blocks;
}

/// What fits the width of a page.
constexpr std::size_t RunsOfALine = 3;

std::vector<Block> ofCommands(const Source& source)
{
    std::vector<Block> blocks;
    blocks.push_back({"method:commands",
        Paragraph{source.say(LS_TR("Report",
            "To repeat it, save the spec of the appendix as spec.json. The first command runs it, the second makes "
            "this report. On the CPU, equal specs give equal losses; times depend on the machine."))}});
    Listing listing{"lockstep run spec.json\nlockstep report"};
    for (std::size_t i = 0; i < source.runs.size(); ++i) {
        listing.text += (i % RunsOfALine == 0 ? " \\\n    " : " ") + source.runs[i].id.text;
    }
    listing.text += std::string(" \\\n    --format docx --lang ") + (source.language == Language::Chinese ? "zh" : "en")
        + (source.interfered == analysis::Interfered::Include ? " --with-interfered" : "")
        + (source.templateName.empty() ? "" : " --template " + experiment::shellQuoted(source.templateName))
        + " --out report";
    blocks.push_back({"method:commands:listing", std::move(listing)});
    return blocks;
}

} // namespace

std::vector<Block> methodBlocks(const Source& source, std::string_view part)
{
    return part == "machine" ? ofMachine(source) : part == "commands" ? ofCommands(source) : ofRuns(source);
}

} // namespace lockstep::report
