// A paper without transparency: what is painted on it reaches another device in opaque colours, mixed with the ground.
// Private to ui/export. EPS has no transparency, and pdftops would turn the whole page into an image.
#pragma once

#include <QColor>
#include <QPaintDevice>

#include <memory>

class QPaintEngine;

namespace lockstep::ui {

class FlatPaint : public QPaintDevice {
public:
    /// Paints on `paper`, which outlives it; `ground` is what lies under the drawing.
    FlatPaint(QPaintDevice& paper, const QColor& ground);
    ~FlatPaint() override;
    FlatPaint(const FlatPaint&) = delete;
    FlatPaint& operator=(const FlatPaint&) = delete;
    FlatPaint(FlatPaint&&) = delete;
    FlatPaint& operator=(FlatPaint&&) = delete;

    [[nodiscard]] QPaintEngine* paintEngine() const override;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override;

private:
    const QPaintDevice& m_paper;
    std::unique_ptr<QPaintEngine> m_engine;
};

} // namespace lockstep::ui
