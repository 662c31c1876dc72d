#include "ui/widgets/text_question.h"

#include <QInputDialog>
#include <QLineEdit>

namespace lockstep::ui {

void askForText(QWidget& window, const QString& title, const QString& question, const QObject& receiver,
    const std::function<void(const QString&)>& answer, const QString& text)
{
    auto* dialog = new QInputDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(question);
    dialog->setTextValue(text); // makes the field
    auto* field = dialog->findChild<QLineEdit*>();
    field->setAccessibleName(title);
    field->setAccessibleDescription(question);
    QObject::connect(dialog, &QInputDialog::textValueSelected, &receiver, answer);
    dialog->show();
}

} // namespace lockstep::ui
