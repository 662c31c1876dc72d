// Checks a student's code in a thread of its own, one file at a time. GUI thread only.
#pragma once

#include "laboratory/code/code_verdict.h"
#include "laboratory/laboratory.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

class QThread;

namespace lockstep::ui {

class CodeCheck : public QObject {
    Q_OBJECT

public:
    struct Job {
        laboratory::Step step;
        QByteArray code;
        QString name; ///< of the file
    };
    /// Blocks; in the check's thread. Tests give another one.
    using Checker = std::function<Result<laboratory::CodeVerdict>(const Job& job, const std::atomic_bool& cancelled)>;

    explicit CodeCheck(QObject* parent = nullptr);
    /// Cancels, and waits until the processes have ended.
    ~CodeCheck() override;

    void setChecker(Checker checker) { m_checker = std::move(checker); }
    [[nodiscard]] bool isRunning() const { return m_thread != nullptr; }
    [[nodiscard]] const std::string& step() const { return m_job.step.id; } ///< the last one that was started
    /// Ignored while one runs.
    void start(Job job);
    void cancel();

Q_SIGNALS:
    void finished(const QByteArray& code, const Result<laboratory::CodeVerdict>& verdict);

private:
    void finish();

    Checker m_checker;
    Job m_job;
    std::atomic_bool m_isCancelled = false;
    std::optional<Result<laboratory::CodeVerdict>> m_result; ///< the thread's until it has finished
    std::unique_ptr<QThread> m_thread;
};

} // namespace lockstep::ui
