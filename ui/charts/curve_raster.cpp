#include "ui/charts/curve_raster.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr std::uint64_t Channels = 0x00ff'00ff'00ff'00ff;
constexpr std::uint64_t Half = 0x0080'0080'0080'0080;

/// A dot's four bytes, each in 16 bits.
std::uint64_t spread(std::uint32_t dot)
{
    const std::uint64_t wide = dot;
    return (wide & 0xff) | ((wide & 0xff00) << 8) | ((wide & 0xff0000) << 16) | ((wide & 0xff000000) << 24);
}

std::uint32_t packed(std::uint64_t dot)
{
    return static_cast<std::uint32_t>(
        (dot & 0xff) | ((dot >> 8) & 0xff00) | ((dot >> 16) & 0xff0000) | ((dot >> 24) & 0xff000000));
}

/// Each channel divided by 255; it is at most 255 * 255.
std::uint64_t dividedBy255(std::uint64_t dot)
{
    return ((dot + ((dot >> 8) & Channels) + Half) >> 8) & Channels;
}

} // namespace

CurveRaster::CurveRaster(int width, int height)
    : m_width(std::max(1, width))
    , m_height(std::max(1, height))
    , m_dots(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height))
    , m_ink(m_dots.size())
    , m_touched(static_cast<std::size_t>(m_width))
{ }

void CurveRaster::begin(const QColor& color, double width)
{
    const auto alpha = static_cast<std::uint32_t>(color.alpha());
    const std::uint64_t opaque = spread(color.rgb());
    for (std::uint32_t ink = 0; ink < m_share.size(); ++ink) {
        const std::uint32_t covered = (ink * alpha + 127) / 255;
        m_share[ink] = opaque * covered;
        m_rest[ink] = static_cast<std::uint8_t>(255 - covered);
    }
    m_penWidth = std::max(1.0, width);
    m_firstColumn = m_width;
    m_lastColumn = -1;
}

void CurveRaster::addBar(double x, double low, double high)
{
    const int count = static_cast<int>(std::max(1L, std::lround(m_penWidth)));
    const int left = static_cast<int>(std::lround(x - count / 2.0));
    for (int column = left; column < left + count; ++column) {
        addStretch(column, 1.0F, static_cast<float>(low), static_cast<float>(high), 1.0F);
    }
}

void CurveRaster::addStretch(int column, float share, float top, float bottom, float sharpness)
{
    // Half a dot and what an edge is softer than that.
    const float soft = 0.5F / sharpness - 0.5F;
    const float highest = std::max(0.0F, top - soft);
    const float lowest = std::min(static_cast<float>(m_height), bottom + soft);
    if (column < 0 || column >= m_width || !(highest < lowest)) {
        return;
    }
    const int first = static_cast<int>(highest);
    const int last = std::min(m_height - 1, static_cast<int>(lowest));
    Touched& touched = m_touched[static_cast<std::size_t>(column)];
    touched = {touched.last < 0 ? first : std::min(touched.first, first), std::max(touched.last, last)};
    m_firstColumn = std::min(m_firstColumn, column);
    m_lastColumn = std::max(m_lastColumn, column);
    std::uint8_t* ink = m_ink.data() + static_cast<std::size_t>(column) * static_cast<std::size_t>(m_height);
    const float full = 255.0F * share;
    constexpr float Rounding = 0.5F; // no ink is negative; std::lround is a call for each dot
    const auto add = [ink](int row, float more) {
        ink[row] = static_cast<std::uint8_t>(std::min(255, ink[row] + static_cast<int>(more + Rounding)));
    };
    if (soft > 0.0F) {
        // Of each row: what lies above the lower edge, less what lies above the upper one.
        for (int row = first; row <= last; ++row) {
            const float middle = static_cast<float>(row) + 0.5F;
            const float below = std::clamp((bottom - middle) * sharpness + 0.5F, 0.0F, 1.0F);
            const float over = std::clamp((top - middle) * sharpness + 0.5F, 0.0F, 1.0F);
            add(row, (below - over) * full);
        }
    } else if (first == last) {
        add(first, (lowest - highest) * full);
    } else {
        add(first, (static_cast<float>(first + 1) - highest) * full);
        for (int row = first + 1; row < last; ++row) {
            add(row, full);
        }
        add(last, (lowest - static_cast<float>(last)) * full);
    }
}

/// Nearly upright and short: its own columns would hardly have ink.
void CurveRaster::addSteep(const QPointF& from, const QPointF& to)
{
    addBar((from.x() + to.x()) / 2.0, std::min(from.y(), to.y()), std::max(from.y(), to.y()));
}

void CurveRaster::addLine(const QPointF& from, const QPointF& to)
{
    const double across = to.x() - from.x();
    const double rise = to.y() - from.y();
    if (across < 0.5 * m_penWidth && std::abs(rise) > m_penWidth) {
        addSteep(from, to);
        return;
    }
    if (!(across > 0.0)) {
        return;
    }
    const double slope = rise / across;
    const double half = 0.5 * m_penWidth * std::sqrt(1.0 + slope * slope); // upright
    // A steep line does not stand out beyond its ends.
    const double highest = std::min(from.y(), to.y()) - 0.5 * m_penWidth;
    const double lowest = std::max(from.y(), to.y()) + 0.5 * m_penWidth;
    const int first = static_cast<int>(std::floor(std::max(0.0, from.x())));
    const int last = static_cast<int>(std::floor(std::min(m_width - 1.0, to.x())));
    for (int column = first; column <= last; ++column) {
        const double left = std::max<double>(column, from.x());
        const double right = std::min<double>(column + 1, to.x());
        const double y = from.y() + slope * (0.5 * (left + right) - from.x());
        const double sharpness = 1.0 / std::max(1.0, std::abs(slope) * (right - left));
        addStretch(column, static_cast<float>(right - left), static_cast<float>(std::max(y - half, highest)),
            static_cast<float>(std::min(y + half, lowest)), static_cast<float>(sharpness));
    }
}

void CurveRaster::blend(int column, const Touched& touched)
{
    const std::size_t begin = static_cast<std::size_t>(column) * static_cast<std::size_t>(m_height);
    std::uint64_t* dots = m_dots.data() + begin;
    std::uint8_t* ink = m_ink.data() + begin;
    for (int row = touched.first; row <= touched.last; ++row) {
        dots[row] = dividedBy255(m_share[ink[row]] + dots[row] * m_rest[ink[row]]);
        ink[row] = 0;
    }
}

void CurveRaster::clear()
{
    std::ranges::fill(m_dots, 0);
}

void CurveRaster::end()
{
    for (int column = m_firstColumn; column <= m_lastColumn; ++column) {
        Touched& touched = m_touched[static_cast<std::size_t>(column)];
        blend(column, touched);
        touched = {};
    }
}

QImage CurveRaster::picture() const
{
    QImage image(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
    constexpr int Block = 16; // of both ways, so that reading and writing stay in the cache
    const auto stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(std::uint32_t);
    auto* rows = reinterpret_cast<std::uint32_t*>(image.bits());
    for (int top = 0; top < m_height; top += Block) {
        for (int left = 0; left < m_width; left += Block) {
            for (int y = top; y < std::min(top + Block, m_height); ++y) {
                for (int x = left; x < std::min(left + Block, m_width); ++x) {
                    rows[static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(x)]
                        = packed(m_dots[static_cast<std::size_t>(x) * static_cast<std::size_t>(m_height)
                            + static_cast<std::size_t>(y)]);
                }
            }
        }
    }
    return image;
}

} // namespace lockstep::ui
