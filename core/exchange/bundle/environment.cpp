#include "exchange/bundle/environment.h"

#include "base/translate.h"
#include "language/language.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::exchange {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
void addOnce(std::vector<T>& list, const T& value)
{
    if (value != T() && std::ranges::find(list, value) == list.end()) {
        list.push_back(value);
    }
}

} // namespace

void RunEnvironment::add(const store::Delta& delta)
{
    for (const auto& [rank, hello] : delta.hellos) {
        addOnce(m_devices, hello.device);
        addOnce(m_libtorch, hello.libtorch);
    }
    for (const auto& [rank, prepared] : delta.prepared) {
        addOnce(m_devices, prepared.device);
        addOnce(m_dataSets, prepared.dataset);
    }
    for (const analysis::Machine& machine : delta.machines) {
        addOnce(m_machines, machine);
    }
}

Json RunEnvironment::toJson(const RunId& id) const
{
    Json machines = Json::array();
    for (const analysis::Machine& machine : m_machines) {
        Json gpus = Json::array();
        for (const analysis::MachineGpu& gpu : machine.gpus) {
            gpus.push_back({{"number", gpu.number}, {"name", gpu.name}, {"memory_bytes", gpu.memoryBytes}});
        }
        machines.push_back({{"host", machine.host}, {"cores", machine.cores}, {"memory_bytes", machine.memoryBytes},
            {"gpus", std::move(gpus)}});
    }
    return {{"run", id.text}, {"devices", m_devices}, {"libtorch", m_libtorch}, {"data", m_dataSets},
        {"machines", std::move(machines)}};
}

std::string RunEnvironment::text() const
{
    std::vector<std::string> parts = m_devices;
    for (const std::string& version : m_libtorch) {
        parts.push_back("LibTorch " + version);
    }
    for (const analysis::Machine& machine : m_machines) {
        parts.push_back(language::told(LS_TR("CommandLine", "%1: %2 cores, %3 GB"),
            {machine.host, std::to_string(machine.cores),
                fmt::format("{:.1f}", static_cast<double>(machine.memoryBytes) / 1e9)}));
        for (const analysis::MachineGpu& gpu : machine.gpus) {
            parts.push_back(gpu.name);
        }
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace lockstep::exchange
