#include "ui/widgets/apart_delegate.h"

#include "ui/models/short_names.h"

#include <QApplication>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int Near = 16; ///< rows above and below with which a text is compared
constexpr int TextMargin = 4; ///< beside the text

} // namespace

void ApartDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QStyle* style = option->widget == nullptr ? QApplication::style() : option->widget->style();
    const int width = style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget).width() - TextMargin;
    const auto fits = [&](const QString& text) { return option->fontMetrics.horizontalAdvance(text) <= width; };
    if (option->rect.width() <= 0 || fits(option->text)) { // without a place yet: a size is asked for
        return;
    }
    const int first = std::max(0, index.row() - Near);
    const int end = std::min(index.model()->rowCount(index.parent()), index.row() + Near + 1);
    QStringList names;
    for (int row = first; row < end; ++row) {
        names << index.siblingAtRow(row).data().toString();
    }
    option->text = shortNames(names, fits)[index.row() - first];
}

} // namespace lockstep::ui
