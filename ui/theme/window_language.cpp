#include "ui/theme/window_language.h"

#include "language/language.h"

#include <QCoreApplication>
#include <QFont>
#include <QFontInfo>
#include <QGuiApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace lockstep::ui {

namespace {

/// Replaces one translator of the application; a file that is not there leaves the source texts.
void install(QTranslator*& slot, const QString& file, const QString& folder)
{
    if (slot != nullptr) {
        QCoreApplication::removeTranslator(slot);
        slot->deleteLater();
        slot = nullptr;
    }
    auto* translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(file, folder)) {
        slot = translator;
        QCoreApplication::installTranslator(translator);
    } else {
        delete translator;
    }
}

/// Without a word on it, fontconfig may take Japanese shapes, or the bold face, for Chinese text. Chinese pages are set
/// in the Chinese font throughout; English ones only fall back to it.
void chooseFonts(bool isChinese) // NOLINT: asked once
{
    static const QFont platformFont = QGuiApplication::font();
    const QStringList chinese{QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Source Han Sans SC"),
        QStringLiteral("WenQuanYi Micro Hei"), QStringLiteral("PingFang SC"), QStringLiteral("Microsoft YaHei")};
    const QString own = QFontInfo(platformFont).family();
    QFont font = platformFont;
    font.setFamilies(isChinese ? chinese + QStringList{own} : QStringList{own} + chinese);
    QGuiApplication::setFont(font);
}

} // namespace

void applyLanguage(Language language)
{
    static QTranslator* qt = nullptr;
    static QObject* owner = nullptr;
    if (owner != QCoreApplication::instance()) {
        // A test may make one application after another; the translators went with the earlier one.
        qt = nullptr;
        owner = QCoreApplication::instance();
    }
    const QLocale system = QLocale::system();
    const bool isChinese
        = language == Language::Chinese || (language == Language::System && system.language() == QLocale::Chinese);
    const QLocale locale = language == Language::System
        ? system
        : QLocale(isChinese ? QLocale::Chinese : QLocale::English, isChinese ? QLocale::China : QLocale::UnitedStates);
    QLocale::setDefault(locale);
    chooseFonts(isChinese);
    install(qt, isChinese ? QStringLiteral("qtbase_zh_CN") : QStringLiteral("qtbase_en"),
        QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    language::installTexts(isChinese ? language::TextLanguage::Chinese : language::TextLanguage::English);
}

} // namespace lockstep::ui
