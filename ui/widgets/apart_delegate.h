// Draws the texts of a list so that neighbours stay different where they are too long: ui/models/short_names.h.
#pragma once

#include <QStyledItemDelegate>

namespace lockstep::ui {

class ApartDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace lockstep::ui
