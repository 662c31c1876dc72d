// A combo box that elides a text that is too long: Fusion just cuts it off. The tool tip belongs to its owner.
#pragma once

#include <QComboBox>

namespace lockstep::ui {

class ElidedComboBox : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;
    /// At this width its longest text is not elided.
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lockstep::ui
