#include "launch/collect/certificate.h"

#include <QCryptographicHash>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

namespace lockstep::launch {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

/// Peers compare digests and ignore the times, because the hosts' clocks may differ.
constexpr long SecondsBefore = 24L * 3600;
constexpr long SecondsAfter = 365L * 24 * 3600;

/// A thing of OpenSSL's in DER.
template <typename Write>
QByteArray derOf(const Write& write)
{
    unsigned char* bytes = nullptr;
    const int size = write(&bytes);
    const QByteArray der = size > 0 ? QByteArray(reinterpret_cast<const char*>(bytes), size) : QByteArray();
    OPENSSL_free(bytes);
    return der;
}

Key makeKey()
{
    return {EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), &EVP_PKEY_free};
}

QByteArray selfSigned(EVP_PKEY* key)
{
    const Certificate certificate(X509_new(), &X509_free);
    X509_NAME* const name = certificate ? X509_get_subject_name(certificate.get()) : nullptr;
    constexpr unsigned char Name[] = "lockstep";
    const bool isMade = name != nullptr && X509_set_version(certificate.get(), X509_VERSION_3) == 1
        && ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1) == 1
        && X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -SecondsBefore) != nullptr
        && X509_gmtime_adj(X509_getm_notAfter(certificate.get()), SecondsAfter) != nullptr
        && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, Name, -1, -1, 0) == 1
        && X509_set_issuer_name(certificate.get(), name) == 1 && X509_set_pubkey(certificate.get(), key) == 1
        && X509_sign(certificate.get(), key, EVP_sha256()) > 0;
    return isMade ? derOf([&](unsigned char** bytes) { return i2d_X509(certificate.get(), bytes); }) : QByteArray();
}

} // namespace

Result<OwnCertificate> makeCertificate()
{
    if (!QSslSocket::supportsSsl()) {
        return failure(
            LS_TR("Messages", "this Qt has no TLS: install its OpenSSL backend (libqt6network6 and libssl3)"));
    }
    const Key key = makeKey();
    const QByteArray certificate = key ? selfSigned(key.get()) : QByteArray();
    const QByteArray keyDer
        = key ? derOf([&](unsigned char** bytes) { return i2d_PrivateKey(key.get(), bytes); }) : QByteArray();
    const QSslCertificate own(certificate, QSsl::Der);
    const QSslKey ownKey(keyDer, QSsl::Ec, QSsl::Der, QSsl::PrivateKey);
    if (own.isNull() || ownKey.isNull()) {
        return failure(LS_TR("Messages", "OpenSSL cannot make a key and a certificate"));
    }
    OwnCertificate made;
    made.configuration.setLocalCertificate(own);
    made.configuration.setPrivateKey(ownKey);
    made.configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    made.configuration.setProtocol(QSsl::TlsV1_3OrLater);
    const QByteArray digest = QCryptographicHash::hash(certificate, QCryptographicHash::Sha256);
    std::ranges::copy(std::as_bytes(std::span(digest.constData(), made.digest.size())), made.digest.begin());
    return made;
}

} // namespace lockstep::launch
