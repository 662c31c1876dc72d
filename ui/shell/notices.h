// The window's messages and questions in its message strip. GUI thread only.
#pragma once

#include "base/ids.h"

#include <QObject>

#include <functional>

namespace lockstep::ui {

class MessageStrip;
class RunController;

class Notices : public QObject {
    Q_OBJECT

public:
    /// Strip and controller outlive the notices.
    Notices(MessageStrip& strip, RunController& controller, QObject* parent);

    void showError(const QString& message);
    void showNoChart();
    void showExported(const QString& path);
    /// `spec`: the experiment that came with the runs; empty: none.
    void showImported(const QString& file, int runs, int alreadyThere, const QByteArray& spec);
    /// A recording is read while its ranks write it.
    void showFollowed(const QString& file, const RunId& id);
    /// Whether to stop what runs and close, or to leave it to this process without a window.
    void askToClose();
    /// This experiment, or all: others wait.
    void askWhatToStop();
    void showQueued(const QString& experiment, int before);

Q_SIGNALS:
    /// A run is to be shown or resumed.
    void runChosen();
    void runAgainRequested();
    void experimentRequested(const QByteArray& spec);
    void closeConfirmed();
    void leaveConfirmed();

private:
    /// A run of the time before was interrupted: whether to resume it. Once, and not over a run in progress.
    void offerInterrupted();
    void showFailure(const RunId& id, const QString& name, const QString& message);
    /// Until it is answered, or `applies` is false: then the same click would do something else.
    void ask(const QString& question, const QStringList& answers, const std::function<void(int)>& answer,
        std::function<bool()> applies);
    void withdraw();

    MessageStrip& m_strip;
    RunController& m_controller;
    QString m_question;
    std::function<bool()> m_questionApplies; ///< null: nothing is asked
};

} // namespace lockstep::ui
