// The file with the user's hosts.
#pragma once

#include "base/result.h"
#include "rendezvous/host_list.h"

#include <QString>

#include <vector>

namespace lockstep::session {

/// Errors name the file and the line.
[[nodiscard]] Result<std::vector<rendezvous::Host>> readHosts(const QString& file);

} // namespace lockstep::session
