#include "wire/secret.h"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <charconv>

namespace lockstep::wire {

std::string toHex(const Secret& secret)
{
    return listed(
        secret, [](std::byte byte) { return fmt::format("{:02x}", std::to_integer<unsigned>(byte)); }, "");
}

Result<Secret> secretFromHex(std::string_view hex)
{
    // The text itself is never part of the message: it could be most of a real secret.
    Secret secret{};
    if (hex.size() != 2 * secret.size()) {
        return failure(
            LS_TR("Messages", "the secret has %1 characters, it must be 64 hexadecimal digits"), {hex.size()});
    }
    for (std::size_t i = 0; i < secret.size(); ++i) {
        const char* const digits = hex.data() + 2 * i;
        unsigned value = 0;
        const auto [end, code] = std::from_chars(digits, digits + 2, value, 16);
        if (code != std::errc() || end != digits + 2) {
            return failure(LS_TR("Messages", "the secret must be 64 hexadecimal digits, it has another character"));
        }
        secret[i] = static_cast<std::byte>(value);
    }
    return secret;
}

bool equalInConstantTime(const Secret& a, const Secret& b)
{
    return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace lockstep::wire
