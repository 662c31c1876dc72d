#include "language/catalogue.h"

#include "language/language.h"

#include <QDataStream>
#include <QFile>
#include <QMultiHash>

namespace lockstep::language {

namespace {

// The layout of a .qm file: Qt's qtranslator.cpp. A magic number, then sections with a tag and a length each; messages
// are tagged fields, of which those with a length are skipped if they are not wanted.
constexpr int MagicBytes = 16;
constexpr quint8 MessagesSection = 0x69;
enum MessageField : quint8 {
    EndOfMessage = 1,
    Translation = 3,
    Obsolete = 5,
    SourceText = 6,
    Context = 7,
    Comment = 8
};

using Pairs = QMultiHash<QString, QString>;

QByteArray messagesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    QDataStream stream(bytes);
    stream.skipRawData(MagicBytes);
    while (!stream.atEnd()) {
        quint8 section = 0;
        QByteArray content;
        stream >> section >> content;
        if (section == MessagesSection) {
            return content;
        }
    }
    return {};
}

/// `&` marks a key in menus and is not shown.
QString withoutKeyMarks(QString text)
{
    return text.remove(u'&');
}

/// Both ways: from the source to the translation and back.
Pairs pairsIn(const QByteArray& messages)
{
    Pairs pairs;
    QDataStream stream(messages);
    QString translation;
    while (!stream.atEnd()) {
        quint8 field = EndOfMessage;
        stream >> field;
        if (field == EndOfMessage) {
            translation.clear();
        } else if (field == Obsolete) {
            stream.skipRawData(sizeof(quint32));
        } else if (field == Translation) {
            QString content;
            stream >> content;
            if (translation.isEmpty()) {
                translation = withoutKeyMarks(content); // of several, the first is the singular
            }
        } else if (field == SourceText || field == Context || field == Comment) {
            QByteArray content;
            stream >> content;
            if (field == SourceText && !content.isEmpty() && !translation.isEmpty()) {
                const QString source = withoutKeyMarks(QString::fromUtf8(content));
                pairs.insert(source, translation);
                pairs.insert(translation, source);
            }
        } else {
            return pairs; // a later version's
        }
    }
    return pairs;
}

} // namespace

std::string translatedIn(std::string_view context, std::string_view text)
{
    return translated(std::string(context).c_str(), text);
}

QStringList otherWordings(const QString& shown)
{
    static const Pairs pairs = pairsIn(messagesOf(QStringLiteral(":/i18n/lockstep_zh_CN.qm")));
    QStringList others = pairs.values(shown);
    others.removeDuplicates();
    return others;
}

} // namespace lockstep::language
