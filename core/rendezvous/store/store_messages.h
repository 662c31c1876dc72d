// The frames between the store and its members, after both have proved that they have the secret. A frame begins with
// its kind and the number of the request, which the reply repeats.
#pragma once

#include "base/result.h"
#include "rendezvous/store/membership.h"
#include "rendezvous/store/packet.h"
#include "wire/secret.h"

#include <cstdint>
#include <string>

namespace lockstep::rendezvous {

enum class StoreKind : std::uint64_t {
    // from a member
    Join = 1,
    Beat, ///< calls begun
    Leave,
    Set,
    Add,
    CompareSet,
    Erase,
    Check,
    Count,
    Wait, ///< milliseconds, whether the first key's value is wanted, keys
    Publish,
    Received, ///< the sequence number of a Published
    // from the store
    Reply,
    TimedOut, ///< a Reply to Wait
    Refused, ///< a text; the connection ends
    Present, ///< the ranks that are missing
    Complete, ///< every member
    Gone, ///< rank, whether it left in order, reason
    Beating, ///< calls begun by each rank
    Published, ///< sequence number, bytes
    // from a member again: at the end, so that ranks of another version still understand a Refused
    ReadClock ///< the Reply has the store's clock and Member::clock() of the rank that serves
};

/// Begins a frame.
[[nodiscard]] PacketWriter storeFrame(StoreKind kind, std::uint64_t request = 0);

void write(PacketWriter& writer, const Member& member);
[[nodiscard]] Member readMember(PacketReader& reader);

/// The store's own key from the run's secret, so that a proof for the workbench is none for the store.
[[nodiscard]] wire::Secret storeSecretOf(const wire::Secret& secret);

/// How long a peer may take to prove that it has the secret.
inline constexpr std::chrono::seconds ProofLimit{5};

} // namespace lockstep::rendezvous
