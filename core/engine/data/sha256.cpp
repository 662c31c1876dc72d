#include "engine/data/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace lockstep::engine {

struct Sha256::Context {
    EVP_MD_CTX* state = EVP_MD_CTX_new();

    Context() = default;
    ~Context() { EVP_MD_CTX_free(state); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

Sha256::Sha256()
    : m_context(std::make_unique<Context>())
    , m_isGood(m_context->state != nullptr && EVP_DigestInit_ex(m_context->state, EVP_sha256(), nullptr) == 1)
{ }

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::uint8_t> bytes)
{
    m_isGood = m_isGood && EVP_DigestUpdate(m_context->state, bytes.data(), bytes.size()) == 1;
}

Result<std::string> Sha256::digest()
{
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (!m_isGood || EVP_DigestFinal_ex(m_context->state, digest.data(), &size) != 1) {
        return failure(LS_TR("Messages", "libcrypto cannot compute a SHA-256"));
    }
    std::string text;
    for (const std::uint8_t byte : std::span(digest).first(size)) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

Result<std::string> sha256Of(std::span<const char> bytes)
{
    Sha256 sum;
    sum.add({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}); // NOLINT: bytes of a file
    return sum.digest();
}

} // namespace lockstep::engine
