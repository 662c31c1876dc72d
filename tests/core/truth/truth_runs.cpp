#include "core/truth/truth_stores.h"

#include "core/truth/run_maker.h"
#include "experiment/vary.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

namespace lockstep::tests {

namespace {

using analysis::RunStatus;
using experiment::RunSpec;

/// FNV-1a: equal on every machine.
Seed seedOf(std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : name) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
    return Seed{hash};
}

Result<std::vector<RunSpec>> specsOf(const TruthRow& row)
{
    LOCKSTEP_TRY_ASSIGN(experiment::Spec spec, experiment::preset(row.preset));
    LOCKSTEP_TRY_ASSIGN(spec, experiment::customise(std::move(spec), row.settings, row.only));
    std::vector<experiment::VariedParameter> varied;
    for (const std::string_view text : row.varied) {
        LOCKSTEP_TRY_ASSIGN(varied.emplace_back(), experiment::parseVaried(text));
    }
    if (!varied.empty()) {
        LOCKSTEP_TRY_ASSIGN(spec, experiment::vary(std::move(spec), varied));
    }
    spec.repeats = row.repeats;
    return experiment::expand(spec);
}

} // namespace

Result<std::vector<TruthRun>> truthRuns(const TruthRow& row)
{
    LOCKSTEP_TRY_ASSIGN(std::vector<RunSpec> specs, specsOf(row));
    const std::vector<std::size_t> order = experiment::orderBySeed(specs);
    const Seed seed = seedOf(row.name);
    const auto together = static_cast<std::int64_t>(specs.size()) / row.repeats;
    std::vector<TruthRun> runs;
    const auto add = [&](RunSpec spec) {
        const auto number = static_cast<std::int64_t>(runs.size());
        // Those of one seed take turns: one begins a slot after the other, and waits while the others run.
        const std::int64_t startNs
            = row.inTurns ? (number / together * 1000 + number % together) * SlotNs : 100 * number * SlotNs;
        if (happens(row, spec, Event::Resumed)) {
            spec.settings["checkpoint.from"] = std::string("/home/lab/checkpoints/") + spec.name;
        }
        TruthRun run;
        run.record.id = makeRunId(FirstWallSeconds + 60 * number, static_cast<std::uint32_t>(number + 1));
        run.record.spec = spec;
        run.record.createdNs = (FirstWallSeconds + 60 * number) * Second;
        run.record.importedFrom = happens(row, spec, Event::Imported) ? "other-lab.run" : "";
        RunMaker maker(row, spec, seed.derive(static_cast<std::uint64_t>(number)), Second + startNs, together * SlotNs);
        run.sent = maker.made(run.record.id);
        run.record.status = maker.status();
        run.record.setWhy(verbatim(maker.why()));
        store::RunAccount account;
        account.setSpec(spec);
        account.add(run.sent);
        run.record.summary = account.summary();
        account.fill(run.record);
        runs.push_back(std::move(run));
    };
    for (const std::size_t place : order) {
        for (int times = happens(row, specs[place], Event::Twice) ? 2 : 1; times > 0; --times) {
            add(specs[place]);
        }
    }
    return runs;
}

std::vector<analysis::RunRecord> recordsOf(const std::vector<TruthRun>& runs)
{
    std::vector<analysis::RunRecord> records;
    for (const TruthRun& run : runs) {
        records.push_back(run.record);
    }
    return records;
}

Result<void> writeTruth(const std::vector<TruthRun>& runs, const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    for (const TruthRun& run : runs) {
        analysis::RunRecord begun = run.record;
        begun.status = RunStatus::Running;
        begun.setWhy({});
        LOCKSTEP_TRY_ASSIGN(const auto writer, store->create(begun));
        LOCKSTEP_TRY(writer->add(run.sent));
        LOCKSTEP_TRY(writer->finish(run.record.status, run.record.why(), run.record.summary));
    }
    return {};
}

} // namespace lockstep::tests
