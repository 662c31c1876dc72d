// The window's language: installs the translations at once; widgets receive QEvent::LanguageChange.
#pragma once

#include "ui/theme/settings.h"

namespace lockstep::ui {

/// GUI thread; needs the QApplication. Calling it again replaces the language.
void applyLanguage(Language language);

} // namespace lockstep::ui
