#include "launch/ssh/remote_command.h"

#include "experiment/command_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

constexpr auto SecondsToConnect = 10;

Result<void> checkName(const rendezvous::Host& host)
{
    if (host.name.empty() || host.name.front() == '-') {
        return failure(LS_TR("Messages", "`%1` cannot be a host name"), {verbatim(host.name)});
    }
    return {};
}

std::string programOn(const rendezvous::Host& host, const QString& program)
{
    return host.program.empty() ? program.toStdString() : host.program;
}

} // namespace

Result<std::string> remoteCommand(std::span<const std::string> words)
{
    std::string line;
    for (const std::string& word : words) {
        if (std::ranges::any_of(word, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
            return failure(LS_TR("Messages", "a word of a command on another host contains a control character"));
        }
        line += (line.empty() ? "" : " ") + experiment::shellQuoted(word);
    }
    return line;
}

Result<QStringList> sshWords(const rendezvous::Host& host, const QString& program)
{
    LOCKSTEP_TRY(checkName(host));
    const std::array words{programOn(host, program), std::string("--relay")};
    LOCKSTEP_TRY_ASSIGN(const std::string command, remoteCommand(words));
    return QStringList{u"-T"_s, u"-o"_s, u"BatchMode=yes"_s, u"-o"_s, u"ConnectTimeout=%1"_s.arg(SecondsToConnect),
        // Until the relay answers, ssh alone can notice that the host is gone.
        u"-o"_s, u"ServerAliveInterval=1"_s, u"-o"_s, u"ServerAliveCountMax=3"_s, u"-o"_s, u"ClearAllForwardings=yes"_s,
        u"-o"_s, u"ForwardAgent=no"_s, u"-o"_s, u"ForwardX11=no"_s, u"-o"_s, u"PermitLocalCommand=no"_s, u"--"_s,
        QString::fromStdString(host.name), QString::fromStdString(command)};
}

Result<QStringList> srunWords(const rendezvous::Host& host, const QString& program)
{
    LOCKSTEP_TRY(checkName(host));
    // Without --exact a step has all that the allocation has on the node; the ranks choose their cores (rank.bind).
    // Without --unbuffered srun keeps what the relay says until it has a whole line.
    return QStringList{u"--nodes=1"_s, u"--ntasks=1"_s, u"--nodelist=%1"_s.arg(QString::fromStdString(host.name)),
        u"--overlap"_s, u"--cpu-bind=none"_s, u"--mpi=none"_s, u"--unbuffered"_s, u"--quiet"_s,
        u"--job-name=lockstep"_s, u"--"_s, QString::fromStdString(programOn(host, program)), u"--relay"_s};
}

} // namespace lockstep::launch
