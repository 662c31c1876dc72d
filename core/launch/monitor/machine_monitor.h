// Samples this machine during a run, in a separate thread: waking a GPU's driver may take a second, and
// neither the window nor the telemetry waits for it. Lives in the session thread.
#pragma once

#include "analysis/machine_record.h"
#include "wire/messages.h"

#include <QObject>
#include <QThread>

#include <chrono>
#include <cstdint>
#include <optional>

namespace lockstep::launch {

class MachineMonitor : public QObject {
    Q_OBJECT

public:
    explicit MachineMonitor(std::chrono::milliseconds every, QObject* parent = nullptr);
    /// Waits for the sample in progress.
    ~MachineMonitor() override;

    /// Samples from here to end(); those of an earlier run are no longer reported. Runs that are alive together each
    /// call both: the first begins, the last ends.
    void begin();
    /// A rank of a run under way. Leaves out ranks of other machines.
    void watch(std::int32_t rank, const wire::Hello& hello);
    void end();
    /// Between described() and the last end().
    [[nodiscard]] const std::optional<analysis::Machine>& machine() const { return m_machine; }

Q_SIGNALS:
    /// Once after the first begin(), before the first sample.
    void described(const lockstep::analysis::Machine& machine);
    void sampled(const lockstep::analysis::MachineSample& sample);

private:
    class Worker;

    QThread m_thread;
    Worker* m_worker; ///< lives in `m_thread`, deleted by it
    std::int64_t m_generation = 0;
    int m_runs = 0;
    std::optional<analysis::Machine> m_machine;
};

} // namespace lockstep::launch
