#include "engine/program/relay.h"

#include "base/clock.h"
#include "base/descriptor.h"
#include "engine/program/relay_facts.h"
#include "engine/program/relayed_rank.h"
#include "wire/frame.h"
#include "wire/relay_messages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace lockstep::engine {

namespace {

using wire::RelayKind;

constexpr int ExitRelayed = 0;
constexpr int ExitWorkbenchLost = 3;
constexpr int LookEveryMs = 200;
constexpr std::int64_t SecondNs = 1'000'000'000;
/// The workbench sends a beat each second; three may be missed.
constexpr std::int64_t SilenceNs = 4 * SecondNs;
constexpr std::int64_t TermToKillNs = SecondNs / 2;
/// Beyond it nothing more is read from the ranks, which then spill to a file.
constexpr std::size_t MostUnsent = 4u << 20;

std::span<const std::byte> textBytes(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

std::string textOf(std::span<const std::byte> bytes)
{
    std::string text(bytes.size(), '\0');
    std::ranges::transform(bytes, text.begin(), [](std::byte each) { return static_cast<char>(each); });
    return text;
}

/// {"ranks":[{"rank":0,"program":"","arguments":[],"environment":{"RANK":"0"}}]}
Result<std::vector<RelayedCommand>> readJob(const std::string& json)
{
    std::vector<RelayedCommand> commands;
    try {
        const nlohmann::json job = nlohmann::json::parse(json);
        for (const nlohmann::json& each : job.at("ranks")) {
            commands.push_back({.rank = each.at("rank").get<std::int32_t>(),
                .program = each.value("program", std::string()),
                .arguments = each.value("arguments", std::vector<std::string>()),
                .environment = each.at("environment").get<std::map<std::string, std::string>>()});
        }
    } catch (const nlohmann::json::exception& error) {
        return failure(LS_TR("Messages", "the relay cannot read its job: %1"), {verbatim(error.what())});
    }
    return commands;
}

class Relay {
public:
    [[nodiscard]] int run();

private:
    /// False at the end of stdin, or after what a workbench never sends.
    [[nodiscard]] bool readWorkbench();
    [[nodiscard]] bool take(const wire::RelayFrame& frame);
    [[nodiscard]] bool startJob(std::span<const std::byte> json);
    void answerBeat(std::span<const std::byte> beat);
    [[nodiscard]] RelayedRank* find(std::int32_t rank);

    void waitForMore() const;
    void serveRanks();
    void reportEnds();
    void tell(RelayKind kind, std::int32_t rank, std::span<const std::byte> payload);
    void flush();
    void endRanks();
    [[nodiscard]] bool hasRoom() const { return m_unsent.size() < MostUnsent; }
    /// What is read while the ranks are being ended may be lost.
    [[nodiscard]] bool mayRead() const { return m_endingNs != 0 || hasRoom(); }

    wire::FrameDecoder m_decoder;
    std::vector<RelayedRank> m_ranks; ///< whose exit has not been reported
    std::vector<std::byte> m_unsent;
    std::array<std::byte, wire::RelayPieceBytes> m_room{};
    bool m_hasJob = false;
    bool m_hasLostOutput = false;
    std::int64_t m_heardNs = 0;
    std::int64_t m_endingNs = 0; ///< since when the ranks are being ended; 0: they are not
};

int Relay::run()
{
    fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
    const auto mark = textBytes(wire::RelayMark);
    m_unsent.assign(mark.begin(), mark.end());
    tell(RelayKind::Facts, -1, textBytes(hostFactsJson()));
    m_heardNs = monotonicNs();
    while (true) {
        waitForMore();
        if (m_endingNs == 0 && (!readWorkbench() || m_hasLostOutput || monotonicNs() - m_heardNs > SilenceNs)) {
            m_endingNs = monotonicNs();
            endRanks();
        }
        if (m_endingNs != 0 && monotonicNs() - m_endingNs > TermToKillNs) {
            std::ranges::for_each(m_ranks, [](const RelayedRank& each) { each.signal(SIGKILL); });
        }
        serveRanks();
        reportEnds();
        flush();
        if (m_ranks.empty() && m_endingNs != 0) {
            return m_hasJob ? ExitWorkbenchLost : ExitRelayed;
        }
        if (m_ranks.empty() && m_hasJob && m_unsent.empty()) {
            return ExitRelayed;
        }
    }
}

void Relay::waitForMore() const
{
    std::vector<pollfd> polled;
    if (m_endingNs == 0) {
        polled.push_back({STDIN_FILENO, POLLIN, 0});
    }
    if (!m_unsent.empty()) {
        polled.push_back({STDOUT_FILENO, POLLOUT, 0});
    }
    for (const RelayedRank& each : m_ranks) {
        each.addTo(polled, mayRead());
    }
    poll(polled.data(), polled.size(), LookEveryMs);
}

bool Relay::readWorkbench()
{
    pollfd entry{STDIN_FILENO, POLLIN, 0};
    if (poll(&entry, 1, 0) <= 0) {
        return true;
    }
    const ssize_t n = read(STDIN_FILENO, m_room.data(), m_room.size());
    if (n <= 0) {
        return n < 0 && isTemporary(errno);
    }
    m_heardNs = monotonicNs();
    m_decoder.feed(std::span(m_room).first(static_cast<std::size_t>(n)));
    while (true) {
        const auto frame = m_decoder.next();
        if (!frame || !*frame) {
            return frame.isOk();
        }
        const auto read = wire::readRelayFrame(**frame);
        if (!read || !take(*read)) {
            return false;
        }
    }
}

bool Relay::take(const wire::RelayFrame& frame)
{
    RelayedRank* rank = find(frame.rank);
    switch (frame.kind) {
    case RelayKind::Job:
        return startJob(frame.payload);
    case RelayKind::Beat:
        answerBeat(frame.payload);
        return true;
    case RelayKind::Data:
        if (rank != nullptr) {
            rank->send(frame.payload);
        }
        return true;
    case RelayKind::Closed:
        if (rank != nullptr) {
            rank->closeConnection();
        }
        return true;
    case RelayKind::Signal: {
        const auto number = wire::readRelayNumbers<1>(frame.payload);
        if (rank != nullptr && number && ((*number)[0] == SIGTERM || (*number)[0] == SIGKILL)) {
            rank->signal(static_cast<int>((*number)[0]));
        }
        return number.has_value();
    }
    default:
        return false;
    }
}

bool Relay::startJob(std::span<const std::byte> json)
{
    std::string text = textOf(json);
    const auto commands = m_hasJob
        ? Result<std::vector<RelayedCommand>>(failure(LS_TR("Messages", "the relay has a job already")))
        : readJob(text);
    std::ranges::fill(text, '\0'); // the secret was in it
    m_hasJob = true;
    if (!commands) {
        std::fprintf(stderr, "lockstep-rank: %s\n", commands.error().text().c_str());
        return false;
    }
    for (const RelayedCommand& command : *commands) {
        auto started = RelayedRank::start(command);
        if (started) {
            tell(RelayKind::Started, command.rank, wire::toRelayBytes(wire::RelayNumbers<1>{started->process()}));
            m_ranks.push_back(std::move(*started));
        } else {
            tell(RelayKind::NotStarted, command.rank, textBytes(started.error().text()));
        }
    }
    return true;
}

void Relay::answerBeat(std::span<const std::byte> beat)
{
    if (const auto sent = wire::readRelayNumbers<1>(beat)) {
        tell(RelayKind::Beat, -1, wire::toRelayBytes(wire::RelayNumbers<3>{(*sent)[0], monotonicNs(), wallNs()}));
        flush();
    }
}

RelayedRank* Relay::find(std::int32_t rank)
{
    const auto found = std::ranges::find_if(m_ranks, [rank](const RelayedRank& each) { return each.rank() == rank; });
    return found == m_ranks.end() ? nullptr : &*found;
}

void Relay::serveRanks()
{
    for (RelayedRank& rank : m_ranks) {
        const auto room = mayRead() ? std::span<std::byte>(m_room) : std::span<std::byte>();
        rank.serve(
            [&](RelayKind kind, std::span<const std::byte> bytes) {
                if (!bytes.empty()) {
                    tell(kind, rank.rank(), bytes);
                } else if (kind == RelayKind::Data) {
                    tell(RelayKind::Closed, rank.rank(), {});
                }
            },
            room);
    }
}

void Relay::reportEnds()
{
    std::erase_if(m_ranks, [this](const RelayedRank& rank) {
        if (!rank.isDone()) {
            return false;
        }
        const RelayedRank::End& end = *rank.end();
        tell(end.isKilled ? RelayKind::Killed : RelayKind::Exited, rank.rank(),
            wire::toRelayBytes(wire::RelayNumbers<1>{end.number}));
        return true;
    });
}

void Relay::tell(RelayKind kind, std::int32_t rank, std::span<const std::byte> payload)
{
    if (!m_hasLostOutput && (m_endingNs == 0 || hasRoom())) {
        wire::appendFrame(m_unsent, {kind, rank, payload});
    }
}

void Relay::flush()
{
    std::size_t sent = 0;
    while (sent < m_unsent.size()) {
        const ssize_t n = write(STDOUT_FILENO, m_unsent.data() + sent, m_unsent.size() - sent);
        if (n < 0) {
            m_hasLostOutput = !isTemporary(errno);
            break;
        }
        sent += static_cast<std::size_t>(n);
    }
    m_unsent.erase(m_unsent.begin(), m_unsent.begin() + static_cast<std::ptrdiff_t>(sent));
    if (m_hasLostOutput) {
        m_unsent.clear();
    }
}

/// The workbench is gone, or its end of the line: what the ranks still have to say goes nowhere.
void Relay::endRanks()
{
    for (const RelayedRank& each : m_ranks) {
        each.signal(SIGTERM);
    }
}

} // namespace

int relayRanks()
{
    return Relay().run();
}

} // namespace lockstep::engine
