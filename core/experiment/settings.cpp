#include "experiment/settings.h"

#include "experiment/parameter.h"

namespace lockstep::experiment {

namespace {

const Settings& defaultSettings()
{
    static const Settings Defaults = [] {
        Settings settings;
        for (const Parameter& row : parameters()) {
            row.fills.fill(settings, row.standard);
        }
        return settings;
    }();
    return Defaults;
}

} // namespace

RunSettings::RunSettings()
    : m_typed(defaultSettings())
{ }

RunSettings::RunSettings(Assignment values)
    : m_values(std::move(values))
    , m_typed(defaultSettings())
{
    for (const auto& [name, value] : m_values) {
        if (const Parameter* row = findParameter(name)) {
            row->fills.fill(m_typed, value);
        }
    }
}

RunSettings::RunSettings(std::initializer_list<Assignment::value_type> values)
    : RunSettings(Assignment(values))
{ }

void RunSettings::set(const std::string& name, Value value)
{
    if (const Parameter* row = findParameter(name)) {
        row->fills.fill(m_typed, row->standard);
        row->fills.fill(m_typed, value);
    }
    m_values[name] = std::move(value);
}

} // namespace lockstep::experiment
