// The middle of the window: the tabs about the shown runs, or before the first run an invitation; in their place, while
// the user wants it, the page about hosts. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QStackedWidget>

class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace lockstep::ui {

class FormModel;
class HostsPage;
class RunController;
class RunTabs;

class CentrePages : public Translated<QStackedWidget> {
    Q_OBJECT

public:
    /// Form and controller outlive the pages.
    CentrePages(FormModel& form, RunController& controller, QWidget* parent);

    [[nodiscard]] RunTabs& tabs() { return *m_tabs; }
    /// Until showRuns(). Made when it is first shown; it stays, with what the hosts have answered.
    void showHosts();
    [[nodiscard]] bool isHostsShown() const;
    /// Shows this in place of tabs and invitation, until it is called with null. The caller owns it.
    void setCover(QWidget* cover);
    /// What the invitation offers below Run.
    void setLaboratories(QMenu& menu);
    /// False: they were shown already.
    bool showRuns();

Q_SIGNALS:
    void runRequested();

private:
    QWidget* makeInvitation();
    void updatePage();
    [[nodiscard]] QString question() const;
    void retranslate() final;

    FormModel& m_form;
    RunController& m_controller;
    RunTabs* m_tabs;
    QLabel* m_text = nullptr;
    QPushButton* m_run = nullptr;
    QToolButton* m_laboratories = nullptr;
    QWidget* m_invitation;
    QWidget* m_runs; ///< the tabs, the invitation or the cover
    QWidget* m_cover = nullptr;
    HostsPage* m_hosts = nullptr; ///< null: not shown yet
};

} // namespace lockstep::ui
