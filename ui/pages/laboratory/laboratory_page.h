// The page of a laboratory beside the charts: its steps with their state, the text and the form of the current one.
// GUI thread only.
#pragma once

#include "ui/models/laboratory/laboratory_model.h"
#include "ui/widgets/translated.h"

#include <QString>
#include <QWidget>

#include <utility>

class QLabel;
class QListWidget;
class QPushButton;
class QScrollArea;

namespace lockstep::ui {

class CurvePad;
class LessonView;
class StepForm;

class LaboratoryPage : public Translated<QWidget> {
    Q_OBJECT

public:
    /// `pad`: the axes in place of the charts. Model and pad outlive the page.
    LaboratoryPage(LaboratoryModel& model, CurvePad& pad, QWidget* parent = nullptr);

    /// A line above the form, until another step is shown.
    void showMessage(const QString& message);

Q_SIGNALS:
    void handInRequested();
    void closeRequested();

private:
    void build();
    void showSteps();
    [[nodiscard]] std::pair<QString, QString> signAndState(const laboratory::Step& step) const;
    void showStep();
    void showWork();
    void showForward();
    void keepTabOrder();
    void showKey();
    void goForward();
    void retranslate() final;

    LaboratoryModel& m_model;
    CurvePad& m_pad;
    QListWidget* m_steps;
    QPushButton* m_students;
    QPushButton* m_handIn;
    QPushButton* m_close;
    QScrollArea* m_scroll;
    QLabel* m_title;
    LessonView* m_lesson;
    QLabel* m_message;
    QLabel* m_key; ///< below the form
    QWidget* m_contents;
    QPushButton* m_back;
    QPushButton* m_forward;
    StepForm* m_form = nullptr;
};

} // namespace lockstep::ui
