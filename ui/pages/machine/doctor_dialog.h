// What this machine has and what works on it: examined in the background each time it is opened. GUI thread only.
#pragma once

#include "launch/machine/doctor_report.h"
#include "ui/widgets/translated.h"

#include <QDialog>
#include <QPointer>

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;
class QTextBrowser;
class QThread;

namespace lockstep::ui {

class BackendTableModel;

class DoctorDialog : public Translated<QDialog> {
    Q_OBJECT

public:
    /// `examine` runs on a separate thread, and may outlive the dialog.
    explicit DoctorDialog(std::function<launch::MachineReport()> examine, QWidget* parent = nullptr);
    ~DoctorDialog() override;

    /// Starts to examine; no-op while it does.
    void examine();
    [[nodiscard]] bool isExamining() const;
    [[nodiscard]] const BackendTableModel& table() const { return *m_model; }
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void examined();

private:
    void layOut();
    void showReport(const launch::MachineReport& report);
    void retranslate() final;
    [[nodiscard]] QString reportHtml() const;

    std::function<launch::MachineReport()> m_examine;
    launch::MachineReport m_report;
    BackendTableModel* m_model;
    QLabel* m_state;
    QProgressBar* m_progress;
    QTableView* m_table;
    QTextBrowser* m_words;
    QPushButton* m_again;
    QPushButton* m_copy;
    QPushButton* m_close;
    QPointer<QThread> m_thread;
};

} // namespace lockstep::ui
