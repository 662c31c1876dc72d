// A combo box that elides a text that is too long: Fusion just cuts it off. The tool tip belongs to its owner.
#pragma once

#include <QComboBox>

namespace lockstep::ui {

class ElidedComboBox final : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lockstep::ui
