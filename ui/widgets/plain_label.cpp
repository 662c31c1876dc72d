#include "ui/widgets/plain_label.h"

namespace lockstep::ui {

QLabel* plainLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QLabel* plainLabel(QWidget* parent)
{
    return plainLabel(QString(), parent);
}

} // namespace lockstep::ui
