// Finds the processes of one trial by a mark in their environment.
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <vector>

namespace lockstep::tests {

/// Names the processes of one trial: it is in their environment.
[[nodiscard]] inline QByteArray markOf(int trial)
{
    return "LOCKSTEP_FAULT_MARK=" + QByteArray::number(QCoreApplication::applicationPid()) + "-"
        + QByteArray::number(trial);
}

[[nodiscard]] inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The rank that a process with this environment is; -1 if it is none.
[[nodiscard]] inline int rankIn(const QByteArray& environment)
{
    for (const QByteArray& entry : environment.split('\0')) {
        if (entry.startsWith("RANK=") || entry.startsWith("OMPI_COMM_WORLD_RANK=")) {
            return entry.mid(entry.indexOf('=') + 1).toInt();
        }
    }
    return -1;
}

/// The rank that a process is; -1 if it is none. One that was forked from a ready process is known by its name.
[[nodiscard]] inline int rankOf(int process)
{
    const QString folder = QStringLiteral("/proc/%1/").arg(process);
    const QByteArray name = contentOf(folder + "comm").trimmed();
    if (name.startsWith("rank ")) {
        return name.mid(5).toInt();
    }
    const QByteArray environment = contentOf(folder + "environ");
    // mpirun passes the secret on, and is no rank.
    return environment.contains("LOCKSTEP_SECRET=") ? rankIn(environment) : -1;
}

/// Living processes with that mark, and which of them are ranks or wait to be forked.
struct Marked {
    std::vector<int> all;
    std::vector<int> ranks;
    std::vector<int> ready;
};

[[nodiscard]] inline Marked markedProcesses(const QByteArray& mark)
{
    Marked found;
    for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
        // A zombie's environment is empty.
        const QByteArray environment = name[0].isDigit() ? contentOf("/proc/" + name + "/environ") : QByteArray();
        if (!environment.split('\0').contains(mark)) {
            continue;
        }
        found.all.push_back(name.toInt());
        if (rankOf(name.toInt()) >= 0) {
            found.ranks.push_back(name.toInt());
        } else if (contentOf("/proc/" + name + "/cmdline").split('\0').contains("--ready")) {
            found.ready.push_back(name.toInt());
        }
    }
    return found;
}

} // namespace lockstep::tests
