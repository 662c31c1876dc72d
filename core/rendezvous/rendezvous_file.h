// The file in a shared folder in which rank 0 says where it serves the store: address, port and a secret, readable by
// its user alone.
#pragma once

#include "base/result.h"
#include "wire/secret.h"

#include <cstdint>
#include <string>

namespace lockstep::rendezvous {

struct RendezvousFile {
    std::string address;
    std::uint16_t port = 0;
    wire::Secret secret{};
};

/// The file's name depends on the job and its number of ranks.
[[nodiscard]] std::string rendezvousPath(const std::string& folder, const std::string& job, std::int32_t worldSize);
/// Replaces an older one at once.
[[nodiscard]] Result<void> writeRendezvous(const std::string& path, const RendezvousFile& content);
/// Refused: another user's file, one that others can read, a link.
[[nodiscard]] Result<RendezvousFile> readRendezvous(const std::string& path);

} // namespace lockstep::rendezvous
