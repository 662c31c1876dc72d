// The code steps of a work: their files, and Check, which runs one file at a time in another thread. GUI thread
// only.
#pragma once

#include "laboratory/code/code_verdict.h"
#include "laboratory/work.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

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

    /// The work outlives it.
    explicit CodeCheck(laboratory::Work& work);
    /// Cancels, and waits until the processes have ended.
    ~CodeCheck() override;

    void setChecker(Checker checker) { m_checker = std::move(checker); }
    [[nodiscard]] bool isRunning() const { return m_thread != nullptr; }
    [[nodiscard]] const std::string& step() const { return m_job.step.id; } ///< the last one that was started
    /// Of the last check since the laboratory was opened; nullptr: none.
    [[nodiscard]] const laboratory::CodeVerdict* verdictOf(const std::string& step) const;

    void writeTemplate(const laboratory::Step& step);
    /// The code of a step as it is typed; written half a second after the last key, before a check, or by writeTyped().
    void type(const laboratory::Step& step, const QByteArray& code);
    [[nodiscard]] bool hasTyped() const { return m_typed.has_value(); }
    void writeTyped();
    /// Of the step's file as it is on the disk now. Ignored while one runs.
    void start(const laboratory::Step& step);
    void cancel();

Q_SIGNALS:
    /// The work, or whether a check runs.
    void changed();
    /// Empty: what was reported before is over.
    void failed(const QString& message);

private:
    void finish();
    void tell(const Result<void>& result);

    laboratory::Work& m_work;
    Checker m_checker;
    Job m_job;
    std::atomic_bool m_isCancelled = false;
    std::optional<Result<laboratory::CodeVerdict>> m_result; ///< the thread's until it has finished
    std::map<std::string, laboratory::CodeVerdict> m_verdicts; ///< by step
    std::unique_ptr<QThread> m_thread;
    std::optional<std::pair<std::string, QByteArray>> m_typed; ///< a step and its code that is not written yet
    QTimer m_save;
};

} // namespace lockstep::ui
