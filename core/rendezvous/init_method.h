// Where the ranks of a job meet, as torch.distributed writes it (init_method).
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::rendezvous {

inline constexpr std::uint16_t StandardPort = 29500; ///< torchrun's

struct InitMethod {
    enum class Kind {
        Unset, ///< nothing names a place: the ranks are on one machine
        Environment, ///< env://: MASTER_ADDR and MASTER_PORT
        Tcp,
        File
    };

    Kind kind = Kind::Unset;
    std::string host{};
    std::uint16_t port = 0;
    std::string folder{}; ///< of Kind::File, shared by all hosts
};

/// `env://`, `tcp://HOST:PORT` (an IPv6 address in brackets) or `file:///FOLDER`.
[[nodiscard]] Result<InitMethod> parseInitMethod(std::string_view text);
/// The same as text.
[[nodiscard]] std::string toText(const InitMethod& method);

/// `localhost`, 127.0.0.0/8 and ::1: what no other host can reach.
[[nodiscard]] bool isLoopback(std::string_view host);

} // namespace lockstep::rendezvous
