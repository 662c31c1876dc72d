// "My own program…": the command that a user types, or a file that is chosen or dropped, as an experiment. Nothing is
// started. GUI thread only.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <QDialog>

class QLineEdit;
class QMenu;
class QLabel;
class QPushButton;
class QSpinBox;

namespace lockstep::ui {

/// Whether a file is a program as such: a Python or shell script.
[[nodiscard]] bool isProgramFile(const QString& path);
/// `env -C /home/me python3 /home/me/train.py`: it runs in the file's folder.
[[nodiscard]] QString commandOfFile(const QString& path);
/// Copies the example scripts into this folder, except those that are there, and gives the path of this one.
[[nodiscard]] Result<QString> exampleIn(const QString& folder, const QString& name);
/// `ranks` 0: those that the program makes itself.
[[nodiscard]] experiment::Spec specOfProgram(const QString& command, int ranks);

class OwnProgramDialog : public QDialog {
    Q_OBJECT

public:
    /// Deletes itself when it is closed.
    explicit OwnProgramDialog(QWidget* parent);

Q_SIGNALS:
    void chosen(const lockstep::experiment::Spec& spec);

private:
    void browse();
    void listExamples(QMenu& menu);
    void useExample(const QString& name);
    void checkCommand();

    QLineEdit* m_command;
    QSpinBox* m_ranks;
    QPushButton* m_open;
    QLabel* m_message;
};

} // namespace lockstep::ui
