// What the gallery's menu does with an experiment of the user's own: rename, duplicate, delete. GUI thread only.
#pragma once

#include <QObject>
#include <QString>

namespace lockstep::ui {

class DocumentActions;
class FormModel;
class Gallery;
class MessageStrip;

class ExperimentMenu : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    ExperimentMenu(QWidget& window, FormModel& form, DocumentActions& documents, Gallery& gallery, MessageStrip& strip);

private:
    /// Whether the experiment is in the form now.
    [[nodiscard]] bool open(const QString& place);
    void rename(const QString& place);
    void duplicate(const QString& place);
    /// Opens another one; a button in the strip brings it back, with what was not saved of it.
    void remove(const QString& place);

    QWidget& m_window;
    FormModel& m_form;
    DocumentActions& m_documents;
    MessageStrip& m_strip;
};

} // namespace lockstep::ui
