// Frames and the handshake: a stream from a peer, and a recording. Reads the input as a stream and as one payload.
#include "fuzz.h"

#include "wire/frame.h"
#include "wire/handshake.h"
#include "wire/messages.h"

using namespace lockstep;
using namespace lockstep::fuzz;

namespace {

using Bytes = std::vector<std::byte>;

/// What can be read can be written, and reads the same.
void readPayload(std::span<const std::byte> payload)
{
    const auto message = wire::decode(payload);
    if (!message) {
        return;
    }
    const auto frame = wire::encode(*message);
    if (!frame) {
        return; // too large: a column that this program writes in full
    }
    const auto again = wire::decode(std::span(*frame).subspan(4));
    require(again.isOk(), "a message that was read can be read again once written");
    const auto same = wire::encode(*again);
    require(same.isOk() && *same == *frame, "it is the same message");
}

std::vector<Bytes> payloadsOf(std::initializer_list<std::span<const std::byte>> parts)
{
    wire::FrameDecoder decoder;
    std::vector<Bytes> payloads;
    for (const std::span<const std::byte> part : parts) {
        decoder.feed(part);
        for (auto frame = decoder.next(); frame && *frame; frame = decoder.next()) {
            payloads.emplace_back((*frame)->begin(), (*frame)->end());
        }
    }
    return payloads;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    readPayload(bytes);
    const std::vector<Bytes> payloads = payloadsOf({bytes});
    require(
        payloads == payloadsOf({bytes.first(size / 2), bytes.subspan(size / 2)}), "any split gives the same frames");
    for (const Bytes& payload : payloads) {
        readPayload(payload);
    }
    if (size >= wire::ChallengeBytes) {
        static_cast<void>(wire::readOpening(bytes.first<wire::OpeningBytes>()));
        static_cast<void>(wire::readChallenge(bytes.first<wire::ChallengeBytes>()));
    }
    return 0;
}
