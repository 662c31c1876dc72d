#include "ui/models/laboratory/code_check.h"

#include "base/translate.h"
#include "laboratory/code/run_trial.h"
#include "ui/models/form/error_text.h"

#include <QFile>
#include <QFileInfo>
#include <QThread>

#include <utility>

namespace lockstep::ui {

CodeCheck::CodeCheck(laboratory::Work& work)
    : m_work(work)
    , m_checker([](const Job& job, const std::atomic_bool& cancelled) {
        return laboratory::checkCode(job.step, job.code, job.name, {{}, laboratory::runRanksHere, &cancelled});
    })
{
    constexpr int SaveMs = 500;
    m_save.setSingleShot(true);
    m_save.setInterval(SaveMs);
    connect(&m_save, &QTimer::timeout, this, &CodeCheck::writeTyped);
}

CodeCheck::~CodeCheck()
{
    writeTyped();
    if (m_thread != nullptr) {
        cancel();
        m_thread->wait();
    }
}

const laboratory::CodeVerdict* CodeCheck::verdictOf(const std::string& step) const
{
    const auto found = m_verdicts.find(step);
    return found == m_verdicts.end() ? nullptr : &found->second;
}

void CodeCheck::tell(const Result<void>& result)
{
    Q_EMIT changed();
    Q_EMIT failed(result ? QString() : errorText(result.error()));
}

void CodeCheck::writeTemplate(const laboratory::Step& step)
{
    tell(laboratory::writeTemplate(m_work, step.id));
}

void CodeCheck::type(const laboratory::Step& step, const QByteArray& code)
{
    if (m_typed && m_typed->first != step.id) {
        writeTyped();
    }
    m_typed = {step.id, code};
    m_save.start();
}

void CodeCheck::writeTyped()
{
    m_save.stop();
    if (const auto typed = std::exchange(m_typed, std::nullopt)) {
        tell(laboratory::writeCode(m_work, typed->first, typed->second));
    }
}

void CodeCheck::start(const laboratory::Step& step)
{
    if (isRunning()) {
        return;
    }
    writeTyped();
    QFile file(laboratory::codeFileOf(m_work, step));
    if (!file.open(QIODevice::ReadOnly)) {
        tell(failure(LS_TR("Messages", "%1 cannot be read: %2"),
            {verbatim(file.fileName().toStdString()), verbatim(file.errorString().toStdString())}));
        return;
    }
    m_job = {step, file.read(laboratory::LargestCode + 1), QFileInfo(file).fileName()};
    m_isCancelled = false;
    m_thread.reset(QThread::create([this] { m_result = m_checker(m_job, m_isCancelled); }));
    connect(m_thread.get(), &QThread::finished, this, &CodeCheck::finish, Qt::QueuedConnection);
    m_thread->start();
    tell({});
}

void CodeCheck::cancel()
{
    m_isCancelled = true;
}

void CodeCheck::finish()
{
    m_thread->wait();
    m_thread.reset();
    const auto verdict = *std::exchange(m_result, std::nullopt);
    if (!verdict) {
        m_verdicts.erase(step());
        tell(verdict.error());
        return;
    }
    m_verdicts[step()] = *verdict;
    tell(m_work.addCheck(step(), m_job.code, *verdict));
}

} // namespace lockstep::ui
