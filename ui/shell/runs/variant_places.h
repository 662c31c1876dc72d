// Which place in the palette each variant has: that of the form for runs that it starts; repeats and resumed runs have
// their variant's. GUI thread only.
#pragma once

#include "experiment/spec.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::ui {

class VariantPlaces {
public:
    /// A run that is drawn.
    struct Taken {
        const experiment::RunSpec* run;
        std::size_t place;
    };

    /// This experiment is started, with these places by variant. Without any, those of its last start stay.
    void begin(const std::string& experiment, const std::map<std::string, std::size_t>& places);
    /// Of a run that was just started, also where another variant has that place. Its variant keeps it.
    std::size_t ofStarted(const experiment::RunSpec& run, const std::vector<Taken>& taken);
    /// Of a stored run: that of its variant where that is free or shown for the same settings, else a free one.
    [[nodiscard]] std::size_t ofStored(const experiment::RunSpec& run, const std::vector<Taken>& taken) const;

private:
    [[nodiscard]] std::optional<std::size_t> usual(
        const experiment::RunSpec& run, const std::vector<Taken>& taken) const;

    std::string m_experiment; ///< that was started last
    std::map<std::string, std::size_t> m_places; ///< of its variants
};

} // namespace lockstep::ui
