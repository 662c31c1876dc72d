// External text as LaTeX: a name is printed and never executed, whatever it contains.
#pragma once

#include <QByteArray>
#include <QString>

namespace lockstep::ui {

/// analysis::latexEscaped(); the end of a line becomes a space.
[[nodiscard]] QByteArray texText(const QString& text);
/// For a comment: one line, whatever `text` holds; without the leading `%`.
[[nodiscard]] QByteArray texComment(const QString& text);
/// Whether it has Chinese characters, which need a package and a font.
[[nodiscard]] bool hasChinese(const QByteArray& utf8);

} // namespace lockstep::ui
