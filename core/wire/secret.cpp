#include "wire/secret.h"

#include <fmt/format.h>

namespace lockstep::wire {

namespace {

int digitValue(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

} // namespace

std::string toHex(const Secret& secret)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * secret.size());
    for (const std::byte byte : secret) {
        const auto value = std::to_integer<unsigned>(byte);
        text.push_back(Digits[value >> 4]);
        text.push_back(Digits[value & 15]);
    }
    return text;
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
        const int high = digitValue(hex[2 * i]);
        const int low = digitValue(hex[2 * i + 1]);
        if (high < 0 || low < 0) {
            return failure(LS_TR("Messages", "the secret must be 64 hexadecimal digits, it has another character"));
        }
        secret[i] = static_cast<std::byte>(high * 16 + low);
    }
    return secret;
}

bool equalInConstantTime(const Secret& a, const Secret& b)
{
    // volatile keeps the compiler from ending the loop at the first difference.
    volatile unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference = difference | std::to_integer<unsigned>(a[i] ^ b[i]);
    }
    return difference == 0;
}

} // namespace lockstep::wire
