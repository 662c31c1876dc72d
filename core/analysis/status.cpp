#include "analysis/run_record.h"

#include "base/translate.h"

#include <algorithm>
#include <array>

namespace lockstep::analysis {

namespace {

constexpr std::array<std::string_view, 9> Names{LS_TR("Messages", "queued"), LS_TR("Messages", "starting"),
    LS_TR("Messages", "running"), LS_TR("Messages", "paused"), LS_TR("Messages", "stopping"),
    LS_TR("Messages", "finished"), LS_TR("Messages", "failed"), LS_TR("Messages", "stopped"),
    LS_TR("Messages", "interrupted")};

struct NamedInterference {
    std::string_view name;
    bool Interference::*member;
};

constexpr std::array Interferences{NamedInterference{LS_TR("Messages", "paused"), &Interference::isPaused},
    NamedInterference{LS_TR("Messages", "slowed"), &Interference::isSlowed},
    NamedInterference{LS_TR("Messages", "link"), &Interference::isLinkChanged}};

} // namespace

std::string_view nameOf(RunStatus status)
{
    return Names[static_cast<std::size_t>(status)];
}

std::optional<RunStatus> statusFromName(std::string_view name)
{
    for (std::size_t i = 0; i < Names.size(); ++i) {
        if (Names[i] == name) {
            return static_cast<RunStatus>(i);
        }
    }
    return std::nullopt;
}

bool isFinal(RunStatus status)
{
    switch (status) {
    case RunStatus::Queued:
    case RunStatus::Starting:
    case RunStatus::Running:
    case RunStatus::Paused:
    case RunStatus::Stopping:
        return false;
    case RunStatus::Finished:
    case RunStatus::Failed:
    case RunStatus::Stopped:
    case RunStatus::Interrupted:
        return true;
    }
    return false;
}

bool hasStarted(const RunRecord& run)
{
    return run.status != RunStatus::Queued && !(run.status == RunStatus::Stopped && run.message == StoppedBeforeStart);
}

std::vector<std::string> tagsFromText(std::string_view text)
{
    std::vector<std::string> tags;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view tag = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t first = std::min(tag.find_first_not_of(' '), tag.size());
        tag = tag.substr(first, tag.find_last_not_of(' ') + 1 - first);
        if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end()) {
            tags.emplace_back(tag);
        }
    }
    return tags;
}

std::vector<std::string> namesOf(const Interference& interference)
{
    std::vector<std::string> names;
    for (const NamedInterference& each : Interferences) {
        if (interference.*each.member) {
            names.emplace_back(each.name);
        }
    }
    return names;
}

Interference interferenceFromNames(const std::vector<std::string>& names)
{
    Interference interference;
    for (const NamedInterference& each : Interferences) {
        interference.*each.member = std::find(names.begin(), names.end(), each.name) != names.end();
    }
    return interference;
}

} // namespace lockstep::analysis
