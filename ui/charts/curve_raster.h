// Draws the lines of many curves into one picture, dot by dot: a hundred noisy curves in a few milliseconds, for which
// QPainter takes a tenth of a second. Every line is a function of x, so its ink is a few upright stretches in each
// column of dots, with soft edges. Private to ui/charts.
#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QSize>

#include <array>
#include <cstdint>
#include <vector>

namespace lockstep::ui {

/// Places are in dots of the picture, from its upper left corner.
class CurveRaster {
public:
    CurveRaster(int width, int height);

    /// A curve that lies on those before it. Where its own lines cross, its ink is no denser.
    void begin(const QColor& color, double width);
    /// Upright, as wide as the curve.
    void addBar(double x, double low, double high);
    /// From left to right.
    void addLine(const QPointF& from, const QPointF& to);
    void end();

    [[nodiscard]] double width() const { return m_penWidth; }
    /// Premultiplied, see-through where there is no ink.
    [[nodiscard]] QImage picture() const;
    /// For the next picture.
    void clear();
    [[nodiscard]] QSize size() const { return {m_width, m_height}; }

private:
    /// What has ink in a column.
    struct Touched {
        int first = 0;
        int last = -1;
    };
    void addSteep(const QPointF& from, const QPointF& to);
    /// From `top` to `bottom`, with `share` of the column's width. Each edge is soft over `1 / sharpness` dots.
    void addStretch(int column, float share, float top, float bottom, float sharpness);
    void blend(int column, const Touched& touched);

    int m_width;
    int m_height;
    // Column by column, so that upright stretches are contiguous.
    std::vector<std::uint64_t> m_dots; ///< 16 bits a channel, of which 8 are used
    std::vector<std::uint8_t> m_ink; ///< of the curve that is drawn: how much of each dot it covers
    std::vector<Touched> m_touched; ///< by column
    int m_firstColumn = 0;
    int m_lastColumn = -1;
    double m_penWidth = 1.0;
    std::array<std::uint64_t, 256> m_share{}; ///< of the colour, by how much a dot is covered; with its alpha
    std::array<std::uint8_t, 256> m_rest{}; ///< of what lies below
};

} // namespace lockstep::ui
