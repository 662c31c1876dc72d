// The catalogue of translations as a whole: what an entry is called in the other language.
#pragma once

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>

namespace lockstep::language {

/// translated() of language.h, for interfaces that pass the context as text.
[[nodiscard]] std::string translatedIn(std::string_view context, std::string_view text);

/// What the other language calls an entry that is shown as `shown` in English or Chinese, without repetitions; empty if
/// it is no entry. Needs the program's resources; reads them once, in a few milliseconds. GUI thread.
[[nodiscard]] QStringList otherWordings(const QString& shown);

} // namespace lockstep::language
