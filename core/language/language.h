// The language of texts: of the window, of the command line, and of one figure apart from both. Texts come from
// translate() as ever; the translations are the program's resources, which its main() names.
#pragma once

#include "base/result.h"

#include <QStringList>

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::language {

enum class TextLanguage { English, Chinese };

/// `en` or `zh`, also as `zh_CN`, `zh-Hans`.
[[nodiscard]] std::optional<TextLanguage> languageFromName(QStringView name);
/// That of the environment (LC_ALL, LC_MESSAGES, LANG); English where it is neither.
[[nodiscard]] TextLanguage systemLanguage();

/// Needs the application; GUI thread. Calling it again replaces the language; widgets receive LanguageChange.
void installTexts(TextLanguage language);
/// Of texts made now, on this thread.
[[nodiscard]] TextLanguage textLanguage();

/// While it lives, texts made by this thread are in this language, and no widget is retranslated.
class TextsIn {
public:
    explicit TextsIn(TextLanguage language);
    ~TextsIn();
    TextsIn(const TextsIn&) = delete;
    TextsIn& operator=(const TextsIn&) = delete;

private:
    std::optional<TextLanguage> m_before;
};

/// A text marked with LS_TR in Qt-free code, in this thread's language.
[[nodiscard]] std::string translated(const char* context, std::string_view text);
/// Of an error or a log line (contexts Messages, Refusals, ErrorText), in this thread's language, if it is there.
[[nodiscard]] std::optional<std::string> catalogued(std::string_view text);
/// `LS_TR("CommandLine", "%1 steps")` with its arguments, which stay as they are.
[[nodiscard]] std::string told(std::string_view pattern, const std::vector<std::string>& arguments = {});
/// Padded with blanks to a column of a terminal, where a Chinese character is two wide; at the left if `width` is
/// negative.
[[nodiscard]] QString inColumn(const QString& text, int width);
/// The whole line of an error: `rank 2: train.batch: 9000 is more than the 8000 training samples (variant SGD)`.
[[nodiscard]] std::string errorLine(const Error& error);

/// Takes `--lang en|zh` out of the words of a command line; nothing given: the system's language.
[[nodiscard]] Result<TextLanguage> takeLanguage(QStringList& words);

} // namespace lockstep::language
