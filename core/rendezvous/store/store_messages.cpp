#include "rendezvous/store/store_messages.h"

#include <openssl/sha.h>

#include <cstring>

namespace lockstep::rendezvous {

PacketWriter storeFrame(StoreKind kind, std::uint64_t request)
{
    PacketWriter writer;
    writer.number(static_cast<std::uint64_t>(kind)).number(request);
    return writer;
}

void write(PacketWriter& writer, const Member& member)
{
    writer.number(static_cast<std::uint32_t>(member.rank)).number(static_cast<std::uint32_t>(member.size));
    writer.text(member.version).text(member.what).text(member.host).text(member.domain).text(member.address);
    writer.number(static_cast<std::uint64_t>(member.process));
}

Member readMember(PacketReader& reader)
{
    Member member;
    member.rank = static_cast<std::int32_t>(reader.number());
    member.size = static_cast<std::int32_t>(reader.number());
    for (std::string* text : {&member.version, &member.what, &member.host, &member.domain, &member.address}) {
        *text = reader.text();
    }
    member.process = static_cast<std::int64_t>(reader.number());
    return member;
}

wire::Secret storeSecretOf(const wire::Secret& secret)
{
    std::string text = "lockstep store";
    text.append(reinterpret_cast<const char*>(secret.data()), secret.size());
    wire::Secret derived{};
    static_assert(sizeof(derived) == SHA256_DIGEST_LENGTH);
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
        reinterpret_cast<unsigned char*>(derived.data()));
    return derived;
}

} // namespace lockstep::rendezvous
