// What a report of a fault needs, as one zip archive: versions, the machine, settings, and the latest runs that failed.
#pragma once

#include "base/result.h"
#include "exchange/bundle/private_names.h"

#include <QString>

namespace lockstep::exchange {

struct FaultBundle {
    QString version; ///< of Lockstep
    QString store; ///< the run store; one that cannot be opened is reported inside
    Names names = Names::LeaveOut; ///< Keep: texts stay as they are, with paths and addresses
};

/// Replaces `path`. Takes seconds, because it examines this machine (examineMachine()).
[[nodiscard]] Result<void> writeFaultBundle(const QString& path, const FaultBundle& bundle);

} // namespace lockstep::exchange
