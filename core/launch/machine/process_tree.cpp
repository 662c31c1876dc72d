#include "launch/machine/process_tree.h"

#include "base/proc_files.h"

#include <QDir>
#include <QString>

#include <csignal>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>

namespace lockstep::launch {

namespace {

struct ProcessLine {
    pid_t parent = 0;
    std::int64_t threads = 0;
    std::int64_t residentPages = 0;
};

/// Of /proc/PID/stat: fields 4, 20 and 24 of proc(5). The name, field 2, may have spaces and parentheses.
[[nodiscard]] ProcessLine processLine(const std::string& stat)
{
    ProcessLine line;
    const std::size_t name = stat.rfind(')');
    if (name == std::string::npos) {
        return line;
    }
    std::istringstream fields(stat.substr(name + 1));
    std::string field;
    for (int number = 3; number <= 24 && fields >> field; ++number) {
        const std::int64_t value = std::strtoll(field.c_str(), nullptr, 10);
        if (number == 4) {
            line.parent = static_cast<pid_t>(value);
        } else if (number == 20) {
            line.threads = value;
        } else if (number == 24) {
            line.residentPages = value;
        }
    }
    return line;
}

} // namespace

ProcessTree processTree(pid_t root)
{
    std::map<pid_t, ProcessLine> lines;
    std::multimap<pid_t, pid_t> children;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString& entry : entries) {
        bool isNumber = false;
        const pid_t id = entry.toInt(&isNumber);
        if (isNumber) {
            const ProcessLine line = processLine(readProcFile("/proc/" + std::to_string(id) + "/stat"));
            lines.emplace(id, line);
            children.emplace(line.parent, id);
        }
    }
    ProcessTree tree;
    if (lines.contains(root)) {
        tree.processes.push_back(root);
    }
    for (std::size_t i = 0; i < tree.processes.size(); ++i) {
        const pid_t id = tree.processes[i];
        const ProcessLine& line = lines[id];
        tree.threads += line.threads;
        tree.residentBytes += line.residentPages * sysconf(_SC_PAGESIZE);
        const auto [first, last] = children.equal_range(id);
        for (auto child = first; child != last; ++child) {
            tree.processes.push_back(child->second);
        }
    }
    return tree;
}

std::int64_t proportionalBytes(const ProcessTree& tree)
{
    std::int64_t bytes = 0;
    for (const pid_t id : tree.processes) {
        const auto own = bytesIn(readProcFile("/proc/" + std::to_string(id) + "/smaps_rollup"), "Pss");
        bytes += own.value_or(tree.residentBytes / static_cast<std::int64_t>(tree.processes.size()));
    }
    return bytes;
}

void killTree(pid_t root)
{
    const ProcessTree tree = processTree(root);
    for (const pid_t id : tree.processes) {
        kill(id, SIGKILL);
    }
}

} // namespace lockstep::launch
