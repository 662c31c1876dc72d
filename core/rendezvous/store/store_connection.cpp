#include "rendezvous/store/store_connection.h"

#include "rendezvous/store/store_messages.h"
#include "wire/messages.h"

#include <cstring>

namespace lockstep::rendezvous {

namespace {

constexpr std::size_t MostWaitingBytes = 4 * MostFrameBytes;

template <typename Array>
std::string textOf(const Array& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Takes the first bytes out of `buffer`.
template <typename Array>
bool take(std::string& buffer, Array& bytes)
{
    if (buffer.size() < bytes.size()) {
        return false;
    }
    std::memcpy(bytes.data(), buffer.data(), bytes.size());
    buffer.erase(0, bytes.size());
    return true;
}

} // namespace

StoreConnection::StoreConnection(const wire::Secret& secret, Time now)
    : m_secret(secret)
    , m_since(now)
{ }

bool StoreConnection::feed(std::string_view bytes)
{
    if (isClosing) {
        return true;
    }
    m_in += bytes;
    if (m_stage == Stage::Opening && !answerOpening()) {
        m_stage = Stage::Broken;
    }
    if (m_stage == Stage::Proof && !checkProof()) {
        m_stage = Stage::Broken;
    }
    return m_stage != Stage::Broken;
}

bool StoreConnection::answerOpening()
{
    std::array<std::byte, wire::OpeningBytes> bytes{};
    if (!take(m_in, bytes)) {
        return m_in.size() < wire::OpeningBytes;
    }
    const auto opening = wire::readOpening(bytes);
    const auto nonce = wire::makeNonce();
    if (!opening || !nonce) {
        return false;
    }
    if (opening->protocol != wire::ProtocolVersion) {
        // Says our version, and proves nothing.
        queue(textOf(wire::toBytes(wire::Challenge{wire::ProtocolVersion, {}, {}})));
        isClosing = true;
        return true;
    }
    m_nonces = {opening->nonce, *nonce};
    const auto proof = wire::proofOf(wire::Side::Workbench, m_secret, m_nonces);
    if (!proof) {
        return false;
    }
    queue(textOf(wire::toBytes(wire::Challenge{wire::ProtocolVersion, *nonce, *proof})));
    m_stage = Stage::Proof;
    return true;
}

bool StoreConnection::checkProof()
{
    wire::Proof proof{};
    if (!take(m_in, proof)) {
        return true;
    }
    if (!wire::isProofOf(wire::Side::Rank, proof, m_secret, m_nonces)) {
        return false;
    }
    m_stage = Stage::Proved;
    return true;
}

bool StoreConnection::nextFrame(std::string& frame)
{
    bool isTooLong = false;
    const bool isThere = isProved() && takeFrame(m_in, frame, isTooLong);
    m_stage = isTooLong ? Stage::Broken : m_stage;
    return isThere;
}

bool StoreConnection::isBad(Time now) const
{
    const bool isLate = (m_stage == Stage::Opening || m_stage == Stage::Proof) && now - m_since > ProofLimit;
    return m_stage == Stage::Broken || isLate || m_out.size() > MostWaitingBytes;
}

} // namespace lockstep::rendezvous
