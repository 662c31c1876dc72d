#include "ui/widgets/elided_combo_box.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

#include <algorithm>

namespace lockstep::ui {

namespace {

/// The style draws the text this much narrower than its field.
constexpr int MarginWidth = 4;

} // namespace

QSize ElidedComboBox::sizeHint() const
{
    const QSize hint = QComboBox::sizeHint();
    if (sizeAdjustPolicy() != AdjustToContents) {
        return hint;
    }
    // The style's hint has no room for all of the frame and the arrow.
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.rect = QRect({0, 0}, hint);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    int longest = 0;
    for (int i = 0; i < count(); ++i) {
        const int icon = itemIcon(i).isNull() ? 0 : iconSize().width() + MarginWidth;
        longest = std::max(longest, fontMetrics().horizontalAdvance(itemText(i)) + icon);
    }
    return hint + QSize(std::max(0, longest + MarginWidth - field.width()), 0);
}

void ElidedComboBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    const int icon = option.currentIcon.isNull() ? 0 : option.iconSize.width() + MarginWidth;
    option.currentText
        = option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, field.width() - icon - MarginWidth);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace lockstep::ui
