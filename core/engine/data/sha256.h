// SHA-256 (FIPS 180-4), by libcrypto.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lockstep::engine {

class Sha256 {
public:
    Sha256();
    ~Sha256();

    void add(std::span<const std::uint8_t> bytes);
    /// Of all that was added, in hexadecimal. Once.
    [[nodiscard]] Result<std::string> digest();

private:
    struct Context;
    std::unique_ptr<Context> m_context;
    bool m_isGood = false;
};

[[nodiscard]] Result<std::string> sha256Of(std::span<const char> bytes);

} // namespace lockstep::engine
