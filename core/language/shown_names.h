// What experiments and variants are called, in this thread's language: the one function for charts, tables, sentences,
// reports and the command line.
#pragma once

#include "analysis/run_record.h"
#include "experiment/spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::language {

/// `Ring, 4 ranks`: experiment::variantName(); a run without variants has its experiment's title.
[[nodiscard]] std::string shownName(const experiment::RunSpec& run);
/// Of a variant before it is a run: `settings` are those that it sets.
[[nodiscard]] std::string shownName(
    std::string_view experiment, std::string_view name, const experiment::Assignment& settings);
/// Of a name or a part of one from experiment/variant_name.h.
[[nodiscard]] std::string inWords(const Text& name);

/// The text in this thread's language; the other one where that is empty.
[[nodiscard]] std::string inLanguage(const experiment::Wording& wording);
/// Its own title, else the preset's, else its name.
[[nodiscard]] std::string experimentTitle(const std::string& experiment, const experiment::Wording& title);
[[nodiscard]] std::string experimentTitle(const experiment::RunSpec& run);
/// What an experiment without a title is called, in both languages: experiment::nameByVariation().
[[nodiscard]] experiment::Wording nameByVariation(const experiment::Spec& spec);

/// With RunSpec::shown, for sentences and tables. Runs of one name with other settings are called by what differs.
[[nodiscard]] std::vector<analysis::RunRecord> named(std::vector<analysis::RunRecord> records);

} // namespace lockstep::language
