#include "launch/ranks/rank_process.h"

#include "base/clock.h"
#include "base/translate.h"

#include <cstring>

namespace lockstep::launch {

namespace {

constexpr std::size_t LastLines = 3;
constexpr qsizetype LongestLastLine = 200; ///< characters
constexpr qsizetype LongestLine = 2000;
constexpr std::int64_t MostOutput = 4 << 20; ///< bytes of output that become log lines at once, a rank
constexpr std::size_t NewestOutput = 64 << 10; ///< bytes of the later output that do when the rank has ended

void remember(std::deque<std::string>& lines, const std::string& text)
{
    if (lines.size() == LastLines) {
        lines.pop_front();
    }
    const QString line = QString::fromStdString(text);
    lines.push_back(line.size() > LongestLastLine ? line.left(LongestLastLine - 1).toStdString() + "…" : text);
}

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
    remember(m_lastLines, line.text);
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
    // A progress bar writes over itself; what was written over is seen no more.
    if (const qsizetype over = rest.size() < 2 ? -1 : rest.lastIndexOf('\r', rest.size() - 2); over > 0) {
        rest.remove(0, over);
    }
    if (rest.size() > LongestLine) {
        addLine(rest, level);
        rest.clear();
    }
}

void RankProcess::addLine(const QByteArray& line, wire::LogLevel level)
{
    std::string text = plainLine(line, LongestLine);
    if (text.empty()) {
        return;
    }
    if (m_output) {
        m_output->add(text);
    }
    const std::size_t size = text.size();
    auto entry = wire::LogLine::of(monotonicNs(), level, verbatim(std::move(text)));
    if (m_newest.empty() && m_bytesLogged + static_cast<std::int64_t>(size) <= MostOutput) {
        m_bytesLogged += static_cast<std::int64_t>(size);
        logLine(entry);
        return;
    }
    if (m_newest.empty()) {
        Q_EMIT lineWritten(m_rank,
            wire::LogLine::of(monotonicNs(), wire::LogLevel::Warning,
                LS_TR("Messages", "more than 4 MiB of output: the log continues with the last of it")));
    }
    remember(m_lastLines, entry.text);
    m_newest.push_back(std::move(entry));
    m_newestBytes += size;
    for (; m_newestBytes > NewestOutput && m_newest.size() > 1; ++m_leftOut) {
        m_newestBytes -= m_newest.front().text.size();
        m_newest.pop_front();
    }
}

void RankProcess::logNewest()
{
    if (m_leftOut > 0) {
        Q_EMIT lineWritten(m_rank,
            wire::LogLine::of(monotonicNs(), wire::LogLevel::Warning,
                {LS_TR("Messages", "%1 lines are left out here"), {m_leftOut}}));
    }
    for (const wire::LogLine& line : m_newest) {
        Q_EMIT lineWritten(m_rank, line);
    }
    m_newest.clear();
}

Text RankProcess::howItEnded() const
{
    return {LS_TR("Messages", "rank %1 %2"), {m_rank, causeOfEnd()}};
}

void RankProcess::reportEnd()
{
    logNewest();
    m_ended = true;
    Q_EMIT ended(m_rank);
}

} // namespace lockstep::launch
