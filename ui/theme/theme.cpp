#include "ui/theme/theme.h"

#include "ui/models/shown_text.h"
#include "ui/theme/window_style.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFont>
#include <QLabel>
#include <QStyle>
#include <QWidget>

#include <utility>

namespace lockstep::ui {

namespace {

double currentTypeScale = 1.0;

struct Colors {
    const char* window;
    const char* base;
    const char* alternate;
    const char* button;
    const char* text;
    const char* dim;
    const char* accent;
    const char* accentText;
    const char* light;
    const char* mid;
    const char* dark;
};

constexpr Colors Light{"#f7f7f5", "#ffffff", "#f4f4f1", "#efefec", "#1f2328", "#646a71", "#0b63a8", "#ffffff",
    "#ffffff", "#d4d4cf", "#b4b4ae"};
constexpr Colors Dark{"#25282d", "#17191c", "#1c1f23", "#31353b", "#e4e6e9", "#9aa1a9", "#4ea3e0", "#0d1117", "#3a3e45",
    "#3a3e45", "#111316"};

QPalette paletteFrom(const Colors& colors)
{
    QPalette palette;
    const QColor dim(QLatin1String(colors.dim));
    palette.setColor(QPalette::Window, QColor(QLatin1String(colors.window)));
    palette.setColor(QPalette::Base, QColor(QLatin1String(colors.base)));
    palette.setColor(QPalette::AlternateBase, QColor(QLatin1String(colors.alternate)));
    palette.setColor(QPalette::Button, QColor(QLatin1String(colors.button)));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, QColor(QLatin1String(colors.text)));
    }
    palette.setColor(QPalette::PlaceholderText, dim);
    palette.setColor(QPalette::ToolTipBase, QColor(QLatin1String(colors.base)));
    palette.setColor(QPalette::Highlight, QColor(QLatin1String(colors.accent)));
    palette.setColor(QPalette::HighlightedText, QColor(QLatin1String(colors.accentText)));
    palette.setColor(QPalette::Link, QColor(QLatin1String(colors.accent)));
    palette.setColor(QPalette::LinkVisited, QColor(QLatin1String(colors.accent)));
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::Light, QColor(QLatin1String(colors.light)));
    palette.setColor(QPalette::Midlight, QColor(QLatin1String(colors.button)));
    palette.setColor(QPalette::Mid, QColor(QLatin1String(colors.mid)));
    palette.setColor(QPalette::Dark, QColor(QLatin1String(colors.dark)));
    palette.setColor(QPalette::Shadow, QColor(0, 0, 0, 60));
    const QColor off = isDark(palette) ? dim.darker(160) : dim.lighter(165);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, off);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(QLatin1String(colors.mid)));
    return palette;
}

} // namespace

QPalette lightPalette()
{
    return paletteFrom(Light);
}

QPalette darkPalette()
{
    return paletteFrom(Dark);
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

void applyTheme(Theme theme)
{
    if (qobject_cast<const WindowStyle*>(qApp->style()) == nullptr) {
        QApplication::setStyle(new WindowStyle);
    }
    bool dark = theme == Theme::Dark;
    if (theme == Theme::System) {
        // Qt 6.4 has no colorScheme(): an application without its own palette has the platform's.
        QApplication::setPalette(QPalette());
        dark = isDark(QApplication::palette());
    }
    QApplication::setPalette(dark ? darkPalette() : lightPalette());
}

ChartTheme chartThemeFor(const QPalette& palette)
{
    return isDark(palette) ? darkTheme() : lightTheme();
}

QColor toneColor(Tone tone, const QPalette& palette)
{
    const bool dark = isDark(palette);
    switch (tone) {
    case Tone::Information:
        return palette.color(QPalette::Link);
    case Tone::Success:
        return QColor(dark ? "#5fc28a" : "#14713d");
    case Tone::Warning:
        return QColor(dark ? "#e0b050" : "#8a5800");
    case Tone::Error:
        return QColor(dark ? "#ff8a80" : "#b3261e");
    }
    return {};
}

QColor toneGround(Tone tone, const QPalette& palette)
{
    QColor ground = toneColor(tone, palette);
    ground.setAlpha(isDark(palette) ? 44 : 26);
    return ground;
}

void setTypeScale(double scale)
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * scale / std::exchange(currentTypeScale, scale));
    QApplication::setFont(font);
}

double typeScale()
{
    return currentTypeScale;
}

QFont tabularFont(const QFont& font)
{
    // DejaVu, Noto and the CJK fonts have digits of equal width by default; others get them from the style hint.
    QFont tabular(font);
    tabular.setStyleHint(QFont::SansSerif);
    tabular.setKerning(false);
    return tabular;
}

void styleHeading(QLabel& label)
{
    QFont font = label.font();
    font.setPointSizeF(QApplication::font().pointSizeF() * 0.9);
    font.setWeight(QFont::DemiBold);
    font.setLetterSpacing(QFont::PercentageSpacing, 104);
    label.setFont(font);
    label.setForegroundRole(QPalette::PlaceholderText);
}

void describe(QWidget& widget, const QString& name, const QString& description)
{
    widget.setAccessibleName(name);
    widget.setAccessibleDescription(description);
    widget.setToolTip(tipText(description));
}

void labelButton(QAbstractButton& button, const QString& name, const QString& description)
{
    button.setText(name);
    describe(button, name, description);
}

} // namespace lockstep::ui
