#include "language/language.h"

#include "base/text.h"
#include "base/translate.h"
#include "language/wording.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

namespace lockstep::language {

namespace {

thread_local std::optional<TextLanguage> chosenHere;

/// Both languages at once, so that a figure's can differ from the window's.
class Texts final : public QTranslator {
public:
    explicit Texts(QObject* parent)
        : QTranslator(parent)
    {
        // A build without the window has no resources: its texts stay as they are in the source.
        (void)m_english.load(QStringLiteral("lockstep_en"), QStringLiteral(":/i18n"));
        (void)m_chinese.load(QStringLiteral("lockstep_zh_CN"), QStringLiteral(":/i18n"));
    }

    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(
        const char* context, const char* source, const char* disambiguation, int number) const override
    {
        const bool isChinese = chosenHere.value_or(language) == TextLanguage::Chinese;
        return (isChinese ? m_chinese : m_english).translate(context, source, disambiguation, number);
    }

    TextLanguage language = TextLanguage::English;

private:
    QTranslator m_english;
    QTranslator m_chinese;
};

Texts* installed = nullptr;
QObject* owner = nullptr;

} // namespace

std::optional<TextLanguage> languageFromName(QStringView name)
{
    const QStringView base = name.left(2);
    if (name.size() > 2 && name[2] != u'_' && name[2] != u'-') {
        return std::nullopt;
    }
    return base == u"en" ? std::optional(TextLanguage::English)
        : base == u"zh"  ? std::optional(TextLanguage::Chinese)
                         : std::nullopt;
}

TextLanguage systemLanguage()
{
    return QLocale::system().language() == QLocale::Chinese ? TextLanguage::Chinese : TextLanguage::English;
}

void installTexts(TextLanguage language)
{
    if (owner != QCoreApplication::instance()) {
        // A test may make one application after another; the translator went with the earlier one.
        owner = QCoreApplication::instance();
        installed = new Texts(owner);
    } else {
        QCoreApplication::removeTranslator(installed);
    }
    installed->language = language;
    QCoreApplication::installTranslator(installed);
}

TextLanguage textLanguage()
{
    const bool isInstalled = owner != nullptr && owner == QCoreApplication::instance();
    return chosenHere.value_or(isInstalled ? installed->language : TextLanguage::English);
}

TextsIn::TextsIn(TextLanguage language)
    : m_before(chosenHere)
{
    chosenHere = language;
}

TextsIn::~TextsIn()
{
    chosenHere = m_before;
}

std::string translated(const char* context, std::string_view text)
{
    return text.empty() ? std::string() : QCoreApplication::translate(context, std::string(text).c_str()).toStdString();
}

std::optional<std::string> catalogued(std::string_view text)
{
    const std::string source(text);
    for (const char* context : {"Messages", "Refusals", "ErrorText"}) {
        const QString found = owner != nullptr && owner == QCoreApplication::instance()
            ? installed->translate(context, source.c_str(), nullptr, -1)
            : QString();
        if (!found.isEmpty()) {
            return found.toStdString();
        }
    }
    return std::nullopt;
}

std::string told(std::string_view pattern, const std::vector<std::string>& arguments)
{
    return filled(translated("CommandLine", pattern), arguments);
}

QString inColumn(const QString& text, int width)
{
    qsizetype wide = 0;
    for (const QChar each : text) {
        wide += each.unicode() >= 0x2e80 ? 2 : 1;
    }
    const QString blanks(std::max<qsizetype>(0, std::abs(width) - wide), u' ');
    return width < 0 ? text + blanks : blanks + text;
}

std::string errorLine(const Error& error)
{
    return worded(error);
}

Result<TextLanguage> takeLanguage(QStringList& words)
{
    TextLanguage language = systemLanguage();
    for (qsizetype at = 0; at < words.size();) {
        const bool isJoined = words[at].startsWith(QStringLiteral("--lang="));
        if (!isJoined && words[at] != QStringLiteral("--lang")) {
            ++at;
            continue;
        }
        const QString name = isJoined ? words[at].section(u'=', 1) : words.value(at + 1);
        const auto chosen = languageFromName(name);
        if (!chosen) {
            return refusal("--lang", LS_TR("Refusals", "\"%1\" is not a supported language; allowed: en, zh"),
                {verbatim(name.toStdString())});
        }
        language = *chosen;
        words.remove(at, isJoined ? 1 : 2);
    }
    return language;
}

} // namespace lockstep::language
