#include "rendezvous/init_method.h"

#include <fmt/format.h>

#include <charconv>

namespace lockstep::rendezvous {

namespace {

Error notAMethod(std::string_view text)
{
    return failure(
        LS_TR("Messages", "`%1` is not a rendezvous: use env://, tcp://HOST:PORT or file:///FOLDER"), {verbatim(text)});
}

Result<InitMethod> parseTcp(std::string_view text, std::string_view address)
{
    const auto colon = address.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
        return notAMethod(text);
    }
    std::string_view host = address.substr(0, colon);
    const std::string_view digits = address.substr(colon + 1);
    std::uint16_t port = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} || rest != digits.data() + digits.size() || port == 0) {
        return notAMethod(text);
    }
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    } else if (host.find_first_of(":/[]") != std::string_view::npos) {
        return notAMethod(text);
    }
    return InitMethod{.kind = InitMethod::Kind::Tcp, .host = std::string(host), .port = port};
}

} // namespace

Result<InitMethod> parseInitMethod(std::string_view text)
{
    constexpr std::string_view Tcp = "tcp://";
    constexpr std::string_view File = "file://";
    if (text == "env://") {
        return InitMethod{.kind = InitMethod::Kind::Environment};
    }
    if (text.starts_with(Tcp)) {
        return parseTcp(text, text.substr(Tcp.size()));
    }
    if (text.starts_with(File) && text.substr(File.size()).starts_with('/')) {
        return InitMethod{.kind = InitMethod::Kind::File, .folder = std::string(text.substr(File.size()))};
    }
    return notAMethod(text);
}

std::string toText(const InitMethod& method)
{
    switch (method.kind) {
    case InitMethod::Kind::Unset:
        return {};
    case InitMethod::Kind::Environment:
        return "env://";
    case InitMethod::Kind::Tcp:
        return method.host.find(':') == std::string::npos ? fmt::format("tcp://{}:{}", method.host, method.port)
                                                          : fmt::format("tcp://[{}]:{}", method.host, method.port);
    case InitMethod::Kind::File:
        return "file://" + method.folder;
    }
    return {};
}

bool isLoopback(std::string_view host)
{
    return host == "localhost" || host.starts_with("localhost.") || host == "ip6-localhost" || host == "::1"
        || (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos);
}

} // namespace lockstep::rendezvous
