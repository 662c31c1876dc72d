// Formulas of laboratory texts, between `$` as in LaTeX, in ordinary characters: Greek letters, signs, raised and
// lowered parts. What is not known stays as it is written.
#pragma once

#include <QString>

#include <vector>

namespace lockstep::laboratory {

enum class FormulaPlace { Line, Raised, Lowered };

struct FormulaPiece {
    QString text;
    FormulaPlace place = FormulaPlace::Line;
    bool isItalic = false; ///< letters of a quantity

    bool operator==(const FormulaPiece&) const = default;
};

/// Of what stands between two `$`. A fraction becomes `(a + b) / c`.
[[nodiscard]] std::vector<FormulaPiece> formulaPieces(const QString& latex);

/// The same in one line, for labels: `x^2`, `w_i`.
[[nodiscard]] QString formulaLine(const QString& latex);

/// A Markdown text whose formulas are each replaced by one character, so that Markdown does not read their `_` and
/// `*`. Code is left as it is.
struct TextWithFormulas {
    QString text;
    std::vector<QString> formulas; ///< the one of FormulaMark + i
};
inline constexpr char16_t FormulaMark = 0xE000; ///< of Unicode's private area; at most FormulaMarks of them
inline constexpr int FormulaMarks = 0x1000;
[[nodiscard]] TextWithFormulas takeFormulas(const QString& markdown);

} // namespace lockstep::laboratory
