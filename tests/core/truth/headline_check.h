// What the first sentences about a store must and must not say, from its truth: names, certainty, direction, what is
// left out. How it is said is free.
#pragma once

#include "core/truth/truth_stores.h"
#include "language/language.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tests {

/// A headline of a store and its variants' names.
struct Headline {
    const TruthRow& row;
    std::vector<std::string> variants;
    language::TextLanguage language = language::TextLanguage::English;
    QString text; ///< one sentence or several: the first names the answer
};

/// What is wrong with it, a line each; empty: it says what is true. Labels of parameters may be in the thread's
/// language, or their names.
[[nodiscard]] QStringList wrongIn(const Headline& headline);

/// Each variant's name once.
[[nodiscard]] std::vector<std::string> variantsOf(const std::vector<TruthRun>& runs);

/// Up to the first full stop that is not within a number.
[[nodiscard]] QString firstSentence(const QString& text);
/// The variants that it names: whole names only, `SGD` not within `SGD lr=0.1`. Names that are numbers do not count.
[[nodiscard]] std::vector<std::string> namedIn(QString text, std::vector<std::string> variants);

} // namespace lockstep::tests
