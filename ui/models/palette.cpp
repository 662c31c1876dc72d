#include "ui/models/palette.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmap>

#include <algorithm>
#include <array>
#include <iterator>

namespace lockstep::ui {

namespace {

constexpr std::size_t Markers = 14; ///< seven shapes, filled and hollow

/// A variant's colour on light grounds and on dark ones, of one hue.
struct Ink {
    QColor onLight;
    QColor onDark;
};

/// From Paul Tol's qualitative schemes (SRON/EPS/TN/09-002, issue 3.2, 2021) and, the first and fifth on light, Okabe
/// and Ito's ("Color Universal Design", 2008). Chosen by exhaustive search for the largest least distance: CIEDE2000 is
/// at least 12 between any two on one ground, as all readers see them, also with protanopia, deuteranopia or
/// tritanopia (Machado et al. 2009, severity 1); contrast to the ground is at least 3:1 (WCAG 2.1, graphics).
const std::vector<Ink>& vibrantInks()
{
    static const std::vector<Ink> inks{
        {QColor(0x00, 0x72, 0xB2), QColor(0x44, 0x77, 0xAA)}, // blue
        {QColor(0xCC, 0x33, 0x11), QColor(0xEE, 0x88, 0x66)}, // red, orange
        {QColor(0x22, 0x22, 0x55), QColor(0xBB, 0xCC, 0xEE)}, // navy, pale blue
        {QColor(0x66, 0x33, 0x33), QColor(0xFF, 0xCC, 0xCC)}, // brown, pale red
        {QColor(0x00, 0x9E, 0x73), QColor(0x44, 0xAA, 0x99)}, // green
        {QColor(0xAA, 0x33, 0x77), QColor(0xEE, 0x33, 0x77)}, // purple, magenta
    };
    return inks;
}

/// Tol's high-contrast scheme, and on dark grounds the light half of his medium-contrast one.
const std::vector<Ink>& highContrastInks()
{
    static const std::vector<Ink> inks{
        {QColor(0x00, 0x44, 0x88), QColor(0x66, 0x99, 0xCC)}, // blue
        {QColor(0xBB, 0x55, 0x66), QColor(0xEE, 0x99, 0xAA)}, // red
        {QColor(0xDD, 0xAA, 0x33), QColor(0xEE, 0xCC, 0x66)}, // yellow
    };
    return inks;
}

std::vector<QColor> lightOf(const std::vector<Ink>& inks)
{
    std::vector<QColor> colors;
    std::ranges::transform(inks, std::back_inserter(colors), &Ink::onLight);
    return colors;
}

} // namespace

const std::vector<QColor>& variantColors(PaletteName palette)
{
    static const std::vector<QColor> vibrant = lightOf(vibrantInks());
    static const std::vector<QColor> highContrast = lightOf(highContrastInks());
    return palette == PaletteName::Vibrant ? vibrant : highContrast;
}

Look lookOf(PaletteName palette, std::size_t place)
{
    const std::vector<QColor>& colors = variantColors(palette);
    return {colors[place % colors.size()], static_cast<Dash>(place / colors.size() % DashCount),
        static_cast<int>(place % Markers)};
}

QColor onGround(const QColor& color, const QColor& ground)
{
    constexpr int DarkBelow = 128;
    if (qGray(ground.rgb()) >= DarkBelow) {
        return color;
    }
    for (const std::vector<Ink>* inks : {&vibrantInks(), &highContrastInks()}) {
        const auto ink = std::ranges::find(*inks, color, &Ink::onLight);
        if (ink != inks->end()) {
            return ink->onDark;
        }
    }
    return color;
}

QColor onScreen(const QColor& color)
{
    return onGround(color, QGuiApplication::palette().color(QPalette::Base));
}

Qt::PenStyle penStyleOf(Dash dash)
{
    static constexpr std::array Styles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    static_assert(Styles.size() == DashCount);
    return Styles[static_cast<std::size_t>(dash)];
}

QColor phaseColor(Phase phase)
{
    // Paler or deeper than the variants' colours of the same hue, so that no phase looks like a variant.
    switch (phase) {
    case Phase::Data:
        return QColor(0x88, 0x8C, 0x90);
    case Phase::Forward:
        return QColor(0x77, 0xAA, 0xDD);
    case Phase::Backward:
        return QColor(0xF2, 0xB8, 0x70);
    case Phase::Communicate:
        return QColor(0xAA, 0x44, 0x99);
    case Phase::Wait:
        return QColor(0xBB, 0xBB, 0xBB);
    case Phase::Optimize:
        return QColor(0x22, 0x88, 0x33);
    case Phase::Evaluate:
        return QColor(0x6C, 0xCF, 0xBE);
    }
    return {};
}

QColor microBatchColor(int microBatch, Phase pass)
{
    // Steps of 45 degrees around OKLCh (Ottosson, "A perceptual color space for image processing", 2020) from 255, as
    // colourful as sRGB allows up to C = 0.125 and 0.14. qGray is 190 and 76 for even ones, 212 and 100 for odd ones.
    static const std::vector<std::array<QColor, 2>> hues{{{QColor(0x98, 0xC4, 0xFE), QColor(0x12, 0x58, 0xA5)}},
        {{QColor(0xD7, 0xC4, 0xFF), QColor(0x6E, 0x49, 0xA3)}}, {{QColor(0xF1, 0x97, 0xCA), QColor(0x7E, 0x23, 0x5E)}},
        {{QColor(0xFE, 0xC0, 0xB6), QColor(0xAA, 0x42, 0x35)}}, {{QColor(0xF2, 0xB7, 0x60), QColor(0x70, 0x4A, 0x03)}},
        {{QColor(0xD4, 0xEB, 0x8A), QColor(0x6B, 0x7E, 0x01)}}, {{QColor(0x7A, 0xEC, 0xBE), QColor(0x02, 0x7B, 0x58)}},
        {{QColor(0x98, 0xEF, 0xFF), QColor(0x09, 0x8F, 0xA1)}}};
    const auto number = static_cast<std::size_t>(std::max(0, microBatch)) % hues.size();
    return hues[number][pass == Phase::Backward ? 1 : 0];
}

QColor rankColor(int rank)
{
    // Tol's bright scheme without its grey.
    static const std::vector<QColor> bright{QColor(0x44, 0x77, 0xAA), QColor(0xEE, 0x66, 0x77),
        QColor(0x22, 0x88, 0x33), QColor(0xCC, 0xBB, 0x44), QColor(0x66, 0xCC, 0xEE), QColor(0xAA, 0x33, 0x77)};
    return bright[static_cast<std::size_t>(std::max(0, rank)) % bright.size()];
}

QColor memoryColor(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Parameters:
        return phaseColor(Phase::Forward);
    case MemoryKind::Gradients:
        return phaseColor(Phase::Backward);
    case MemoryKind::Optimizer:
        return phaseColor(Phase::Optimize);
    case MemoryKind::Activations:
        return QColor(0x33, 0xBB, 0xEE);
    case MemoryKind::Data:
        return phaseColor(Phase::Data);
    case MemoryKind::Other:
        return phaseColor(Phase::Wait);
    case MemoryKind::Workspace:
        return phaseColor(Phase::Evaluate);
    }
    return {};
}

QColor slowColor()
{
    return {0xCC, 0x66, 0x77};
}

QColor studyColor(int number)
{
    // Unlike the phases and the variants, and seen on a light and on a dark ground.
    static const std::vector<QColor> seen{
        QColor(0x77, 0x66, 0xCC), QColor(0xBB, 0x55, 0x88), QColor(0x11, 0x88, 0x44), QColor(0x99, 0x99, 0x33)};
    return seen[static_cast<std::size_t>(std::max(0, number)) % seen.size()];
}

QColor labelColor(std::size_t label)
{
    // Tol's muted scheme, the only one with as many colours as there are digits.
    static const std::vector<QColor> muted{QColor(0x33, 0x22, 0x88), QColor(0x88, 0xCC, 0xEE), QColor(0x44, 0xAA, 0x99),
        QColor(0x11, 0x77, 0x33), QColor(0x99, 0x99, 0x33), QColor(0xDD, 0xCC, 0x77), QColor(0xCC, 0x66, 0x77),
        QColor(0x88, 0x22, 0x55), QColor(0xAA, 0x44, 0x99), QColor(0xDD, 0xDD, 0xDD)};
    return muted[label % muted.size()];
}

QIcon swatchIcon(const Look& look)
{
    constexpr double Thickness = 5.0;
    QPixmap pixmap(28, 28);
    pixmap.fill(Qt::transparent);
    pixmap.setDevicePixelRatio(2.0);
    if (look.color.isValid()) {
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen pen(onScreen(look.color), Thickness);
        pen.setCapStyle(Qt::FlatCap);
        if (look.dash != Dash::Solid) {
            pen.setStyle(penStyleOf(look.dash));
            pen.setDashPattern(look.dash == Dash::Dotted ? QList<qreal>{0.4, 0.4}
                    : look.dash == Dash::Dashed          ? QList<qreal>{1.0, 0.6}
                                                         : QList<qreal>{1.0, 0.4, 0.4, 0.4});
        }
        painter.setPen(pen);
        painter.drawLine(QPointF(0.0, 7.0), QPointF(14.0, 7.0));
    }
    return QIcon(pixmap);
}

ChartTheme lightTheme()
{
    return {QColor(0xFF, 0xFF, 0xFF), QColor(0x1F, 0x23, 0x28), QColor(0x64, 0x6A, 0x71), QColor(0xE9, 0xEA, 0xEC),
        QColor(0x8B, 0x90, 0x96)};
}

ChartTheme darkTheme()
{
    return {QColor(0x17, 0x19, 0x1C), QColor(0xE4, 0xE6, 0xE9), QColor(0x9A, 0xA1, 0xA9), QColor(0x2A, 0x2E, 0x33),
        QColor(0x6B, 0x72, 0x7A)};
}

ChartTheme paperTheme()
{
    return {QColor(0xFF, 0xFF, 0xFF), QColor(0x00, 0x00, 0x00), QColor(0x40, 0x40, 0x40), QColor(0xE4, 0xE4, 0xE4),
        QColor(0x00, 0x00, 0x00)};
}

} // namespace lockstep::ui
