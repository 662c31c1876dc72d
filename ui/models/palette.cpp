#include "ui/models/palette.h"

namespace lockstep::ui {

const std::vector<QColor>& variantColors(PaletteName palette)
{
    // Tol's vibrant scheme without its grey, in an order in which the first three differ most, also when printed grey.
    static const std::vector<QColor> vibrant{
        QColor(0x00, 0x77, 0xBB), // blue
        QColor(0xEE, 0x77, 0x33), // orange
        QColor(0x00, 0x99, 0x88), // teal
        QColor(0xCC, 0x33, 0x11), // red
        QColor(0x33, 0xBB, 0xEE), // cyan
        QColor(0xEE, 0x33, 0x77), // magenta
        QColor(0xBB, 0xBB, 0xBB), // grey
    };
    static const std::vector<QColor> highContrast{
        QColor(0x00, 0x44, 0x88), // blue
        QColor(0xBB, 0x55, 0x66), // red
        QColor(0xDD, 0xAA, 0x33), // yellow
    };
    return palette == PaletteName::Vibrant ? vibrant : highContrast;
}

QColor phaseColor(Phase phase)
{
    switch (phase) {
    case Phase::Data:
        return QColor(0x88, 0x8C, 0x90);
    case Phase::Forward:
        return QColor(0x00, 0x77, 0xBB);
    case Phase::Backward:
        return QColor(0xEE, 0x77, 0x33);
    case Phase::Communicate:
        return QColor(0xEE, 0x33, 0x77);
    case Phase::Wait:
        return QColor(0xBB, 0xBB, 0xBB);
    case Phase::Optimize:
        return QColor(0x22, 0x88, 0x33);
    case Phase::Evaluate:
        return QColor(0x00, 0x99, 0x88);
    }
    return {};
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
