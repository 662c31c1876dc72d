#include "engine/program/console_sink.h"

#include <cstdio>
#include <variant>

namespace lockstep::engine {

namespace {

class ConsoleSink final : public Sink {
public:
    ConsoleSink(std::unique_ptr<Sink> inner, std::int32_t rank)
        : m_inner(std::move(inner))
        , m_rank(rank)
    { }

    [[nodiscard]] Result<void> write(std::span<const std::byte> frames) override
    {
        m_decoder.feed(frames);
        while (true) {
            const auto frame = m_decoder.next();
            if (!frame || !*frame) {
                break;
            }
            const auto message = wire::decode(**frame);
            if (!message) {
                continue;
            }
            if (const auto* line = std::get_if<wire::LogLine>(&*message)) {
                std::fprintf(stderr, "%s\n", line->text.c_str());
            } else if (const auto* measured = std::get_if<wire::Measurement>(&*message);
                       measured != nullptr && m_rank == 0) {
                show(*measured);
            }
        }
        return m_inner->write(frames);
    }

    [[nodiscard]] std::optional<wire::Control> poll() override { return m_inner->poll(); }
    [[nodiscard]] bool isLost() const override { return m_inner->isLost(); }

private:
    void show(const wire::Measurement& measured)
    {
        if (!m_hasHeading) {
            m_hasHeading = true;
            std::printf("%12s  %-14s %8s %8s %12s %12s %10s %8s\n", "bytes", "collective", "in_place", "calls",
                "p50_us", "p99_us", "GB/s", "wrong");
        }
        const double bytesPerNs
            = measured.p50Ns > 0 ? static_cast<double>(measured.bytes) / static_cast<double>(measured.p50Ns) : 0.0;
        std::printf("%12lld  %-14s %8s %8lld %12.2f %12.2f %10.3f %8lld\n", static_cast<long long>(measured.bytes),
            measured.collective.c_str(),
            measured.shared        ? "shared"
                : measured.inPlace ? "yes"
                                   : "no",
            static_cast<long long>(measured.calls), static_cast<double>(measured.p50Ns) / 1e3,
            static_cast<double>(measured.p99Ns) / 1e3, bytesPerNs, static_cast<long long>(measured.wrong));
        std::fflush(stdout);
    }

    std::unique_ptr<Sink> m_inner;
    std::int32_t m_rank;
    bool m_hasHeading = false;
    wire::FrameDecoder m_decoder;
};

} // namespace

std::unique_ptr<Sink> showInTerminal(std::unique_ptr<Sink> inner, std::int32_t rank)
{
    return std::make_unique<ConsoleSink>(std::move(inner), rank);
}

} // namespace lockstep::engine
