// Specs: the JSON documents that say everything a run needs, and their expansion into runs.
#pragma once

#include "base/result.h"
#include "experiment/settings.h"
#include "experiment/value.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::experiment {

inline constexpr int SpecVersion = 1;
/// The experiment of a spec that was not made from a preset.
inline constexpr std::string_view OwnExperiment = "own";

struct Variant {
    std::string name;
    Assignment values;
    std::string group{}; ///< of variants of one idea, which the form folds together; empty: of none
    bool isEnabled = true; ///< false: it only runs where it is named (`--only`) or ticked again
    /// Of its colour, dash and marker in charts; unset: its place in the list. See placesOf().
    std::optional<std::size_t> place{};
};

/// A text in both languages; either may be empty.
struct Wording {
    std::string en;
    std::string zh;

    bool operator==(const Wording&) const = default;
};

/// What an experiment says of itself. All of it may be empty.
struct About {
    Wording title;
    Wording question; ///< that its runs answer
    Wording description;
    std::vector<std::string> charts; ///< ids of the charts that it opens with: `loss`, `time`

    bool operator==(const About&) const = default;
};

/// An experiment as written: only what differs from the table's defaults.
struct Spec {
    std::string experiment; ///< `optimizers`, ..., or OwnExperiment
    Assignment base;
    std::vector<Variant> variants; ///< empty: one run, named like the experiment
    int repeats = 1;
    About about{};
};

inline constexpr std::int64_t MostClasses = 256; ///< labels are bytes in memory
inline constexpr std::int64_t MostChannels = 4;
inline constexpr std::int64_t MostSide = 4096; ///< of an image

/// What nets and plans need to know of a data set's images. Filled in when the files are first read (core/datasets).
struct DataFacts {
    std::int64_t classes = 10; ///< labels are 0 to classes - 1
    std::int64_t channels = 1;
    std::int64_t rows = 28; ///< of an image
    std::int64_t columns = 28;
    std::int64_t trainSamples = 0; ///< in the files, however many of them the run uses; 0: not known
    std::int64_t testSamples = 0;

    bool operator==(const DataFacts&) const = default;
    /// Whether a net for the one fits the other.
    [[nodiscard]] bool hasSameNetAs(const DataFacts& other) const;
};

/// One run, complete: every parameter of the table has a value. Equal settings give equal numbers.
struct RunSpec {
    std::string experiment;
    std::string name; ///< the variant's name
    int repeat = 0; ///< 0 .. repeats-1; already added to `train.seed` in the settings
    RunSettings settings;
    bool isConfirmed = false; ///< what it starts or overwrites was confirmed (launch/trust.h); not part of its JSON
    std::vector<Text> notes{}; ///< lines for the run's log, from addNotes(); not part of its JSON
    std::optional<DataFacts> data{}; ///< from the files; in its JSON where another net follows from it
    /// Of its variant's colour, dash and marker: given once, kept with the run. Unset: of an earlier version.
    std::optional<std::size_t> place{};
    Wording title{}; ///< of its experiment
    Wording question{}; ///< which its experiment answers
    std::string shown{}; ///< what a person reads for `name`: language::named(); not part of its JSON
};

/// What the files said, or else what is known of `dataset.name` without them.
[[nodiscard]] DataFacts dataFactsOf(const RunSpec& run);
/// Samples before they are loaded: what the spec says, or the data set's facts, or the windows of the built-in text; 0
/// if only the files show it and nobody has read them.
[[nodiscard]] std::int64_t knownTrainSamples(const RunSpec& run);
[[nodiscard]] std::int64_t knownTestSamples(const RunSpec& run);

/// What the run has under that parameter.
template <typename Enum>
[[nodiscard]] Enum choice(const RunSpec& run)
{
    return ChoiceTable<Enum>::in(*run.settings);
}

/// is(run, Strategy::Grid); is(run, Strategy::Data, Strategy::Zero): one of these.
template <typename Enum, std::same_as<Enum>... More>
[[nodiscard]] bool is(const RunSpec& run, Enum first, More... more)
{
    const Enum chosen = choice<Enum>(run);
    return ((chosen == first) || ... || (chosen == more));
}

/// One `--set key=value`, or one change made in the form.
struct Override {
    std::string name;
    std::string text;
};

/// Reads and validates a spec. Errors name the entry, what was given and what is allowed.
[[nodiscard]] Result<Spec> parseSpec(std::string_view json);
[[nodiscard]] std::string toJson(const Spec& spec);

/// The table's defaults, then `base`, then `variant`: the settings of a run, also those that do not apply.
[[nodiscard]] Assignment withDefaults(const Assignment& base, const Assignment& variant);

/// Resets parameters that do not apply under the run's other settings (parameter.h), so that values set for another
/// strategy or net have no effect.
void dropInapplicable(RunSpec& run);

/// A complete run spec as JSON (`{"version":1,"experiment":...,"name":...,"repeat":0,"base":{...}}`); parseRunSpec
/// also reads a Spec without variants, fills in defaults and notes what has no effect. What goes over the control
/// socket and into `--spec`. `ranks`: of the processes that were started, which decides where `world_size` is 0; 0: not
/// known.
[[nodiscard]] std::string toJson(const RunSpec& run);
[[nodiscard]] Result<RunSpec> parseRunSpec(std::string_view json, std::int32_t ranks = 0);

/// Applies `--set` in order: each wins over base and variants; a key by which the (remaining) variants differ is
/// refused. `only` keeps the named variants (empty: those that are enabled) and refuses unknown names.
[[nodiscard]] Result<Spec> customise(Spec spec, std::span<const Override> overrides, std::span<const std::string> only);

/// The place of each variant's colour, dash and marker, also of those that are switched off: its own, else that in the
/// list, where no other has it. No two are the same.
[[nodiscard]] std::vector<std::size_t> placesOf(std::span<const Variant> variants);

/// Enabled variants in order, the repeats of each after it; defaults filled in, every run validated.
[[nodiscard]] Result<std::vector<RunSpec>> expand(const Spec& spec);

/// The variant that the others are compared with: the one with this name, else the first.
inline constexpr std::string_view BaselineName = "single";
/// Its place among the names of variants; 0 where there are none.
[[nodiscard]] std::size_t baselineOf(std::span<const std::string> names);

/// The order in which to carry runs out, as places in the list: seed by seed over all variants, so that a variant's
/// first curve does not wait for the repeats of another.
[[nodiscard]] std::vector<std::size_t> orderBySeed(std::span<const RunSpec> runs);

/// A setting that changes nothing in some runs, because it does not apply there. Defaults are none.
struct SettingWithoutEffect {
    std::string name; ///< the parameter
    std::vector<std::string> variants{}; ///< in which it has no effect
    bool isInEvery = false; ///< it applies to no run
    bool isOwn = false; ///< one of these variants names it for itself

    /// One line: where it has no effect, and when it applies.
    [[nodiscard]] Error error() const;
    [[nodiscard]] Text textOfRun() const;
};
/// Whether it is a SettingWithoutEffect::error().
[[nodiscard]] bool isWithoutEffect(const Error& error);

/// Of the parameters in `asked`, and of those that variants name for themselves; in the table's order.
[[nodiscard]] std::vector<SettingWithoutEffect> settingsWithoutEffect(
    const Spec& spec, std::span<const std::string> asked);
/// Refuses settings that apply to no run, and those that a variant without them names for itself.
[[nodiscard]] Result<void> refuseWithoutEffect(std::span<const SettingWithoutEffect> settings);
/// Notes each of these in the runs that it has no effect in.
void addNotes(std::vector<RunSpec>& runs, std::span<const SettingWithoutEffect> settings);

/// The number of ranks: `world_size`, or what the strategy needs if that is 0. An error names both if they conflict.
[[nodiscard]] Result<std::int32_t> worldSizeOf(const RunSpec& run);

/// The words of a command line as a shell would separate them: by blanks, with '...', "..." and \; nothing is expanded.
[[nodiscard]] Result<std::vector<std::string>> programWords(std::string_view command);

/// Whether `train.batch` is of each rank, so that a step's batch grows with them (`train.batch_of`).
[[nodiscard]] bool isBatchOfEachRank(const RunSpec& run);
/// Whether every rank has the whole net and its own samples, and the ranks aggregate arrays: strategy.name data or
/// local.
[[nodiscard]] bool hasReplicas(const RunSpec& run);
/// Whether each rank trains its own copy of the net and the ranks synchronize every few steps: strategy.name local, or
/// data with aggregation.what weights.
[[nodiscard]] bool trainsLocally(const RunSpec& run);
/// Whether the run measures collectives and trains nothing: strategy.name collectives.
[[nodiscard]] bool isSweep(const RunSpec& run);
/// Samples of a full step over all ranks: `train.batch`, or that many per rank. Not for gd, which uses the whole set.
[[nodiscard]] std::int64_t globalBatch(const RunSpec& run);
/// Checks that a set of `trainSamples` is large enough for one step.
[[nodiscard]] Result<void> checkBatch(const RunSpec& run, std::int64_t trainSamples);

/// Checks across rows: batch against data, world size against strategy, ... Called by expand and by the form.
/// Messages begin with the parameter's name, so that the form can show them beside its field.
[[nodiscard]] Result<void> validate(const RunSpec& run);

/// Names of the built-in presets in the gallery's order, and their JSON text (compiled in from resources/presets).
[[nodiscard]] std::span<const std::string_view> presetNames();
/// Also OwnExperiment: one run with the defaults.
[[nodiscard]] Result<Spec> preset(std::string_view name);

} // namespace lockstep::experiment
