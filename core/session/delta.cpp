#include "session/delta.h"

namespace lockstep::session {

namespace {

template <typename T>
void appendAll(std::vector<T>& to, const std::vector<T>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

bool Delta::isEmpty() const
{
    return hellos.empty() && prepared.empty() && steps.empty() && spans.empty() && evaluations.empty() && logs.empty()
        && vitals.empty() && applied.empty() && ranks.empty() && statuses.empty();
}

void Delta::append(const Delta& later)
{
    appendAll(hellos, later.hellos);
    appendAll(prepared, later.prepared);
    appendAll(steps, later.steps);
    appendAll(spans, later.spans);
    appendAll(evaluations, later.evaluations);
    appendAll(logs, later.logs);
    appendAll(vitals, later.vitals);
    appendAll(applied, later.applied);
    appendAll(ranks, later.ranks);
    appendAll(statuses, later.statuses);
}

} // namespace lockstep::session
