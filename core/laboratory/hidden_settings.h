// The settings that laboratories hide until the questions about them are sealed (ExperimentStep::hidden). A puzzle, not
// a secret: the store and the laboratory's file have them.
#pragma once

#include "analysis/run_record.h"
#include "base/text.h"
#include "base/translate.h"
#include "laboratory/laboratory.h"
#include "laboratory/work_state.h"

#include <QString>

#include <set>
#include <string>
#include <vector>

namespace lockstep::laboratory {

/// Stands in the place of a text that names a hidden setting.
inline constexpr std::string_view HiddenByLaboratory = LS_TR("Laboratory", "hidden by the laboratory");

class HiddenSettings {
public:
    /// Of all works of a store, as their journals have them now. A work that cannot be read hides nothing.
    [[nodiscard]] static HiddenSettings in(const QString& storeFolder);
    /// Of one work, by its folder.
    [[nodiscard]] static HiddenSettings ofWork(const QString& folder);
    /// Until it is read what a store's works hide: faults of every run.
    [[nodiscard]] static HiddenSettings untilRead();
    void add(const Laboratory& laboratory, const WorkState& state);
    void add(const HiddenSettings& others);

    /// Whether anything of this run is hidden: it is of a variant of such a step, also when started outside the
    /// laboratory.
    [[nodiscard]] bool hides(const experiment::RunSpec& run) const;
    /// The run as it may be shown: hidden settings have their defaults, a message that names one is replaced.
    [[nodiscard]] analysis::RunRecord shown(analysis::RunRecord run) const;
    /// A line of the log of a run, or HiddenByLaboratory.
    [[nodiscard]] Text shown(const experiment::RunSpec& run, const Text& line) const;

    [[nodiscard]] bool operator==(const HiddenSettings&) const = default;

private:
    struct Hidden {
        std::string experiment; ///< Spec::experiment; empty: any
        std::set<std::string> variants;
        std::set<std::string> parameters;
        bool operator==(const Hidden&) const = default;
    };
    /// Names of its settings that any of the works hides.
    [[nodiscard]] std::set<std::string> of(const experiment::RunSpec& run) const;

    std::vector<Hidden> m_hidden;
};

} // namespace lockstep::laboratory
