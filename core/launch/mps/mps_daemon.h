// The MPS that this program starts: one for each user and set of GPUs, shared by all workbenches of that user. The
// first user starts it, the last one stops it. Each user holds a shared lock on a file, which the kernel releases when
// its process ends, however it ends; the next session that finds a daemon without users stops it. Session thread only;
// blocking.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"
#include "launch/mps/mps_control.h"

#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace lockstep::launch {

class MpsDaemon {
public:
    /// The daemon for GPUs of these UUIDs, with an MPS server that takes clients. An error says why it does not start.
    [[nodiscard]] static Result<std::unique_ptr<MpsDaemon>> use(const std::vector<std::string>& gpus);
    /// Stops the daemons of this user that killed processes have left.
    static void stopAbandoned();
    /// Stops it if no other process uses it.
    ~MpsDaemon();
    MpsDaemon(const MpsDaemon&) = delete;
    MpsDaemon& operator=(const MpsDaemon&) = delete;

    [[nodiscard]] const MpsControl& control() const { return m_control; }
    /// This call has started it; false: another user had.
    [[nodiscard]] bool wasStarted() const { return m_wasStarted; }

private:
    explicit MpsDaemon(const QString& folder);

    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> start();
    void stopIfUnused();

    QString m_folder;
    MpsControl m_control;
    Descriptor m_users; ///< with a shared lock while this uses the daemon
    bool m_wasStarted = false;
};

} // namespace lockstep::launch
