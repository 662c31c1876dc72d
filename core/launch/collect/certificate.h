// A key and a certificate for TLS that are new for each run and known by their digest: no authority signs them.
#pragma once

#include "base/result.h"
#include "wire/workbench_file.h"

#include <QSslConfiguration>

namespace lockstep::launch {

struct OwnCertificate {
    QSslConfiguration configuration; ///< of a server: TLS 1.3, asks no peer for a certificate
    wire::CertificateDigest digest{};
};

[[nodiscard]] Result<OwnCertificate> makeCertificate();

} // namespace lockstep::launch
