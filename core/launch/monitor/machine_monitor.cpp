#include "launch/monitor/machine_monitor.h"

#include "launch/monitor/machine_sampler.h"

#include <QTimer>

#include <algorithm>
#include <memory>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;

/// The first sample comes sooner, so that a run of a second has several.
constexpr auto FirstLook = 200ms;

} // namespace

/// The part in the monitor's thread.
class MachineMonitor::Worker : public QObject {
public:
    Worker(MachineMonitor& owner, std::chrono::milliseconds every)
        : m_owner(owner)
        , m_every(every)
        , m_timer(this)
    {
        QObject::connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
    }

    void begin(std::int64_t generation)
    {
        m_generation = generation;
        if (m_sampler == nullptr) {
            m_sampler = std::make_unique<Sampler>(Nvml::open().nvml);
        }
        m_sampler->begin();
        post([machine = m_sampler->machine()](MachineMonitor& owner) {
            owner.m_machine = machine;
            Q_EMIT owner.described(machine);
        });
        m_timer.start(std::min<std::chrono::milliseconds>(FirstLook, m_every));
    }

    void watch(std::int32_t rank, const wire::Hello& hello)
    {
        if (m_sampler != nullptr && hello.host == m_sampler->machine().host) {
            m_sampler->watch(rank, hello.pid);
        }
    }

    void end() { m_timer.stop(); }

private:
    void look()
    {
        if (m_timer.intervalAsDuration() != m_every) {
            m_timer.start(m_every);
        }
        post([sample = m_sampler->sample()](MachineMonitor& owner) { Q_EMIT owner.sampled(sample); });
    }

    /// In the owner's thread, unless another run has begun or this one has ended by then.
    template <typename Emit>
    void post(Emit emit)
    {
        QMetaObject::invokeMethod(
            &m_owner,
            [&owner = m_owner, generation = m_generation, emit] {
                if (generation == owner.m_generation) {
                    emit(owner);
                }
            },
            Qt::QueuedConnection);
    }

    MachineMonitor& m_owner;
    std::chrono::milliseconds m_every;
    QTimer m_timer;
    std::unique_ptr<Sampler> m_sampler; ///< made by the first run: a window that runs nothing wakes no GPU
    std::int64_t m_generation = 0;
};

MachineMonitor::MachineMonitor(std::chrono::milliseconds every, QObject* parent)
    : QObject(parent)
    , m_worker(new Worker(*this, every))
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("monitor"));
    m_thread.start();
}

MachineMonitor::~MachineMonitor()
{
    m_thread.quit();
    m_thread.wait();
}

void MachineMonitor::begin()
{
    if (m_runs++ > 0) {
        return;
    }
    ++m_generation;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, generation = m_generation] { worker->begin(generation); }, Qt::QueuedConnection);
}

void MachineMonitor::watch(std::int32_t rank, const wire::Hello& hello)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, rank, hello] { worker->watch(rank, hello); }, Qt::QueuedConnection);
}

void MachineMonitor::end()
{
    if (--m_runs > 0) {
        return;
    }
    m_machine.reset();
    ++m_generation;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker] { worker->end(); }, Qt::QueuedConnection);
}

} // namespace lockstep::launch
