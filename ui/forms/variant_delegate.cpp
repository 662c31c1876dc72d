#include "ui/forms/variant_delegate.h"

#include "ui/models/form/parameter_text.h"
#include "ui/models/form/variants_model.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTimer>

#include <algorithm>

namespace lockstep::ui {

using experiment::Parameter;
using experiment::Type;

namespace {

const Parameter* parameterOf(const QModelIndex& index)
{
    const auto* model = qobject_cast<const VariantsModel*>(index.model());
    return model == nullptr ? nullptr : model->parameterAt(index.column());
}

} // namespace

QWidget* VariantDelegate::createEditor(
    QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Parameter* parameter = parameterOf(index);
    if (parameter == nullptr || parameter->type != Type::Choice) {
        QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
        if (auto* edit = qobject_cast<QLineEdit*>(editor); edit != nullptr && parameter != nullptr) {
            const bool isNumber = parameter->type == Type::Integer || parameter->type == Type::Real;
            edit->setAlignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            describe(*edit, translatedLabel(*parameter), translatedHelp(*parameter));
        }
        return editor;
    }
    auto* combo = new QComboBox(parent);
    for (const experiment::Choice& choice : parameter->choices) {
        const auto name = QString::fromUtf8(choice.name);
        combo->addItem(translatedValue(*parameter, name), name);
    }
    describe(*combo, translatedLabel(*parameter), translatedHelp(*parameter));
    auto* self = const_cast<VariantDelegate*>(this); // signals of a delegate are not const
    connect(combo, &QComboBox::activated, self, [self, combo] {
        Q_EMIT self->commitData(combo);
        Q_EMIT self->closeEditor(combo);
    });
    QTimer::singleShot(0, combo, &QComboBox::showPopup); // one click to the choices
    return combo;
}

void VariantDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* combo = qobject_cast<QComboBox*>(editor)) {
        combo->setCurrentIndex(combo->findData(text));
        return;
    }
    QStyledItemDelegate::setEditorData(editor, index);
}

void VariantDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    const auto* combo = qobject_cast<QComboBox*>(editor);
    const auto* edit = qobject_cast<QLineEdit*>(editor);
    if (combo != nullptr) {
        model->setData(index, combo->currentData(), Qt::EditRole);
    } else if (edit != nullptr) {
        model->setData(index, edit->text(), Qt::EditRole);
    }
}

/// High enough for an editor.
QSize VariantDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), std::max(size.height(), option.fontMetrics.height() + 8)};
}

void VariantDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    if (index.column() == 0) {
        ApartDelegate::initStyleOption(option, index);
    } else { // no digit of a number may go
        QStyledItemDelegate::initStyleOption(option, index);
    }
    if (index.data(VariantsModel::WrongRole).toBool()) {
        const QColor error = toneColor(Tone::Error, option->palette);
        option->palette.setColor(QPalette::Text, error);
        option->palette.setColor(QPalette::HighlightedText, error);
        option->backgroundBrush = toneGround(Tone::Error, option->palette);
    }
}

} // namespace lockstep::ui
