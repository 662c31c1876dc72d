// Where this user's processes on this machine meet: sockets and locks, in a folder that no other user can enter.
#pragma once

#include "base/result.h"

#include <QString>

namespace lockstep::launch {

/// `name` in XDG_RUNTIME_DIR, else, as where that path has more than `longest` bytes, in /tmp/lockstep-UID.
[[nodiscard]] Result<QString> userPath(const QString& name, qsizetype longest);

} // namespace lockstep::launch
