#include "rendezvous/rendezvous_file.h"

#include "base/descriptor.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>
#include <charconv>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep::rendezvous {

namespace {

constexpr mode_t OthersBits = S_IRWXG | S_IRWXO;

Error fileError(const std::string& path, const char* what)
{
    return failure(LS_TR("Messages", "%1: %2: %3"), {verbatim(path), what, systemError()});
}

} // namespace

std::string rendezvousPath(const std::string& folder, const std::string& job, std::int32_t worldSize)
{
    const std::string text = fmt::format("{} {}", job, worldSize);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    std::string name;
    for (std::size_t i = 0; i < 8; ++i) {
        name += fmt::format("{:02x}", digest[i]);
    }
    return fmt::format("{}/lockstep-{}.rendezvous", folder, name);
}

Result<void> writeRendezvous(const std::string& path, const RendezvousFile& content)
{
    const std::string fresh = fmt::format("{}.{}", path, getpid());
    unlink(fresh.c_str());
    const int file = uninterrupted(
        [&] { return open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR); });
    if (file < 0) {
        return fileError(path, LS_TR("Messages", "cannot be written"));
    }
    const std::string text = fmt::format("{} {} {}\n", content.address, content.port, wire::toHex(content.secret));
    const bool isWritten = writeAll(file, text);
    const bool isThere = close(file) == 0 && isWritten && rename(fresh.c_str(), path.c_str()) == 0;
    return isThere ? Result<void>() : fileError(path, LS_TR("Messages", "cannot be written"));
}

Result<RendezvousFile> readRendezvous(const std::string& path)
{
    const int file = uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); });
    if (file < 0) {
        return fileError(path, LS_TR("Messages", "cannot be read"));
    }
    struct stat facts { };
    const bool isOwn = fstat(file, &facts) == 0 && facts.st_uid == geteuid() && (facts.st_mode & OthersBits) == 0;
    const std::string text = readUpTo(file, 256);
    close(file);
    if (!isOwn) {
        return failure(LS_TR("Messages", "%1: is another user's, or others can read it"), {verbatim(path)});
    }
    const auto first = text.find(' ');
    const auto second = text.find(' ', first == std::string::npos ? first : first + 1);
    RendezvousFile content;
    if (second == std::string::npos || text.back() != '\n') {
        return failure(LS_TR("Messages", "%1: is not a rendezvous file"), {verbatim(path)});
    }
    content.address = text.substr(0, first);
    const auto [rest, error] = std::from_chars(text.data() + first + 1, text.data() + second, content.port);
    LOCKSTEP_TRY_ASSIGN(content.secret, wire::secretFromHex(text.substr(second + 1, text.size() - second - 2)));
    return error == std::errc{} && rest == text.data() + second
        ? Result<RendezvousFile>(content)
        : failure(LS_TR("Messages", "%1: is not a rendezvous file"), {verbatim(path)});
}

} // namespace lockstep::rendezvous
