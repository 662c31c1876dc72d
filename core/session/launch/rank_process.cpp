#include "session/launch/rank_process.h"

namespace lockstep::session {

namespace {

constexpr std::size_t LastLines = 3;

} // namespace

RankProcess::RankProcess(std::int32_t rank, QObject* parent)
    : QObject(parent)
    , m_rank(rank)
{ }

void RankProcess::tellLine(const wire::LogLine& line)
{
    if (m_lastLines.size() == LastLines) {
        m_lastLines.pop_front();
    }
    m_lastLines.push_back(line.text);
    Q_EMIT lineWritten(m_rank, line);
}

void RankProcess::tellEnd()
{
    m_ended = true;
    Q_EMIT ended(m_rank);
}

} // namespace lockstep::session
