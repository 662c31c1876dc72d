// A Sampler by its properties: range, cover, overlap, sizes, labels, repeats, epochs. The order itself is free.
#include "base/names.h"
#include "base/random.h"
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/code/sampler_judge.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lockstep::laboratory {

namespace {

constexpr int SamplerRanks = 4;
constexpr int MostSamplerRanks = 16;
constexpr std::uint64_t LabelCount = 5;
constexpr std::array GlobalGenerators{std::string_view{"torch"}, std::string_view{"random"}, std::string_view{"numpy"}};
constexpr int Processes = 2; ///< each makes the samplers of all ranks: Python's hashes differ between them

struct SplitRow {
    std::string_view key;
    std::string_view className;
};
constexpr std::array SplitRows{SplitRow{"random", "RandomPartition"}, SplitRow{"contiguous", "ContiguousPartition"},
    SplitRow{"by_label", "LabelPartition"}, SplitRow{"replacement", "ReplacementSampler"}};

/// For each world: a size that is a multiple of the ranks, one that is 1 short of it, and one that is 1 over, which
/// cuts of equal length leave far from equal. Then, on the most ranks, labels beyond 9, and seed 0.
std::vector<SamplerCase> samplerCases(const Json& check)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    std::vector<SamplerCase> cases;
    for (int world = 2; world <= check.value("ranks", SamplerRanks); ++world) {
        for (const int size : {6 * world, 9 * world - 1, 4 * world + 1}) {
            std::vector<int> labels(static_cast<std::size_t>(size));
            std::ranges::generate(labels, [&] { return static_cast<int>(random.below(LabelCount)); });
            cases.push_back({world, std::move(labels), static_cast<int>(random.below(1000))});
        }
    }
    SamplerCase further = cases.back();
    further.topic = SamplerTopic::Labels;
    std::ranges::transform(further.labels, further.labels.begin(), [](int label) { return 7 * label + 5; });
    cases.push_back(std::move(further));
    cases.push_back(cases[cases.size() - 2]);
    cases.back().topic = SamplerTopic::SeedOfZero;
    cases.back().seed = 0;
    return cases;
}

std::string splitOf(const Json& check)
{
    const std::string split = textIn(check, "split");
    return split.empty() ? std::string(SplitRows.front().key) : split;
}

Result<std::vector<TrialTask>> samplerTasks(const Json& check)
{
    if (check.value("ranks", SamplerRanks) > MostSamplerRanks) {
        return refusal("ranks", LS_TR("Messages", "at most %1"), {MostSamplerRanks});
    }
    TrialTask task;
    task.ranks = Processes;
    const auto row = std::ranges::find(SplitRows, splitOf(check), &SplitRow::key);
    task.input = {{"names", {row->className}}, {"cases", Json::array()}};
    for (const SamplerCase& each : samplerCases(check)) {
        task.input["cases"].push_back(
            {{"world", each.world}, {"labels", each.labels}, {"seed", each.seed}, {"epochs", SamplerEpochs}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

/// As whole numbers; -1 for what is none.
std::vector<std::int64_t> indicesIn(const Json& record, const char* name)
{
    std::vector<std::int64_t> indices;
    for (const double index : numbersIn(record, name)) {
        indices.push_back(std::abs(index) < 1e15 ? static_cast<std::int64_t>(index) : -1);
    }
    return indices;
}

bool isOfCase(const Json& record, std::size_t ofCase)
{
    return integerIn(record, "case") == static_cast<std::int64_t>(ofCase);
}

/// Nothing where a record is missing.
std::optional<std::vector<std::vector<SamplerShare>>> sharesOf(const RankTrial& process, std::size_t ofCase, int world)
{
    std::vector<std::vector<SamplerShare>> shares(static_cast<std::size_t>(world));
    for (const Json* record : recordsOf(process, "epoch")) {
        const std::int64_t of = integerIn(*record, "rank");
        if (isOfCase(*record, ofCase) && of >= 0 && of < world) {
            shares[static_cast<std::size_t>(of)].push_back(
                {integerIn(*record, "length"), indicesIn(*record, "indices"), indicesIn(*record, "again")});
        }
    }
    const bool isWhole = std::ranges::all_of(
        shares, [](const std::vector<SamplerShare>& epochs) { return epochs.size() == SamplerEpochs.size(); });
    return isWhole ? std::optional(std::move(shares)) : std::nullopt;
}

/// Where set_epoch has not been called.
std::optional<CodeVerdict> unsetFault(const RankTrial& process, std::span<const SamplerCase> cases)
{
    for (const Json* record : recordsOf(process, "unset")) {
        const std::int64_t ofCase = integerIn(*record, "case");
        const std::int64_t rank = integerIn(*record, "rank");
        if (ofCase < 0 || ofCase >= static_cast<std::int64_t>(cases.size()) || rank < 0
            || rank >= cases[static_cast<std::size_t>(ofCase)].world) {
            continue;
        }
        const SamplerCase& given = cases[static_cast<std::size_t>(ofCase)];
        const auto shares = sharesOf(process, static_cast<std::size_t>(ofCase), given.world);
        if (shares && indicesIn(*record, "indices") != (*shares)[static_cast<std::size_t>(rank)].front().indices) {
            return withKnown(
                wrong(
                    failure(LS_TR("Messages", "rank %1 has another order without a call of set_epoch than in epoch %2"),
                        {rank, SamplerEpochs[0]})),
                "epoch_unset", LS_TR("Messages", "until set_epoch is called, the epoch is 0"), "self.epoch = 0");
        }
    }
    return std::nullopt;
}

/// A sampler that is made later gets other labels.
std::optional<CodeVerdict> dataFault(const RankTrial& process)
{
    for (const Json* record : recordsOf(process, "generators")) {
        const Json changed = record->value("changed", Json::array());
        if (std::ranges::any_of(changed, [](const Json& each) { return each == "data"; })) {
            return withKnown(wrong(failure(LS_TR("Messages", "the Sampler changes the labels of the data"))),
                "data_changed", LS_TR("Messages", "data.targets belongs to the data set: sort or shuffle a copy"),
                "data.targets.clone()");
        }
    }
    return std::nullopt;
}

/// What the rest of a training uses too.
std::optional<CodeVerdict> generatorFault(const RankTrial& process)
{
    for (const Json* record : recordsOf(process, "generators")) {
        for (const Json& changed : record->value("changed", Json::array())) {
            const auto known
                = std::ranges::find_if(GlobalGenerators, [&](std::string_view name) { return changed == Json(name); });
            if (known != GlobalGenerators.end()) {
                return withKnown(wrong(failure(LS_TR("Messages", "the Sampler changes the global generator of %1"),
                                     {verbatim(*known)})),
                    "global_seeded",
                    LS_TR("Messages", "the rest of the training uses it too: take a torch.Generator of your own"));
            }
        }
    }
    return std::nullopt;
}

/// With what is wrong where only the seed or the labels are new.
CodeVerdict ofTopic(CodeVerdict verdict, const SamplerCase& given, std::string_view split)
{
    if (given.topic == SamplerTopic::SeedOfZero) {
        verdict.fault = during(LS_TR("Messages", "with seed 0"), *verdict.fault);
        return withKnown(std::move(verdict), "seed_of_zero",
            LS_TR("Messages", "seed 0 is taken for a missing one, or it is multiplied by the epoch"), "seed or 42");
    }
    return given.topic == SamplerTopic::Labels && split == "by_label"
        ? withKnown(std::move(verdict), "labels_fixed",
            LS_TR("Messages", "the code knows the labels beforehand: they may be any whole numbers, not 0 to 9 alone"),
            "targets.argsort()")
        : verdict;
}

/// What shows only in all cases together, or in two processes.
std::optional<CodeVerdict> faultOfAll(const Trial& trial, std::span<const SamplerCase> cases)
{
    const RankTrial& process = trial.ranks.front();
    const auto others = recordsOf(process, "other_seed");
    bool hasSeed = others.size() < cases.size();
    bool isSeedLost = false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto shares = sharesOf(process, i, cases[i].world);
        for (const RankTrial& other : trial.ranks) {
            const auto same = sharesOf(other, i, cases[i].world);
            if (shares && same && *shares != *same) {
                CodeVerdict verdict = wrong(
                    failure(LS_TR("Messages", "two processes with the same seed and epoch have different orders")));
                return ofTopic(withKnown(std::move(verdict), "process_seed",
                                   LS_TR("Messages",
                                       "the order depends on the process, such as hash() of a text, id(), the time or "
                                       "the seed of the global generator, not on seed and epoch alone")),
                    cases[i], {});
            }
        }
        const bool isOther
            = i >= others.size() || !shares || indicesIn(*others[i], "indices") != shares->front().front().indices;
        hasSeed = hasSeed || isOther;
        isSeedLost = isSeedLost || (!isOther && cases[i].topic == SamplerTopic::SeedOfZero);
    }
    if (!hasSeed) {
        return withKnown(
            wrong(failure(LS_TR("Messages", "in epoch %1 every seed gives the same order"), {SamplerEpochs[0]})),
            "seed_ignored", LS_TR("Messages", "the seed is not used, or it is multiplied by the epoch"));
    }
    if (isSeedLost) {
        return ofTopic(wrong(failure(LS_TR("Messages", "seed %1 gives the same order"), {1})), cases.back(), {});
    }
    if (auto fault = unsetFault(process, cases)) {
        return fault;
    }
    return generatorFault(process);
}

/// With the global generators where the split is another in a process that has seeded them otherwise.
CodeVerdict ofProcesses(CodeVerdict verdict, const Trial& trial, std::size_t ofCase, int world)
{
    const auto shares = sharesOf(trial.ranks.front(), ofCase, world);
    const auto others = sharesOf(trial.ranks.back(), ofCase, world);
    const bool isOfProcess = shares && others && *shares != *others;
    return isOfProcess && (verdict.mistake.empty() || verdict.mistake == "rank_in_seed")
        ? withKnown(std::move(verdict), "global_generator",
            LS_TR("Messages",
                "the permutation comes from a generator whose state differs between ranks, such as the global one"))
        : verdict;
}

/// Two of SamplerEpochs, of different numbers.
struct EpochPair {
    std::size_t one = 0;
    std::size_t other = 0;
};

std::vector<EpochPair> epochPairs()
{
    std::vector<EpochPair> pairs;
    for (std::size_t one = 0; one < SamplerEpochs.size(); ++one) {
        for (std::size_t other = one + 1; other < SamplerEpochs.size(); ++other) {
            if (SamplerEpochs[one] != SamplerEpochs[other]) {
                pairs.push_back({one, other});
            }
        }
    }
    return pairs;
}

CodeVerdict samplerVerdict(const Json& check, const Trial& trial)
{
    const auto cases = samplerCases(check);
    const std::string split = splitOf(check);
    bool hasRepeats = split != "replacement";
    auto equalEpochs = epochPairs(); // chance makes two epochs of a small share equal, never those of all cases
    if (auto fault = dataFault(trial.ranks.front())) {
        return *fault;
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        auto shares = sharesOf(trial.ranks.front(), i, cases[i].world);
        if (!shares) {
            auto broken = brokenTrial(trial);
            return broken ? ofTopic(*std::move(broken), cases[i], split)
                          : wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
        }
        const SamplerJudge judge(cases[i], split, textIn(check, "sizes"), *std::move(shares));
        if (auto fault = judge.fault()) {
            return ofTopic(ofProcesses(*std::move(fault), trial, i, cases[i].world), cases[i], split);
        }
        hasRepeats = hasRepeats || judge.hasRepeats();
        std::erase_if(equalEpochs, [&](const EpochPair& pair) { return !judge.hasSameOrder(pair.one, pair.other); });
    }
    if (!equalEpochs.empty()) {
        const auto [one, other] = equalEpochs.front();
        return wrong(failure(
            LS_TR("Messages", "epochs %1 and %2 have the same order"), {SamplerEpochs[one], SamplerEpochs[other]}));
    }
    if (auto fault = faultOfAll(trial, cases)) {
        return *fault;
    }
    if (!hasRepeats) {
        return withKnown(wrong(failure(LS_TR("Messages", "no index is drawn twice"))), "no_repeats",
            LS_TR("Messages", "indices are drawn without replacement"));
    }
    auto broken = brokenTrial(trial);
    return broken ? *std::move(broken) : CodeVerdict();
}

CodeVerdict judgeSampler(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    const CodeVerdict verdict = samplerVerdict(check, trials.front());
    return atFunction(verdict, trials.front(), {verdict.mistake == "whole_length" ? "__len__" : "__iter__"});
}

} // namespace

Exercise samplerExercise()
{
    static const std::vector<std::string_view> Splits = namesOf(SplitRows, &SplitRow::key);
    using Kind = FieldForm::Kind;
    return {"sampler",
        "A Sampler of `data, rank, world_size, seed` with `__iter__`, `__len__` and `set_epoch`: `RandomPartition`, "
        "`ContiguousPartition`, `LabelPartition` or `ReplacementSampler`. Its properties are checked, never its order.",
        "sampler.py",
        {{"split", {Kind::Choice, {}, Splits}, false,
             "`random`: any partition. `contiguous`: each rank has samples one after another. `by_label`: sorted by "
             "label, then cut. `replacement`: drawn with replacement. Without it: `random`."},
            {"sizes", {Kind::Choice, {}, {"nearly_equal", "pad", "drop"}}, false,
                "`nearly_equal`: they differ by 1 at most. `pad`: equal, some samples twice. `drop`: equal, the rest "
                "is "
                "left out. Without it: `nearly_equal`."},
            {"ranks", {Kind::Integer, {}, {}, 2.0}, false, "The largest number of ranks, up to 16. Without it: 4."},
            {"seed", {Kind::Integer}, false, "Of labels and of the sampler's seed. Without it: 1."}},
        samplerTasks, judgeSampler};
}

} // namespace lockstep::laboratory
