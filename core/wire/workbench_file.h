// What a workbench that waits for ranks which others start writes down for them: where it listens, by which certificate
// it is known, and the secret. Lines of NAME=VALUE, as an environment has them.
#pragma once

#include "base/result.h"
#include "wire/secret.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::wire {

/// SHA-256 of a certificate in DER.
using CertificateDigest = std::array<std::byte, 32>;

/// Where ranks find their workbench.
struct WorkbenchAddress {
    std::string hostAndPort; ///< `10.0.0.5:7000`, `[fd00::5]:7000`, or `fd:7` for an open socket
    std::optional<CertificateDigest> certificate{}; ///< of TLS; without it the workbench is on this machine
};

struct WorkbenchFile {
    std::string run;
    WorkbenchAddress address;
    Secret secret{};

    bool operator==(const WorkbenchFile& other) const;
};

[[nodiscard]] std::string toText(const WorkbenchFile& file);
/// All of it must be there. Errors name the line. The secret is never part of one.
[[nodiscard]] Result<WorkbenchFile> readWorkbenchFile(std::string_view text);

} // namespace lockstep::wire
