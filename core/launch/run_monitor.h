// How one run uses the machine: gives its collector the machine and the samples of its own ranks. Session thread only.
#pragma once

#include "launch/collect/collector.h"
#include "launch/monitor/machine_monitor.h"

#include <QObject>
#include <QPointer>

#include <cstdint>
#include <string>

namespace lockstep::launch {

class RunMonitor : public QObject {
    Q_OBJECT

public:
    /// `monitor` may be null: the machine is not monitored. `place`: among the runs that are alive together.
    RunMonitor(MachineMonitor* monitor, std::int32_t place, Collector& collector);

    /// analysis::Machine::mps of the run's machine; before the first rank connects.
    void setMps(const std::string& origin) { m_mps = origin; }
    /// A rank has connected. A run whose ranks cannot start records no machine.
    void watch(std::int32_t rank, const wire::Hello& hello);
    /// The run's ranks have ended.
    void end();

private:
    void addMachine(const analysis::Machine& machine);
    void addSample(const analysis::MachineSample& sample);

    QPointer<MachineMonitor> m_monitor;
    Collector& m_collector;
    std::int32_t m_firstRank; ///< the monitor's number of the run's rank 0
    std::string m_mps;
    bool m_isMonitored = false; ///< once the first rank has connected
    bool m_isDescribed = false; ///< the machine
};

} // namespace lockstep::launch
