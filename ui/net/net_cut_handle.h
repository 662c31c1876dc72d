// The line of a part in the picture of a net, which is the cut before it. Private to ui/net.
#pragma once

#include <QWidget>

#include <optional>

namespace lockstep::ui {

class NetView;

class NetCutHandle : public QWidget {
    Q_OBJECT

public:
    /// `part`: 1, 2, ... of the view's picture.
    NetCutHandle(NetView& view, int part);

    void setMovable(bool isMovable); // NOLINT: a property, not a mode
    /// Updates the text that names the position of the cut.
    void showPlace();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    NetView& m_view;
    int m_part;
    bool m_isMovable = false;
    std::optional<double> m_grab; ///< where in the line the user grabbed it
};

} // namespace lockstep::ui
