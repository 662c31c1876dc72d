// The threads that read stored runs: few, however many runs are read. Private to the store.
#pragma once

#include <QThreadPool>

#include <functional>

namespace lockstep::store {

class ReadThreads {
public:
    ReadThreads();
    /// Waits for what has been started.
    ~ReadThreads();
    ReadThreads(const ReadThreads&) = delete;
    ReadThreads& operator=(const ReadThreads&) = delete;

    /// Those of the process, until its QCoreApplication ends.
    [[nodiscard]] static ReadThreads& shared();

    /// What is waited for: the outlines of all runs come before the whole of one.
    enum class Need : int { Whole, Outline };
    void startSoon(std::function<void()> work, Need need);
    /// What takes long, beside windows and training: one after the other, and only while cores are free.
    void startIdle(std::function<void()> work);

private:
    QThreadPool m_soon;
    QThreadPool m_idle;
};

} // namespace lockstep::store
