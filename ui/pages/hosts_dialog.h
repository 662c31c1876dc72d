// The hosts that runs may use: the list, what each has, the links between them, and whether runs start there. GUI
// thread only.
#pragma once

#include "session/commands/host_file.h"
#include "ui/models/host_survey.h"

#include <QDialog>
#include <QProcess>
#include <QTemporaryFile>

#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableView;

namespace lockstep::ui {

class HostsDialog : public QDialog {
    Q_OBJECT

public:
    /// `lockstep`: the program that asks the hosts.
    explicit HostsDialog(QString lockstep, QWidget* parent = nullptr);
    ~HostsDialog() override;

    [[nodiscard]] bool isAsking() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] const HostsTableModel& hosts() const { return *m_hosts; }
    [[nodiscard]] const HostLinksModel& links() const { return *m_links; }

Q_SIGNALS:
    /// The hosts have answered, or cannot be asked.
    void asked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void ask(bool measures);
    void stop();
    void onFinished();
    /// The list has been edited, or the box ticked. A list that cannot be read is not kept: the last one holds.
    void onEdited();
    void retranslate();
    void showState();

    QString m_lockstep;
    HostsTableModel* m_hosts;
    HostLinksModel* m_links;
    QLabel* m_help;
    QPlainTextEdit* m_list;
    QLabel* m_problem;
    QCheckBox* m_use;
    QProgressBar* m_progress;
    QTableView* m_hostsTable;
    QLabel* m_linksTitle;
    QTableView* m_linksTable;
    QPushButton* m_check;
    QPushButton* m_measure;
    QPushButton* m_stop;
    QPushButton* m_close;
    Result<std::vector<rendezvous::Host>> m_parsed = std::vector<rendezvous::Host>();
    QString m_failure; ///< of the last question
    bool m_isMeasuring = false;
    std::unique_ptr<QTemporaryFile> m_file; ///< the list, for the program
    QProcess m_process;
};

} // namespace lockstep::ui
