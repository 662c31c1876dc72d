#include "engine/telemetry/stream.h"

#if LOCKSTEP_TLS

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

namespace lockstep::engine {

namespace {

using SslContext = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;
using Ssl = std::unique_ptr<SSL, decltype(&SSL_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

/// `why` of SSL_get_error(), 0 without; `systemCode` is errno of that call.
Text tlsError(int why = 0, int systemCode = 0)
{
    const unsigned long code = ERR_get_error();
    if (why == SSL_ERROR_SYSCALL && code == 0 && systemCode != 0) {
        return systemError(systemCode);
    }
    const bool isClosed
        = ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
    const char* const reason = code == 0 || isClosed ? nullptr : ERR_reason_error_string(code);
    return reason == nullptr ? Text(LS_TR("Messages", "it was closed")) : verbatim(reason);
}

class TlsStream final : public Stream {
public:
    TlsStream(Descriptor socket, SslContext context, Ssl ssl)
        : m_socket(std::move(socket))
        , m_context(std::move(context))
        , m_ssl(std::move(ssl))
    { }

    [[nodiscard]] int descriptor() const override { return m_socket.number(); }
    [[nodiscard]] Result<std::size_t> send(std::span<const std::byte> bytes) override
    {
        return moved([&](std::size_t* count) { return SSL_write_ex(m_ssl.get(), bytes.data(), bytes.size(), count); });
    }
    [[nodiscard]] Result<std::size_t> receive(std::span<std::byte> bytes) override
    {
        return moved([&](std::size_t* count) { return SSL_read_ex(m_ssl.get(), bytes.data(), bytes.size(), count); });
    }
    void endSending() override
    {
        if (!m_isBroken) {
            ERR_clear_error();
            SSL_shutdown(m_ssl.get());
        }
        shutdown(m_socket.number(), SHUT_WR);
    }

private:
    template <typename Move>
    [[nodiscard]] Result<std::size_t> moved(const Move& move)
    {
        std::size_t count = 0;
        ERR_clear_error();
        if (const int done = move(&count); done > 0) {
            return count;
        } else {
            const int systemCode = errno;
            const int why = SSL_get_error(m_ssl.get(), done);
            if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) {
                return std::size_t{0};
            }
            m_isBroken = why == SSL_ERROR_SYSCALL || why == SSL_ERROR_SSL;
            return failureOf(tlsError(why, systemCode));
        }
    }

    Descriptor m_socket;
    SslContext m_context;
    Ssl m_ssl;
    bool m_isBroken = false;
};

Result<SslContext> clientContext()
{
    SslContext context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    if (context == nullptr || SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION) != 1) {
        return failure(LS_TR("Messages", "TLS cannot be used: %1"), {tlsError()});
    }
    // Who the workbench is, its certificate's digest says, not an authority. A part of the bytes may be written, and
    // the rest then lies elsewhere.
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
    SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return context;
}

Result<void> shakeHands(SSL* ssl, int socket, Clock::time_point deadline)
{
    while (true) {
        ERR_clear_error();
        const int done = SSL_connect(ssl);
        const int systemCode = errno;
        if (done == 1) {
            return {};
        }
        const int why = SSL_get_error(ssl, done);
        if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) {
            return failure(
                LS_TR("Messages", "the TLS 1.3 handshake with the workbench failed: %1"), {tlsError(why, systemCode)});
        }
        if (!waitFor(socket, why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, deadline)) {
            return failure(LS_TR("Messages", "the TLS 1.3 handshake with the workbench timed out"));
        }
    }
}

bool hasCertificate(const SSL* ssl, const wire::CertificateDigest& expected)
{
    const Certificate certificate(SSL_get1_peer_certificate(ssl), &X509_free);
    wire::CertificateDigest digest{};
    unsigned size = 0;
    return certificate != nullptr
        && X509_digest(certificate.get(), EVP_sha256(), reinterpret_cast<unsigned char*>(digest.data()), &size) == 1
        && size == digest.size() && digest == expected;
}

} // namespace

Result<std::unique_ptr<Stream>> beginTls(
    Descriptor socket, const wire::CertificateDigest& certificate, Clock::time_point deadline)
{
    LOCKSTEP_TRY_ASSIGN(auto context, clientContext());
    Ssl ssl(SSL_new(context.get()), &SSL_free);
    if (ssl == nullptr || SSL_set_fd(ssl.get(), socket.number()) != 1) {
        return failure(LS_TR("Messages", "TLS cannot be used: %1"), {tlsError()});
    }
    LOCKSTEP_TRY(shakeHands(ssl.get(), socket.number(), deadline));
    if (!hasCertificate(ssl.get(), certificate)) {
        return failure(LS_TR(
            "Messages", "what answers at LOCKSTEP_TELEMETRY has a different certificate than this run's workbench"));
    }
    return std::unique_ptr<Stream>(std::make_unique<TlsStream>(std::move(socket), std::move(context), std::move(ssl)));
}

} // namespace lockstep::engine

#else

namespace lockstep::engine {

Result<std::unique_ptr<Stream>> beginTls(Descriptor, const wire::CertificateDigest&, Clock::time_point)
{
    return failure(LS_TR("Messages",
        "this lockstep-rank was built without OpenSSL's libssl, which TLS needs: use one that has it, or record with "
        "--record and follow the file"));
}

} // namespace lockstep::engine

#endif
