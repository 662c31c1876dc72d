// environment.json of a bundle: on what its runs were measured.
#pragma once

#include "store/account/delta.h"

#include <nlohmann/json.hpp>

namespace lockstep::exchange {

/// Gathers one run's environment from its Deltas.
class RunEnvironment {
public:
    void add(const store::Delta& delta);
    /// Whether a rank's device, version and data set and its machine are known.
    [[nodiscard]] bool isWhole() const
    {
        return !m_devices.empty() && !m_libtorch.empty() && !m_dataSets.empty() && !m_machines.empty();
    }
    /// Empty lists where the run does not say.
    [[nodiscard]] nlohmann::ordered_json toJson(const RunId& id) const;
    /// `cpu, LibTorch 1.13.1, 2 cores, 8.2 GB`
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> m_devices;
    std::vector<std::string> m_libtorch;
    std::vector<std::string> m_dataSets;
    std::vector<analysis::Machine> m_machines;
};

} // namespace lockstep::exchange
