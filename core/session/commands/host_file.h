// The file with the user's hosts: the one that is named, else that of the user's configuration.
#pragma once

#include "base/result.h"
#include "rendezvous/host_list.h"

#include <QString>

#include <vector>

namespace lockstep::session {

/// lockstep/hosts in the user's configuration.
[[nodiscard]] QString defaultHostFile();
/// Errors name the file and the line.
[[nodiscard]] Result<std::vector<rendezvous::Host>> readHosts(const QString& file);

} // namespace lockstep::session
