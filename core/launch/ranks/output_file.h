// The output of a rank in a file: the first of it and the newest. Session thread only.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <string>
#include <string_view>

namespace lockstep::launch {

/// What a terminal shows of a line in the end: carriage returns carried out, without escape sequences and control
/// characters, at most `longest` bytes. Empty if it shows nothing.
[[nodiscard]] std::string plainLine(const QByteArray& line, qsizetype longest);

class OutputFile {
public:
    static constexpr qint64 Most = 4 << 20; ///< bytes; more is cut out of the middle
    static constexpr qint64 First = 1 << 20; ///< kept at the beginning
    static constexpr qint64 Newest = 2 << 20; ///< kept at the end when it is cut, so that it may grow again

    /// Makes its folder with the first line. A file that cannot be written stays away: the log has the lines too.
    explicit OutputFile(const QString& path)
        : m_file(path)
    { }

    void add(std::string_view line);

private:
    void cutMiddle();

    QFile m_file;
    qint64 m_first = 0; ///< bytes at the beginning that stay; 0: nothing was cut yet
    qint64 m_cut = 0; ///< bytes
    qint64 m_lengthOfNote = 0; ///< of the line about what was cut, behind the first
};

} // namespace lockstep::launch
