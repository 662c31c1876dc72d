// What will be handed in: what is missing, what the file contains, and where it is written. GUI thread only.
#pragma once

#include <QDialog>
#include <QStringList>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lockstep::ui {

class HandInDialog : public QDialog {
    Q_OBJECT

public:
    explicit HandInDialog(QWidget* parent);

    /// `missing`: of each step what is not done; empty: nothing is. `members`: what is in the file. `fileName`: of the
    /// file, without its folder.
    void showDraft(const QStringList& missing, const QStringList& members, const QString& fileName);
    /// The folder that is chosen; at first that of documents.
    [[nodiscard]] QString folder() const { return m_folder; }
    void showError(const QString& message);
    /// Where it was written.
    void showWritten(const QStringList& files);
    /// It is being prepared or written.
    void setBusy(const QString& what);

Q_SIGNALS:
    void handInRequested();
    void studentsRequested();

private:
    void chooseFolder();
    void showFolder();

    QString m_folder;
    QString m_fileName;
    QLabel* m_state;
    QLabel* m_missing;
    QLabel* m_contents;
    QPlainTextEdit* m_members;
    QLabel* m_place;
    QPushButton* m_choose;
    QPushButton* m_students;
    QPushButton* m_write;
};

} // namespace lockstep::ui
