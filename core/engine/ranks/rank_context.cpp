#include "engine/ranks/rank_context.h"

#include <utility>

namespace lockstep::engine {

Result<RankContext> rankFromEnvironment(const rendezvous::RankFlags& flags)
{
    LOCKSTEP_TRY_ASSIGN(rendezvous::Place place, rendezvous::placeOf(flags, rendezvous::variablesOfProcess()));
    RankContext context{Rank{place.rank}, place.worldSize, place.localRank.value_or(place.rank), place.job, {}, {}};
    context.place = std::move(place);
    return context;
}

} // namespace lockstep::engine
