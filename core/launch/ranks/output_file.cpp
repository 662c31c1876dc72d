#include "launch/ranks/output_file.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace lockstep::launch {

namespace {

/// Escape sequences of a terminal: CSI, OSC, and the short ones.
const QRegularExpression& escapes()
{
    static const QRegularExpression pattern(
        QStringLiteral("\\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|[ -/]*[0-~])"));
    return pattern;
}

QString withoutEscapes(QString text)
{
    text.remove(escapes());
    text.removeIf([](QChar c) { return (c < u' ' && c != u'\t') || c == QChar(0x7f); });
    return text;
}

} // namespace

std::string plainLine(const QByteArray& line, qsizetype longest)
{
    // What stands before a carriage return is written over by what follows it.
    QList<QByteArray> parts = line.split('\r');
    for (; !parts.isEmpty(); parts.removeLast()) {
        const QString text = withoutEscapes(QString::fromUtf8(parts.last().left(longest)));
        if (!text.trimmed().isEmpty()) {
            return text.toStdString();
        }
    }
    return {};
}

void OutputFile::add(std::string_view line)
{
    if (!m_file.isOpen()) {
        QDir().mkpath(QFileInfo(m_file).path());
        if (!m_file.open(QIODevice::ReadWrite | QIODevice::Append)) {
            return;
        }
    }
    m_file.write(line.data(), static_cast<qint64>(line.size()));
    m_file.write("\n");
    m_file.flush();
    if (m_file.size() > Most) {
        cutMiddle();
    }
}

/// Whole lines stay, at most as many bytes as the constants say.
void OutputFile::cutMiddle()
{
    m_file.seek(0);
    const QByteArray all = m_file.readAll();
    const qint64 first = m_first != 0 ? m_first : all.lastIndexOf('\n', First - 1) + 1;
    const qint64 newest = all.indexOf('\n', all.size() - Newest) + 1;
    m_cut += newest - first - m_lengthOfNote;
    const QByteArray note = "[" + QByteArray::number(m_cut) + " bytes of output are left out here]\n";
    m_file.resize(first);
    m_file.write(note + all.mid(newest));
    m_file.flush();
    m_first = first;
    m_lengthOfNote = note.size();
}

} // namespace lockstep::launch
