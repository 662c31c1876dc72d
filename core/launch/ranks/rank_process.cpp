#include "launch/ranks/rank_process.h"

#include "base/clock.h"
#include "base/translate.h"

#include <cstring>

namespace lockstep::launch {

namespace {

constexpr std::size_t LastLines = 3;
constexpr qsizetype LongestLine = 2000;
constexpr std::int64_t MostOutput = 4 << 20; ///< bytes of output kept as log lines, a rank

} // namespace

Text killedBy(int signal)
{
    return {LS_TR("Messages", "was killed by signal %1 (%2)"), {signal, verbatim(strsignal(signal))}};
}

Text endedWith(int exitCode)
{
    return {LS_TR("Messages", "ended with exit code %1"), {exitCode}};
}

RankProcess::RankProcess(std::int32_t rank, QObject* parent)
    : QObject(parent)
    , m_rank(rank)
{ }

void RankProcess::logLine(const wire::LogLine& line)
{
    if (m_lastLines.size() == LastLines) {
        m_lastLines.pop_front();
    }
    m_lastLines.push_back(line.text);
    Q_EMIT lineWritten(m_rank, line);
}

void RankProcess::logLines(QByteArray& rest, wire::LogLevel level)
{
    qsizetype begin = 0;
    for (qsizetype end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', begin)) {
        addLine(rest.mid(begin, end - begin), level);
        begin = end + 1;
    }
    rest.remove(0, begin);
    if (rest.size() > LongestLine) {
        addLine(rest, level);
        rest.clear();
    }
}

void RankProcess::addLine(QByteArray line, wire::LogLevel level)
{
    if (line.trimmed().isEmpty()) {
        return;
    }
    line.truncate(LongestLine);
    std::string text = QString::fromUtf8(line).toStdString();
    const bool wasWithin = m_bytesKept <= MostOutput;
    m_bytesKept += line.size();
    if (m_bytesKept <= MostOutput) {
        logLine(wire::LogLine::of(monotonicNs(), level, verbatim(std::move(text))));
    } else if (wasWithin) {
        logLine(wire::LogLine::of(monotonicNs(), wire::LogLevel::Warning,
            LS_TR("Messages", "more than 4 MiB of output: the rest is not kept")));
    }
}

void RankProcess::reportEnd()
{
    m_ended = true;
    Q_EMIT ended(m_rank);
}

} // namespace lockstep::launch
