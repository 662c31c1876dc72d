// The words with which ssh or srun is started. What stands behind the host's name is read by a shell of that host with
// ssh, and by none with srun.
#pragma once

#include "base/result.h"
#include "rendezvous/host_list.h"

#include <QString>
#include <QStringList>

#include <span>
#include <string>

namespace lockstep::launch {

/// One line for a shell of POSIX that has these words. Refused: a word with a control character, which shells treat
/// differently.
[[nodiscard]] Result<std::string> remoteCommand(std::span<const std::string> words);

/// Of OpenSSH's client, for `lockstep-rank --relay` on that host; `program`: where the host names none. Nothing is
/// asked of the user, no port is forwarded. Refused: a host that ssh would take for an option.
[[nodiscard]] Result<QStringList> sshWords(const rendezvous::Host& host, const QString& program);

/// Of Slurm's srun, for the same as a step on that node of the allocation in which this process runs (SLURM_JOB_ID),
/// beside other steps and on all of the node's cores that the allocation has.
[[nodiscard]] Result<QStringList> srunWords(const rendezvous::Host& host, const QString& program);

} // namespace lockstep::launch
