// Outside text in the window - names of experiments, runs, hosts and files, messages of programs - by
// analysis/plain_text.h: never markup, one way for labels, tables, charts, menus and tool tips.
#pragma once

#include <QString>

#include <string_view>

namespace lockstep::ui {

/// As it is shown, in paragraphs: what a terminal would obey, and what turns the direction of text, as U+FFFD.
[[nodiscard]] QString shownText(std::string_view text);
[[nodiscard]] QString shownText(const QString& text);

/// A name: shownText() in one line of at most 1,000 bytes.
[[nodiscard]] QString shownName(std::string_view name);
[[nodiscard]] QString shownName(const QString& name);

/// For every tool tip, which Qt would render where it looks like markup: that is escaped. Cut at 4,000 bytes.
[[nodiscard]] QString tipText(const QString& text);

/// For an action, a tab or a button: `&` is no mnemonic.
[[nodiscard]] QString menuText(const QString& name);

/// For a window's title, in which Qt takes `[*]` for the mark of a change.
[[nodiscard]] QString titleText(const QString& name);

/// analysis::fileNameOf().
[[nodiscard]] QString fileNameOf(const QString& text);

} // namespace lockstep::ui
