#include "ui/charts/curve_sheet.h"

#include <cmath>
#include <utility>

namespace lockstep::ui {

using namespace Qt::StringLiterals;

CurveSheet::CurveSheet(QCustomPlot& plot)
    : QCPAbstractItem(&plot)
{
    plot.addLayer(u"curves"_s, plot.layer(u"main"_s), QCustomPlot::limAbove);
    setLayer(u"curves"_s);
    setSelectable(false);
}

CurveRaster& CurveSheet::raster(const QCPPainter& painter)
{
    if (!m_hasLines) {
        m_hasLines = true;
        m_place = clipRect().translated(0, -1); // what QCustomPlot draws of it
        m_dots = std::max(1.0, painter.device()->devicePixelRatioF());
        const QSize size(static_cast<int>(std::ceil(m_place.width() * m_dots)),
            static_cast<int>(std::ceil(m_place.height() * m_dots)));
        if (m_raster && m_raster->size() == size) {
            m_raster->clear();
        } else {
            m_raster.emplace(size.width(), size.height());
        }
    }
    return *m_raster;
}

void CurveSheet::draw(QCPPainter* painter)
{
    if (std::exchange(m_hasLines, false)) {
        QImage picture = m_raster->picture();
        picture.setDevicePixelRatio(m_dots);
        painter->drawImage(m_place.topLeft(), picture);
    }
    for (const auto& draw : std::exchange(m_later, {})) {
        draw(*painter);
    }
}

} // namespace lockstep::ui
