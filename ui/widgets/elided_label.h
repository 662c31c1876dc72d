// A line of text that can shrink: text that does not fit is elided; the tool tip shows it in full. At the left, unless
// its alignment is another.
#pragma once

#include <QLabel>

namespace lockstep::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// Instead of setText; the accessible name is the whole text.
    void setWholeText(const QString& whole);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateToolTip();
};

} // namespace lockstep::ui
