// Empty axes on which a curve is drawn with the mouse, or with the keys; afterwards the curve over what was measured.
// GUI thread only.
#pragma once

#include "ui/models/laboratory/step_text.h"

#include <QPointF>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

class CurvePad : public QWidget {
    Q_OBJECT

public:
    explicit CurvePad(QWidget* parent = nullptr);

    void setAxes(const CurveAxes& axes);
    /// In the units of the axes, ascending in x.
    void setCurve(const std::vector<QPointF>& curve);
    [[nodiscard]] std::vector<QPointF> curve() const;
    /// Drawn below the curve; empty: none.
    void setMeasured(const std::vector<QPointF>& measured);
    /// A curve that is sealed cannot be drawn again.
    void setReadOnly(bool isReadOnly); // NOLINT: a property, not a mode
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// By mouse or key, at the end of a stroke.
    void drawn();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF onScreen(QPointF point) const;
    /// Of a value of the y axis: 0 at its lower end, 1 at the upper one; and back.
    [[nodiscard]] double heightOf(double y) const;
    [[nodiscard]] double valueAt(double height) const;
    /// Sets the heights of the columns from where the mouse was to where it is.
    void drawTo(QPointF position);
    void paintAxes(QPainter& painter) const;
    void paintCurves(QPainter& painter) const;

    CurveAxes m_axes;
    std::vector<double> m_heights; ///< by column, from 0 at the bottom to 1; negative: nothing is drawn there
    std::vector<QPointF> m_measured;
    QPointF m_last; ///< where the mouse was: the column, and the height
    int m_column = 0; ///< that the keys change
    bool m_isDrawing = false;
    bool m_isReadOnly = false;
};

} // namespace lockstep::ui
