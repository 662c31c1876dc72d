#include "store/replay/read_threads.h"

#include <QCoreApplication>
#include <QThread>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace lockstep::store {

namespace {

constexpr int MostThreads = 4; ///< more would wait for each other's memory
/// The window's thread comes before both.
constexpr int SoonNiceness = 5;
constexpr int IdleNiceness = 15;

void beNice(int niceness)
{
    static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness)); // of this thread alone
}

} // namespace

ReadThreads::ReadThreads()
{
    m_soon.setMaxThreadCount(std::clamp(QThread::idealThreadCount(), 1, MostThreads));
    m_idle.setMaxThreadCount(std::clamp(QThread::idealThreadCount() - 1, 1, MostThreads));
}

/// What is read soon may start what is read idly; not the other way round.
ReadThreads::~ReadThreads()
{
    m_soon.waitForDone();
    m_idle.waitForDone();
}

ReadThreads& ReadThreads::shared()
{
    static std::mutex mutex;
    static std::unique_ptr<ReadThreads> threads;
    const std::scoped_lock lock(mutex);
    if (threads == nullptr) {
        threads = std::make_unique<ReadThreads>();
        qAddPostRoutine([] { threads.reset(); }); // SQL drivers end later, with the process
    }
    return *threads;
}

void ReadThreads::startSoon(std::function<void()> work, Need need)
{
    const auto nicely = [work = std::move(work)] {
        beNice(SoonNiceness);
        work();
    };
    m_soon.start(nicely, static_cast<int>(need));
}

void ReadThreads::startIdle(std::function<void()> work)
{
    m_idle.start([work = std::move(work)] {
        beNice(IdleNiceness);
        work();
    });
}

} // namespace lockstep::store
