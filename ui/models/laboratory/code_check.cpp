#include "ui/models/laboratory/code_check.h"

#include "laboratory/code/run_trial.h"

#include <QThread>

#include <utility>

namespace lockstep::ui {

CodeCheck::CodeCheck(QObject* parent)
    : QObject(parent)
    , m_checker([](const Job& job, const std::atomic_bool& cancelled) {
        return laboratory::checkCode(job.step, job.code, job.name, {{}, laboratory::runRanksHere, &cancelled});
    })
{ }

CodeCheck::~CodeCheck()
{
    if (m_thread != nullptr) {
        cancel();
        m_thread->wait();
    }
}

void CodeCheck::start(Job job)
{
    if (isRunning()) {
        return;
    }
    m_job = std::move(job);
    m_isCancelled = false;
    m_thread.reset(QThread::create([this] { m_result = m_checker(m_job, m_isCancelled); }));
    connect(m_thread.get(), &QThread::finished, this, &CodeCheck::finish, Qt::QueuedConnection);
    m_thread->start();
}

void CodeCheck::cancel()
{
    m_isCancelled = true;
}

void CodeCheck::finish()
{
    m_thread->wait();
    m_thread.reset();
    const auto result = std::exchange(m_result, std::nullopt);
    Q_EMIT finished(m_job.code, *result);
}

} // namespace lockstep::ui
