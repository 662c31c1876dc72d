// One connection of the store: the exchange of proofs, then frames. Without a socket: bytes in, bytes out.
#pragma once

#include "rendezvous/store/membership.h"
#include "rendezvous/store/packet.h"
#include "wire/handshake.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::rendezvous {

class StoreConnection {
public:
    using Time = std::chrono::steady_clock::time_point;

    StoreConnection(const wire::Secret& secret, Time now);

    /// False if the peer is to be cut off.
    [[nodiscard]] bool feed(std::string_view bytes);
    /// The next whole frame of a peer that has proved itself; false if there is none. A frame that is too long breaks
    /// the connection.
    [[nodiscard]] bool nextFrame(std::string& frame);
    void queue(const std::string& bytes) { m_out += bytes; }
    [[nodiscard]] const std::string& out() const { return m_out; }
    void sent(std::size_t bytes) { m_out.erase(0, bytes); }

    [[nodiscard]] bool isProved() const { return m_stage == Stage::Proved; }
    /// Cut off: unproved for too long, too much waiting to be sent, or an invalid frame.
    [[nodiscard]] bool isBad(Time now) const;

    std::optional<std::int32_t> rank{}; ///< once it has joined
    bool isClosing = false; ///< ends when everything is sent

private:
    enum class Stage { Opening, Proof, Proved, Broken };

    [[nodiscard]] bool answerOpening();
    [[nodiscard]] bool checkProof();

    const wire::Secret& m_secret;
    Time m_since;
    Stage m_stage = Stage::Opening;
    wire::Nonces m_nonces;
    std::string m_in;
    std::string m_out;
};

} // namespace lockstep::rendezvous
