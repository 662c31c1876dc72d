#include "ui/models/runs/shown_runs.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::ui {

std::vector<RunId> ShownRuns::ids() const
{
    std::vector<RunId> ids;
    for (const Run& run : m_runs) {
        if (!run.isOff) {
            ids.push_back(run.id);
        }
    }
    return ids;
}

std::vector<RunId> ShownRuns::inLegends() const
{
    std::vector<RunId> ids;
    std::ranges::transform(m_runs, std::back_inserter(ids), &Run::id);
    return ids;
}

std::map<RunId, Look> ShownRuns::looks() const
{
    std::map<RunId, Look> looks;
    for (const Run& run : m_runs) {
        if (!run.isOff) {
            looks[run.id] = run.look;
        }
    }
    return looks;
}

std::optional<Look> ShownRuns::lookOf(const RunId& id) const
{
    const Run* run = find(id);
    return run == nullptr || run->isOff ? std::nullopt : std::optional(run->look);
}

std::vector<RunId> ShownRuns::kept() const
{
    std::vector<RunId> ids;
    for (const Run& run : m_runs) {
        if (run.isKept) {
            ids.push_back(run.id);
        }
    }
    return ids;
}

void ShownRuns::add(const RunId& id, const Look& look, std::size_t place)
{
    if (find(id) == nullptr) {
        const auto at = static_cast<std::ptrdiff_t>(std::min(place, m_runs.size()));
        m_runs.insert(m_runs.begin() + at, {id, look});
    }
}

void ShownRuns::remove(const RunId& id)
{
    std::erase_if(m_runs, [&id](const Run& run) { return run.id == id; });
}

void ShownRuns::setLook(const RunId& id, const Look& look)
{
    if (Run* run = find(id)) {
        run->look = look;
    }
}

void ShownRuns::setSwitchedOff(const RunId& id, bool isOff)
{
    if (Run* run = find(id)) {
        run->isOff = isOff;
    }
}

void ShownRuns::keepShown(bool isOn)
{
    for (Run& run : m_runs) {
        run.isKept = isOn && (run.isKept || !run.isOff);
    }
}

const ShownRuns::Run* ShownRuns::find(const RunId& id) const
{
    const auto found = std::ranges::find(m_runs, id, &Run::id);
    return found == m_runs.end() ? nullptr : &*found;
}

ShownRuns::Run* ShownRuns::find(const RunId& id)
{
    return const_cast<Run*>(std::as_const(*this).find(id));
}

} // namespace lockstep::ui
