#include "engine/program/console_sink.h"

#include <cstdio>
#include <variant>

namespace lockstep::engine {

namespace {

class ConsoleSink final : public Sink {
public:
    explicit ConsoleSink(std::unique_ptr<Sink> inner)
        : m_inner(std::move(inner))
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
            if (message && std::holds_alternative<wire::LogLine>(*message)) {
                std::fprintf(stderr, "%s\n", std::get<wire::LogLine>(*message).text.c_str());
            }
        }
        return m_inner->write(frames);
    }

    [[nodiscard]] std::optional<wire::Control> poll() override { return m_inner->poll(); }
    [[nodiscard]] bool isLost() const override { return m_inner->isLost(); }

private:
    std::unique_ptr<Sink> m_inner;
    wire::FrameDecoder m_decoder;
};

} // namespace

std::unique_ptr<Sink> showLogLines(std::unique_ptr<Sink> inner)
{
    return std::make_unique<ConsoleSink>(std::move(inner));
}

} // namespace lockstep::engine
