#include "laboratory/hidden_settings.h"

#include "experiment/parameter.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace lockstep::laboratory {

HiddenSettings HiddenSettings::in(const QString& storeFolder)
{
    HiddenSettings all;
    for (const QString& folder : workFoldersIn(storeFolder)) {
        all.add(ofWork(folder));
    }
    return all;
}

HiddenSettings HiddenSettings::ofWork(const QString& folder)
{
    HiddenSettings hidden;
    const Result<Laboratory> read = readLaboratory(folder + QStringLiteral("/laboratory.lab"));
    QFile journal(folder + QStringLiteral("/work.jsonl"));
    if (read && journal.open(QIODevice::ReadOnly)) {
        const QByteArray bytes = journal.readAll();
        const Journal written = Journal::fromBytes({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        WorkState state;
        for (const Entry& entry : written.entries()) {
            state.take(entry);
        }
        hidden.add(*read, state);
    }
    return hidden;
}

HiddenSettings HiddenSettings::untilRead()
{
    HiddenSettings hidden;
    Hidden& faults = hidden.m_hidden.emplace_back();
    for (const experiment::Parameter& row : experiment::parameters()) {
        if (row.name.starts_with("fault.")) {
            faults.parameters.insert(std::string(row.name));
        }
    }
    return hidden;
}

void HiddenSettings::add(const HiddenSettings& others)
{
    m_hidden.insert(m_hidden.end(), others.m_hidden.begin(), others.m_hidden.end());
}

void HiddenSettings::add(const Laboratory& laboratory, const WorkState& state)
{
    for (const Step& step : laboratory.steps) {
        if (!state.hidesParameters(laboratory, step.id)) {
            continue;
        }
        const auto& content = *step.as<ExperimentStep>();
        Hidden hidden{content.spec.experiment, {}, {}};
        for (const experiment::Parameter& row : experiment::parameters()) {
            if (isHidden(content, row.name)) {
                hidden.parameters.insert(std::string(row.name));
            }
        }
        for (const experiment::Variant& variant : content.spec.variants) {
            hidden.variants.insert(variant.name);
        }
        m_hidden.push_back(std::move(hidden));
    }
}

std::set<std::string> HiddenSettings::of(const experiment::RunSpec& run) const
{
    std::set<std::string> names;
    for (const Hidden& each : m_hidden) {
        if ((each.experiment.empty() || each.experiment == run.experiment)
            && (each.variants.empty() || each.variants.contains(run.name))) {
            names.insert(each.parameters.begin(), each.parameters.end());
        }
    }
    return names;
}

bool HiddenSettings::hides(const experiment::RunSpec& run) const
{
    return !of(run).empty();
}

analysis::RunRecord HiddenSettings::shown(analysis::RunRecord run) const
{
    const std::set<std::string> hidden = of(run.spec);
    if (!hidden.empty() && !run.message.empty()) {
        run.setWhy(shown(run.spec, run.why()));
    }
    for (const std::string& name : hidden) {
        if (run.spec.settings.contains(name)) {
            run.spec.settings.set(name, experiment::findParameter(name)->standard);
        }
    }
    return run;
}

Text HiddenSettings::shown(const experiment::RunSpec& run, const Text& line) const
{
    const auto isNamed = [&line](const std::string& name) { return line.english.find(name) != std::string::npos; };
    return std::ranges::any_of(of(run), isNamed) ? Text(HiddenByLaboratory) : line;
}

} // namespace lockstep::laboratory
