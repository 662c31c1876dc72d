#include "rendezvous/allocation.h"

#include "rendezvous/node_list.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace lockstep::rendezvous {

namespace {

std::optional<std::int32_t> numberAtFront(std::string_view& text)
{
    std::int32_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    return error == std::errc{} && number >= 1 ? std::optional(number) : std::nullopt;
}

/// The tasks of each node; nothing where `text` is not about that many nodes.
std::optional<std::vector<std::int32_t>> tasksOf(std::string_view text, std::size_t nodes)
{
    std::vector<std::int32_t> tasks;
    for (bool hasMore = true; hasMore;) {
        const auto count = numberAtFront(text);
        std::optional<std::int32_t> times = 1;
        if (text.starts_with("(x")) {
            text.remove_prefix(2);
            times = numberAtFront(text);
            if (!text.starts_with(')')) {
                return std::nullopt;
            }
            text.remove_prefix(1);
        }
        hasMore = text.starts_with(',');
        if (!count || !times || static_cast<std::size_t>(*times) > nodes - tasks.size() || hasMore == text.empty()) {
            return std::nullopt;
        }
        tasks.insert(tasks.end(), static_cast<std::size_t>(*times), *count);
        text.remove_prefix(hasMore ? 1 : 0);
    }
    return tasks.size() == nodes ? std::optional(tasks) : std::nullopt;
}

} // namespace

Result<std::vector<Host>> hostsOfAllocation(const Variables& variables)
{
    const std::string list = valueOf(variables, "SLURM_JOB_NODELIST");
    if (list.empty() || valueOf(variables, "SLURM_JOB_ID").empty()) {
        return failure(LS_TR("Messages",
            "there is no Slurm allocation: start with salloc, as in salloc --nodes=2 --ntasks=4 lockstep run ..."));
    }
    LOCKSTEP_TRY_ASSIGN(const std::vector<std::string> nodes, expandNodeList(list));
    const std::string text = valueOf(variables, "SLURM_TASKS_PER_NODE");
    const auto tasks = tasksOf(text, nodes.size());
    if (!tasks) {
        return failure(LS_TR("Messages", "SLURM_TASKS_PER_NODE: `%1` is not the tasks of %2 nodes, as in 2(x3),1"),
            {verbatim(text), nodes.size()});
    }
    std::vector<Host> hosts;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        LOCKSTEP_TRY(addHost(hosts, {.name = nodes[i], .slots = (*tasks)[i], .starter = Starter::Srun}));
    }
    return hosts;
}

} // namespace lockstep::rendezvous
