#include "ui/export/flat_paint.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>

#include <cmath>

namespace lockstep::ui {

namespace {

/// `color` as it looks on `ground` with this opacity.
QColor mixed(const QColor& color, double opacity, const QColor& ground)
{
    const double share = color.alphaF() * opacity;
    const auto mix = [share](int above, int below) {
        return static_cast<int>(std::lround(above * share + below * (1.0 - share)));
    };
    return {mix(color.red(), ground.red()), mix(color.green(), ground.green()), mix(color.blue(), ground.blue())};
}

bool isInvisible(const QColor& color, double opacity)
{
    return color.alpha() == 0 || opacity <= 0.0;
}

/// Carries every command out with a painter on the paper. Colours are solid or of Qt's patterns: charts have no
/// gradients.
class FlatEngine : public QPaintEngine {
public:
    FlatEngine(QPaintDevice& paper, const QColor& ground)
        : QPaintEngine(AllFeatures)
        , m_paper(paper)
        , m_ground(ground)
    { }

    bool begin(QPaintDevice* /*device*/) override { return m_painter.begin(&m_paper); }
    bool end() override { return m_painter.end(); }
    [[nodiscard]] Type type() const override { return User; }

    void updateState(const QPaintEngineState& change) override
    {
        const DirtyFlags dirty = change.state();
        if (dirty.testFlag(DirtyTransform)) {
            m_painter.setTransform(change.transform());
        }
        if (dirty.testFlag(DirtyClipRegion)) {
            m_painter.setClipRegion(change.clipRegion(), change.clipOperation());
        }
        if (dirty.testFlag(DirtyClipPath)) {
            m_painter.setClipPath(change.clipPath(), change.clipOperation());
        }
        if (dirty.testFlag(DirtyClipEnabled)) {
            m_painter.setClipping(change.isClipEnabled());
        }
        if (dirty.testFlag(DirtyFont)) {
            m_painter.setFont(change.font());
        }
        if (dirty.testFlag(DirtyHints)) {
            m_painter.setRenderHints(m_painter.renderHints(), false);
            m_painter.setRenderHints(change.renderHints());
        }
        if (dirty & (DirtyPen | DirtyBrush | DirtyBrushOrigin | DirtyOpacity)) {
            m_painter.setPen(flat(change.pen(), change.opacity()));
            m_painter.setBrush(flat(change.brush(), change.opacity()));
            m_painter.setBrushOrigin(change.brushOrigin());
        }
    }

    void drawPath(const QPainterPath& path) override { m_painter.drawPath(path); }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        if (mode == PolylineMode) {
            m_painter.drawPolyline(points, count);
        } else {
            m_painter.drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        }
    }

    void drawTextItem(const QPointF& place, const QTextItem& item) override
    {
        m_painter.setFont(item.font());
        m_painter.drawText(place, item.text());
    }

    void drawPixmap(const QRectF& place, const QPixmap& picture, const QRectF& part) override
    {
        QPixmap opaque(picture.size());
        opaque.setDevicePixelRatio(picture.devicePixelRatio());
        opaque.fill(m_ground);
        QPainter(&opaque).drawPixmap(0, 0, picture);
        m_painter.drawPixmap(place, opaque, part);
    }

private:
    [[nodiscard]] QPen flat(QPen pen, double opacity) const
    {
        if (isInvisible(pen.color(), opacity)) {
            return Qt::NoPen;
        }
        pen.setColor(mixed(pen.color(), opacity, m_ground));
        return pen;
    }

    [[nodiscard]] QBrush flat(QBrush brush, double opacity) const
    {
        if (isInvisible(brush.color(), opacity)) {
            return Qt::NoBrush;
        }
        brush.setColor(mixed(brush.color(), opacity, m_ground));
        return brush;
    }

    QPaintDevice& m_paper;
    QColor m_ground;
    QPainter m_painter;
};

} // namespace

FlatPaint::FlatPaint(QPaintDevice& paper, const QColor& ground)
    : m_paper(paper)
    , m_engine(std::make_unique<FlatEngine>(paper, ground))
{ }

FlatPaint::~FlatPaint() = default;

QPaintEngine* FlatPaint::paintEngine() const
{
    return m_engine.get();
}

int FlatPaint::metric(PaintDeviceMetric metric) const
{
    switch (metric) {
    case PdmWidth:
        return m_paper.width();
    case PdmHeight:
        return m_paper.height();
    case PdmWidthMM:
        return m_paper.widthMM();
    case PdmHeightMM:
        return m_paper.heightMM();
    case PdmDpiX:
        return m_paper.logicalDpiX();
    case PdmDpiY:
        return m_paper.logicalDpiY();
    case PdmPhysicalDpiX:
        return m_paper.physicalDpiX();
    case PdmPhysicalDpiY:
        return m_paper.physicalDpiY();
    case PdmNumColors:
        return m_paper.colorCount();
    case PdmDepth:
        return m_paper.depth();
    case PdmDevicePixelRatio:
        return m_paper.devicePixelRatio();
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(m_paper.devicePixelRatioF() * devicePixelRatioFScale());
    default: // of later versions of Qt
        return QPaintDevice::metric(metric);
    }
}

} // namespace lockstep::ui
