#include "base/descriptor.h"
#include "engine/telemetry/recorder.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace lockstep::engine {

namespace {

class DiscardSink final : public Sink {
public:
    [[nodiscard]] Result<void> write(std::span<const std::byte>) override { return {}; }
};

class FileSink final : public Sink {
public:
    FileSink(std::string path, Descriptor file)
        : m_path(std::move(path))
        , m_file(std::move(file))
    { }

    [[nodiscard]] Result<void> write(std::span<const std::byte> frames) override
    {
        // NOLINTNEXTLINE: bytes of a file
        if (writeAll(m_file.number(), {reinterpret_cast<const char*>(frames.data()), frames.size()})) {
            return {};
        }
        m_isBroken = true;
        return failure(LS_TR("Messages", "%1: cannot be written: %2"), {verbatim(m_path), systemError()});
    }

    [[nodiscard]] bool isLost() const override { return m_isBroken; }

private:
    std::string m_path;
    Descriptor m_file;
    bool m_isBroken = false;
};

} // namespace

std::unique_ptr<Sink> discard()
{
    return std::make_unique<DiscardSink>();
}

Result<std::unique_ptr<Sink>> recordToFile(
    const std::string& path, const wire::Hello& hello, const std::string& specJson)
{
    const auto welcome = wire::encode(wire::Welcome{wire::ProtocolVersion, specJson});
    const auto greeting = wire::encode(hello);
    for (const auto* frame : {&welcome, &greeting}) {
        if (!*frame) {
            return frame->error();
        }
    }
    Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file.isOpen()) {
        return failure(LS_TR("Messages", "%1: cannot be written: %2"), {verbatim(path), systemError()});
    }
    auto sink = std::make_unique<FileSink>(path, std::move(file));
    for (const auto* frame : {&welcome, &greeting}) {
        if (const Result<void> written = sink->write(**frame); !written) {
            return written.error();
        }
    }
    return std::unique_ptr<Sink>(std::move(sink));
}

} // namespace lockstep::engine
