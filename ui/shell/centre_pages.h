// The middle of the window: the tabs about the shown runs, or before the first run an invitation. GUI thread only.
#pragma once

#include <QStackedWidget>

class QLabel;
class QPushButton;

namespace lockstep::ui {

class FormModel;
class RunController;
class RunTabs;

class CentrePages : public QStackedWidget {
    Q_OBJECT

public:
    /// Form and controller outlive the pages.
    CentrePages(FormModel& form, RunController& controller, QWidget* parent);

    [[nodiscard]] RunTabs& tabs() { return *m_tabs; }

Q_SIGNALS:
    void runRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeInvitation();
    void showPage();
    [[nodiscard]] QString question() const;
    void retranslate();

    FormModel& m_form;
    RunController& m_controller;
    RunTabs* m_tabs;
    QLabel* m_text = nullptr;
    QPushButton* m_run = nullptr;
};

} // namespace lockstep::ui
