// Runs as PyTorch scripts: shown, copied, saved, and raced against the run itself. GUI thread only.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "ui/widgets/translated.h"

#include <QDialog>
#include <QPointer>

#include <functional>
#include <vector>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QThread;

namespace lockstep::ui {

class ScriptDialog : public Translated<QDialog> {
    Q_OBJECT

public:
    /// One of `runs`, of which there is at least one, is shown. `scripts`: where scripts that are raced are kept.
    ScriptDialog(std::vector<experiment::RunSpec> runs, QString scripts, QWidget* parent = nullptr);
    ~ScriptDialog() override;

    /// Whether lockstep-rank is at work for it.
    [[nodiscard]] bool isWorking() const;
    /// The script; empty while it is being written, and where the run has none.
    [[nodiscard]] QString text() const;
    /// Why the run has none, or where the script was saved.
    [[nodiscard]] QString message() const;
    void choose(int run);
    void save(const QString& path);
    void race();

Q_SIGNALS:
    void worked();
    /// To be started one after the other; the user has asked for it here.
    void raceRequested(const std::vector<lockstep::experiment::RunSpec>& runs);

private:
    void layOut();
    void write();
    void askForPath();
    /// Calls `work` in another thread, and `done` here if it succeeds; else shows the error.
    void inBackground(std::function<Result<void>()> work, std::function<void()> done);
    void showState();
    void retranslate() final;

    std::vector<experiment::RunSpec> m_runs;
    QString m_scripts;
    experiment::RunSpec m_run; ///< whose script is shown
    QString m_message;
    QComboBox* m_choice;
    QPlainTextEdit* m_text;
    QLabel* m_state;
    QPushButton* m_copy;
    QPushButton* m_save;
    QPushButton* m_race;
    QPushButton* m_close;
    QPointer<QThread> m_thread;
    bool m_isLate = false; ///< another run was chosen meanwhile
};

} // namespace lockstep::ui
