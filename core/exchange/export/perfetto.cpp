#include "exchange/export/perfetto.h"

#include "archive/zip_writer.h"
#include "base/translate.h"
#include "exchange/export/command_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>

namespace lockstep::exchange {

namespace {

constexpr std::int64_t NsPerUs = 1000;

/// The kinds of tracks of a rank. Each kind has TracksPerKind numbers: one for every track that it needs.
enum class TrackKind : std::uint8_t { Compute, Communicate, Messages };
constexpr std::array<const char*, 3> TrackNames{"compute", "communicate", "messages"};
constexpr int TracksPerKind = 100;
constexpr int TracksPerRank = 1000;

/// Perfetto keeps 0 for the idle process.
int processOf(std::int32_t rank)
{
    return rank + 1;
}

struct Slice {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    TrackKind kind = TrackKind::Compute;
    std::string name;
    std::string arguments; ///< a JSON object
    std::size_t message = 0; ///< its place among the rank's messages, of TrackKind::Messages
};

TrackKind kindOf(Phase phase)
{
    return phase == Phase::Communicate || phase == Phase::Wait ? TrackKind::Communicate : TrackKind::Compute;
}

Slice sliceOf(const wire::SpanRow& row)
{
    std::string arguments = fmt::format("{{\"step\":{}", row.step);
    if (row.microBatch >= 0) {
        arguments += fmt::format(",\"micro_batch\":{}", row.microBatch);
    }
    return {
        row.startNs, row.startNs + row.durationNs, kindOf(row.phase), std::string(nameOf(row.phase)), arguments + '}'};
}

Slice sliceOf(const wire::TrafficRow& row, std::size_t place)
{
    const std::string name = row.from < 0 ? fmt::format("to rank {}", row.to)
        : row.to < 0                      ? fmt::format("from rank {}", row.from)
                                          : fmt::format("to rank {}, from rank {}", row.to, row.from);
    return {row.startNs, row.startNs + row.durationNs, TrackKind::Messages, name,
        fmt::format("{{\"step\":{},\"number\":{},\"bytes\":{}}}", row.step, row.number, row.bytes), place};
}

/// Puts slices on tracks within which they nest.
class TrackChooser {
public:
    /// In the order of their starts, the longer of two that start together first.
    [[nodiscard]] int choose(const Slice& slice)
    {
        std::vector<std::vector<std::int64_t>>& tracks = m_open[static_cast<std::size_t>(slice.kind)];
        for (std::size_t track = 0;; ++track) {
            if (track == tracks.size()) {
                tracks.emplace_back();
            }
            std::vector<std::int64_t>& ends = tracks[track];
            while (!ends.empty() && ends.back() <= slice.startNs) {
                ends.pop_back();
            }
            if (ends.empty() || slice.endNs <= ends.back()) {
                ends.push_back(slice.endNs);
                return static_cast<int>(track);
            }
        }
    }
    [[nodiscard]] std::size_t count(TrackKind kind) const { return m_open[static_cast<std::size_t>(kind)].size(); }

private:
    std::array<std::vector<std::vector<std::int64_t>>, TrackNames.size()> m_open; ///< ends of the slices under way
};

/// A rank's message and where it is in the trace.
struct Placed {
    std::int32_t rank = 0;
    int thread = 0;
    wire::TrafficRow row;
};

/// Messages from one rank to another within a step, in the order in which they were sent or received.
struct Link {
    std::vector<Placed> sent;
    std::vector<Placed> received;
};

int threadOf(std::int32_t rank, TrackKind kind, int track)
{
    return processOf(rank) * TracksPerRank + static_cast<int>(kind) * TracksPerKind
        + std::min(track, TracksPerKind - 1);
}

std::string jsonText(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A host's name as a name in the archive.
QString memberOf(const std::string& host)
{
    constexpr std::size_t MostBytes = 60;
    QString name;
    for (const char each : host.substr(0, MostBytes)) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '-';
        name += QLatin1Char(isPlain ? each : '-');
    }
    return (name.isEmpty() ? QStringLiteral("ranks") : name) + QStringLiteral(".json");
}

} // namespace

/// Writes the events of Chrome's JSON format.
class PerfettoTrace::Writer {
public:
    explicit Writer(std::int64_t firstNs)
        : m_firstNs(firstNs)
    { }

    void addRank(std::int32_t number, const Rank& rank)
    {
        metadata("process_name", number, 0, fmt::format("{{\"name\":\"rank {}\"}}", number));
        metadata("process_sort_index", number, 0, fmt::format("{{\"sort_index\":{}}}", number));
        std::vector<Slice> slices;
        for (const wire::SpanRow& row : rank.spans) {
            slices.push_back(sliceOf(row));
        }
        for (std::size_t i = 0; i < rank.messages.size(); ++i) {
            slices.push_back(sliceOf(rank.messages[i], i));
        }
        std::sort(slices.begin(), slices.end(),
            [](const Slice& a, const Slice& b) { return std::tie(a.startNs, b.endNs) < std::tie(b.startNs, a.endNs); });
        TrackChooser tracks;
        for (const Slice& slice : slices) {
            const int thread = threadOf(number, slice.kind, tracks.choose(slice));
            addSlice(number, thread, slice);
            if (slice.kind == TrackKind::Messages) {
                place(number, thread, rank.messages[slice.message]);
            }
        }
        nameTracks(number, tracks);
        for (const Counter& counter : rank.counters) {
            event("C", number, 0, counter.timeNs,
                fmt::format(",\"name\":{},\"args\":{{\"value\":{}}}", jsonText(counter.name), counter.value));
        }
        for (const Mark& mark : rank.marks) {
            event("i", number, threadOf(number, TrackKind::Compute, 0), mark.timeNs,
                fmt::format(",\"s\":\"p\",\"name\":{}", jsonText(mark.name)));
        }
    }

    /// An arrow for each message of which both ends were recorded. Messages are matched by their order, so where the
    /// number of those sent and received differs (records can be dropped under load) a step has no arrows.
    void addFlows()
    {
        int id = 0;
        for (const auto& [key, link] : m_links) {
            if (link.sent.size() != link.received.size()) {
                continue;
            }
            for (std::size_t i = 0; i < link.sent.size(); ++i) {
                const Placed& from = link.sent[i];
                const Placed& to = link.received[i];
                const std::int64_t arrivedNs = to.row.startNs + std::max<std::int64_t>(0, to.row.durationNs - 1);
                if (arrivedNs < from.row.startNs) {
                    continue;
                }
                ++id;
                const std::string tail = fmt::format(",\"cat\":\"message\",\"name\":\"message\",\"id\":{}", id);
                event("s", from.rank, from.thread, from.row.startNs, tail);
                event("f", to.rank, to.thread, arrivedNs, tail + ",\"bp\":\"e\"");
            }
        }
    }

    [[nodiscard]] QByteArray json(const std::string& otherData)
    {
        return QByteArray::fromStdString("{\"otherData\":" + otherData + ",\"traceEvents\":[" + m_events + "\n]}\n");
    }

private:
    void event(const char* phase, std::int32_t rank, int thread, std::int64_t timeNs, std::string_view rest)
    {
        const std::int64_t ns = timeNs - m_firstNs;
        fmt::format_to(std::back_inserter(m_events), "{}\n{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03}{}}}",
            m_events.empty() ? "" : ",", phase, processOf(rank), thread, ns / NsPerUs, ns % NsPerUs, rest);
    }
    void metadata(const char* name, std::int32_t rank, int thread, std::string_view arguments)
    {
        event("M", rank, thread, m_firstNs, fmt::format(",\"name\":\"{}\",\"args\":{}", name, arguments));
    }
    void addSlice(std::int32_t rank, int thread, const Slice& slice)
    {
        const std::int64_t ns = slice.endNs - slice.startNs;
        event("X", rank, thread, slice.startNs,
            fmt::format(",\"dur\":{}.{:03},\"name\":{},\"args\":{}", ns / NsPerUs, ns % NsPerUs, jsonText(slice.name),
                slice.arguments));
    }
    void nameTracks(std::int32_t rank, const TrackChooser& tracks)
    {
        for (std::size_t kind = 0; kind < TrackNames.size(); ++kind) {
            const auto count = static_cast<int>(tracks.count(static_cast<TrackKind>(kind)));
            for (int track = 0; track < std::min(count, TracksPerKind); ++track) {
                const std::string name
                    = track == 0 ? TrackNames[kind] : fmt::format("{} ({})", TrackNames[kind], track + 1);
                const int thread = threadOf(rank, static_cast<TrackKind>(kind), track);
                metadata("thread_name", rank, thread, fmt::format("{{\"name\":{}}}", jsonText(name)));
                metadata("thread_sort_index", rank, thread,
                    fmt::format("{{\"sort_index\":{}}}", static_cast<int>(kind) * TracksPerKind + track));
            }
        }
    }
    void place(std::int32_t rank, int thread, const wire::TrafficRow& row)
    {
        if (row.to >= 0) {
            m_links[{row.step, rank, row.to}].sent.push_back({rank, thread, row});
        }
        if (row.from >= 0) {
            m_links[{row.step, row.from, rank}].received.push_back({rank, thread, row});
        }
    }

    std::int64_t m_firstNs;
    std::string m_events;
    std::map<std::tuple<std::int64_t, std::int32_t, std::int32_t>, Link> m_links; ///< by step, sender, receiver
};

PerfettoTrace::PerfettoTrace(const analysis::RunRecord& record, std::int64_t firstStep)
    : m_run(record.id.text)
    , m_name(record.spec.name)
    , m_firstStep(firstStep)
{ }

void PerfettoTrace::add(const store::Delta& delta)
{
    for (const store::FromRank<wire::Hello>& each : delta.hellos) {
        m_hosts.insert(each.what.host);
        m_greeted.insert(each.rank);
    }
    for (const auto& [rank, sample] : delta.clocks) {
        m_clocks.add(sample.ranks, {sample.timeNs, sample.offsetNs, sample.errorNs}, sample.trips);
    }
    const auto keep = [this](const auto& batches, auto rowsOfRank) {
        for (const auto& batch : batches) {
            std::copy_if(batch.what.rows.begin(), batch.what.rows.end(),
                std::back_inserter(m_ranks[batch.rank].*rowsOfRank),
                [this](const auto& row) { return row.step >= m_firstStep; });
        }
    };
    keep(delta.spans, &Rank::spans);
    keep(delta.traffic, &Rank::messages);
    for (const store::FromRank<wire::StepBatch>& batch : delta.steps) {
        addSteps(batch.rank, batch.what);
    }
    for (const store::FromRank<wire::MemorySample>& each : delta.memory) {
        if (each.what.step >= m_firstStep) {
            m_ranks[each.rank].counters.push_back(
                {each.what.timeNs, "memory, bytes", static_cast<double>(each.what.residentBytes)});
        }
    }
    for (const store::FromRank<wire::Applied>& each : delta.applied) {
        if (each.what.step >= m_firstStep) {
            m_ranks[each.rank].marks.push_back({each.what.timeNs,
                fmt::format(
                    "{} (rank {}, value {})", commandName(each.what.command), each.what.rank, each.what.value)});
        }
    }
}

void PerfettoTrace::addSteps(std::int32_t rank, const wire::StepBatch& batch)
{
    std::vector<Counter>& counters = m_ranks[rank].counters;
    for (const StepRow& row : batch.rows) {
        if (row.step < m_firstStep) {
            continue;
        }
        if (std::isfinite(row.loss)) {
            counters.push_back({row.endNs, "loss", row.loss});
        }
        if (row.bytesSent >= 0) {
            counters.push_back({row.endNs, "bytes sent in the step", static_cast<double>(row.bytesSent)});
        }
    }
}

std::int64_t PerfettoTrace::firstNs() const
{
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    const auto look = [&first](const auto& rows, auto time) {
        for (const auto& row : rows) {
            first = std::min(first, row.*time);
        }
    };
    for (const auto& [number, rank] : m_ranks) {
        look(rank.spans, &wire::SpanRow::startNs);
        look(rank.messages, &wire::TrafficRow::startNs);
        look(rank.counters, &Counter::timeNs);
        look(rank.marks, &Mark::timeNs);
    }
    return first;
}

bool PerfettoTrace::areOnOneClock() const
{
    return m_hosts.size() < 2
        || std::ranges::all_of(m_greeted, [this](std::int32_t rank) { return m_clocks.at(rank, 0).has_value(); });
}

Result<QByteArray> PerfettoTrace::archive() const
{
    const std::string run = "run " + m_run;
    if (std::none_of(m_ranks.begin(), m_ranks.end(), [](const auto& each) { return !each.second.spans.empty(); })) {
        return refusal(run, LS_TR("Refusals", "has no spans to draw"));
    }
    if (!areOnOneClock()) {
        return refusal(run,
            LS_TR("Refusals", "ran on %1 hosts whose clocks were not compared; its times cannot be put on one axis"),
            {m_hosts.size()});
    }
    const std::string host = fmt::format("{}", fmt::join(m_hosts, ", "));
    const std::int64_t begin = firstNs();
    Writer writer(begin);
    for (const auto& [number, rank] : m_ranks) {
        writer.addRank(number, rank);
    }
    writer.addFlows();
    nlohmann::ordered_json other{
        {"run", m_run}, {"name", m_name}, {"clock", "CLOCK_MONOTONIC"}, {"first_event_ns", begin}};
    for (const analysis::HostClock& clock : m_clocks.others()) {
        other["clock_errors"].push_back({{"ranks", clock.ranks}, {"error_ns", clock.errorNs}});
    }
    nlohmann::ordered_json file{{"path", memberOf(host).toStdString()}};
    if (!host.empty()) {
        file["machine"] = {{"name", host}};
    }
    const nlohmann::ordered_json manifest{
        {"perfetto_manifest", {{"version", 1}, {"files", nlohmann::ordered_json::array({file})}}}};
    const std::array<archive::ZipInput, 2> members{{{"perfetto_manifest.json", manifest.dump()},
        {memberOf(host).toStdString(), writer.json(other.dump()).toStdString()}}};
    LOCKSTEP_TRY_ASSIGN(const std::string bytes, archive::zipped(members));
    return QByteArray::fromStdString(bytes);
}

} // namespace lockstep::exchange
