// Light and dark: the application's palette on the Fusion style, and the helpers by which pages agree on small
// things (dim text, warning colours, headings). GUI thread only.
#pragma once

#include "ui/theme/settings.h"

#include <QColor>
#include <QPalette>

class QAbstractButton;
class QFont;
class QLabel;
class QWidget;

namespace lockstep::ui {

/// Sets style and palette of the application. System: light or dark like the platform's palette.
void applyTheme(Theme theme);
[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();
[[nodiscard]] bool isDark(const QPalette& palette);
/// The charts' colours that match a widget's palette.
[[nodiscard]] ChartTheme chartThemeFor(const QPalette& palette);

enum class Tone { Information, Success, Warning, Error };
/// Text in this tone, readable on the window of this palette.
[[nodiscard]] QColor toneColor(Tone tone, const QPalette& palette);
/// A pale background for a strip in this tone.
[[nodiscard]] QColor toneGround(Tone tone, const QPalette& palette);

/// Type and lines of charts, times their usual size: 1, or more in a lecture hall. Sets the application's font.
void setTypeScale(double scale);
[[nodiscard]] double typeScale();
/// The application's font with digits of equal width.
[[nodiscard]] QFont tabularFont(const QFont& font);
/// Small, spaced, dim: the heading of a panel.
void styleHeading(QLabel& label);
/// Accessible name and description, and the description as tool tip.
void describe(QWidget& widget, const QString& name, const QString& description);
/// As describe(), and the name as the button's text.
void labelButton(QAbstractButton& button, const QString& name, const QString& description);

} // namespace lockstep::ui
