// The words with which ssh is started. What stands behind the host's name is read by a shell of that host.
#pragma once

#include "base/result.h"
#include "rendezvous/host_list.h"

#include <QString>
#include <QStringList>

#include <span>
#include <string>

namespace lockstep::session {

/// One line for a shell of POSIX that has these words. Refused: a word with a control character, which shells treat
/// differently.
[[nodiscard]] Result<std::string> remoteCommand(std::span<const std::string> words);

/// Of OpenSSH's client, for `lockstep-rank --relay` on that host; `program`: where the host names none. Nothing is
/// asked of the user, no port is forwarded. Refused: a host that ssh would take for an option.
[[nodiscard]] Result<QStringList> sshWords(const rendezvous::Host& host, const QString& program);

} // namespace lockstep::session
