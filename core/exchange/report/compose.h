// Makes a report of runs by a template.
#pragma once

#include "analysis/run_record.h"
#include "exchange/report/report.h"
#include "exchange/report/template.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

/// A text that the code marks with LS_TR(context, text), in the report's language; identity for English.
using Translate = std::function<std::string(std::string_view context, std::string_view text)>;

/// What a run says of its environment beside its record; empty if unknown.
struct RunFacts {
    std::string host; ///< of rank 0
    std::string device; ///< of rank 0: `cpu`, `cuda:0`
    std::string libtorch; ///< its version
    std::string dataset; ///< in words
    std::string communication; ///< in words
    std::int64_t parameters = 0; ///< of the net; 0 if unknown
};

struct Source {
    std::vector<analysis::RunRecord> runs; ///< with their curves
    std::vector<RunFacts> facts; ///< by run; may be empty
    analysis::Interfered interfered = analysis::Interfered::LeaveOut;
    Language language = Language::English;
    Translate translate; ///< may be empty
    std::string version; ///< of this program
    std::string templateName; ///< a name or a file that was chosen; empty: the standard one of the runs' experiment
    std::string author; ///< empty: a line to write on
    std::string number; ///< the student's
    std::string className; ///< empty: no line
    std::string date; ///< of the report, as it is to be written
    /// Kinds of the findings that the notes on method explain; without: of all.
    std::optional<std::set<std::string>> said{};

    [[nodiscard]] std::string say(std::string_view text) const; ///< of the context Report
    [[nodiscard]] std::string say(std::string_view context, std::string_view text) const;
    /// say(), with the arguments in the places of %1, %2, ...
    [[nodiscard]] std::string say(std::string_view text, std::initializer_list<std::string> arguments) const;
};

/// Blocks that have nothing to show (a table without rows, no findings of a kind) are left out. Captions of charts are
/// empty where the template gives none: who draws them knows their titles.
[[nodiscard]] Report compose(const Template& which, const Source& source);

/// The spec that repeats these runs, as JSON: common settings in `base`, the others in the variants. Runs of several
/// experiments: a list of specs.
[[nodiscard]] std::string specOf(std::span<const experiment::RunSpec> runs);

} // namespace lockstep::report
