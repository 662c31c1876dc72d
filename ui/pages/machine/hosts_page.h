// The page about the hosts that runs may use: the list, what each has, the links between them, and whether runs start
// there. It keeps querying the hosts while it is hidden. GUI thread only.
#pragma once

#include "launch/machine/host_file.h"
#include "ui/models/host_survey.h"
#include "ui/widgets/translated.h"

#include <QProcess>
#include <QTemporaryFile>
#include <QWidget>

#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace lockstep::ui {

class ElidedLabel;

class HostsPage : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit HostsPage(QWidget* parent = nullptr);
    ~HostsPage() override;

    /// The program that asks the hosts; at first this one.
    void setProgram(const QString& lockstep) { m_lockstep = lockstep; }
    [[nodiscard]] bool isAsking() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] const HostsTableModel& hosts() const { return *m_hosts; }
    [[nodiscard]] const HostLinksModel& links() const { return *m_links; }

Q_SIGNALS:
    /// The hosts have answered, or cannot be asked.
    void asked();
    void closeRequested();
    /// Runs may start elsewhere than before: list or choice have changed.
    void whereChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void layOut();
    void fill(QVBoxLayout& page);
    void connectControls();
    /// List and box as they are kept: another window may have changed them.
    void readSettings();
    void ask(bool measures);
    void stop();
    void onFinished();
    /// The list has been edited, or the box ticked. A list that cannot be read is not kept: the last one holds.
    void onEdited();
    void retranslate() final;
    void showState();
    void showWhere();

    QString m_lockstep;
    HostsTableModel* m_hosts;
    HostLinksModel* m_links;
    QLabel* m_heading;
    ElidedLabel* m_where;
    QPushButton* m_close;
    QLabel* m_help;
    QPlainTextEdit* m_list;
    QLabel* m_problem;
    QCheckBox* m_use;
    QPushButton* m_check;
    QPushButton* m_measure;
    QPushButton* m_stop;
    QProgressBar* m_progress;
    QLabel* m_empty;
    QTableView* m_hostsTable;
    QLabel* m_linksTitle;
    QTableView* m_linksTable;
    Result<std::vector<rendezvous::Host>> m_parsed = std::vector<rendezvous::Host>();
    QString m_failure; ///< of the last question
    bool m_isMeasuring = false;
    std::unique_ptr<QTemporaryFile> m_file; ///< the list, for the program
    QProcess m_process;
};

} // namespace lockstep::ui
