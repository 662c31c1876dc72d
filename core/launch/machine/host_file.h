// The file with the user's hosts: lines (rendezvous/host_list.h), or a list in JSON with the same names.
#pragma once

#include "base/result.h"
#include "rendezvous/host_list.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lockstep::launch {

/// What stands in such a file. Errors name the line or the host's number.
[[nodiscard]] Result<std::vector<rendezvous::Host>> parseHostFile(const QByteArray& text);
/// Errors name the file, too.
[[nodiscard]] Result<std::vector<rendezvous::Host>> readHosts(const QString& file);

} // namespace lockstep::launch
