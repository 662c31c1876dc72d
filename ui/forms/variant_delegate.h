// The cells of the variants table: each is edited as its parameter is, a choice in a list, a number in a field. Names
// that are too long stay different. GUI thread only.
#pragma once

#include "ui/widgets/apart_delegate.h"

namespace lockstep::ui {

class VariantDelegate : public ApartDelegate {
    Q_OBJECT

public:
    using ApartDelegate::ApartDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace lockstep::ui
