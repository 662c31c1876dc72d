// A data-parallel run over a ring as its ranks would send it: computing takes each rank a little different, exchanges
// wait for the neighbour as real ones do. Equal in every run of a test.
#pragma once

#include "experiment/spec.h"
#include "store/account/delta.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lockstep::test {

class RingRun {
public:
    static constexpr std::int64_t StartNs = 7'000'000'000;

    explicit RingRun(int ranks)
        : m_ranks(ranks)
        , m_free(static_cast<std::size_t>(ranks), StartNs)
    { }

    [[nodiscard]] analysis::RunRecord record(int number = 0) const
    {
        analysis::RunRecord record;
        record.id = RunId{"20261120-1300" + std::to_string(10 + number) + "-abcd"};
        record.createdNs = 1'800'000'000'000'000'000 + number;
        record.status = analysis::RunStatus::Running;
        const auto spec = experiment::parseRunSpec(
            R"({"version":1,"experiment":"aggregation","name":"Ring","base":{"strategy.name":"data","world_size":)"
            + std::to_string(m_ranks) + R"(,"aggregation.algorithm":"ring"}})");
        record.spec = spec ? *spec : experiment::RunSpec{};
        return record;
    }

    [[nodiscard]] store::Delta hello() const
    {
        store::Delta delta;
        for (int rank = 0; rank < m_ranks; ++rank) {
            wire::Hello hello;
            hello.rank = rank;
            hello.worldSize = m_ranks;
            delta.hellos.push_back({rank, hello});
            wire::Prepared facts;
            facts.trainSamples = 8000;
            facts.stepsPerEpoch = 125;
            facts.totalSteps = 625;
            delta.prepared.push_back({rank, facts});
        }
        return delta;
    }

    /// The next step. The rank `frozen` makes only `exchanges` of its exchanges: the others wait for it.
    [[nodiscard]] store::Delta step(bool isRecorded, int frozen = -1, int exchanges = 0)
    {
        ++m_step;
        store::Delta delta;
        store::Delta late; // waiting is separated from transferring only with all rows
        const auto p = static_cast<std::size_t>(m_ranks);
        const std::size_t count = 2 * (p - 1);
        std::vector<std::vector<std::int64_t>> own(p);
        std::vector<std::int64_t> arrival(p);
        for (std::size_t rank = 0; rank < p; ++rank) {
            own[rank] = {40'000, noisy(280'000), noisy(rank == 2 ? 640'000 : 520'000)};
            arrival[rank] = m_free[rank] + own[rank][0] + own[rank][1] + own[rank][2];
        }
        const std::int64_t last = *std::max_element(arrival.begin(), arrival.end());
        std::vector<wire::TrafficBatch> traffic(p);
        std::vector<std::int64_t> free = arrival;
        for (std::size_t number = 0; number < count; ++number) {
            const std::vector<std::int64_t> begin = free;
            for (std::size_t rank = 0; rank < p; ++rank) {
                const std::size_t previous = (rank + p - 1) % p;
                const bool isStuck
                    = frozen >= 0 && isBlocked(rank, number, static_cast<std::size_t>(frozen), exchanges);
                free[rank] = std::max(begin[rank], begin[previous]) + noisy(30'000);
                if (isRecorded && !isStuck) {
                    add(traffic[rank], rank, number, begin[rank], free[rank]);
                }
            }
        }
        for (std::size_t rank = 0; rank < p; ++rank) {
            finish(delta, late, rank, own[rank], {arrival[rank], last, free[rank]});
            if (traffic[rank].size() > 0) {
                delta.traffic.push_back({static_cast<std::int32_t>(rank), traffic[rank]});
            }
        }
        delta.append(m_late);
        m_late = late;
        return delta;
    }

    [[nodiscard]] store::Delta straggler(std::int32_t rank, double milliseconds) const
    {
        store::Delta delta;
        delta.applied.push_back({rank, {wire::Command::SetStraggler, m_step, m_free.front(), rank, milliseconds}});
        return delta;
    }

private:
    struct Times {
        std::int64_t arrival;
        std::int64_t last;
        std::int64_t end;
    };

    /// The frozen rank's messages do not reach the next one, whose messages then do not reach the one after it, ...
    [[nodiscard]] bool isBlocked(std::size_t rank, std::size_t number, std::size_t frozen, int exchanges) const
    {
        const auto p = static_cast<std::size_t>(m_ranks);
        const std::size_t behind = (rank + p - frozen) % p;
        return number >= static_cast<std::size_t>(exchanges) + behind;
    }

    std::int64_t noisy(std::int64_t ns)
    {
        return ns + std::uniform_int_distribution<std::int64_t>(0, ns / 4)(m_random);
    }

    void add(
        wire::TrafficBatch& batch, std::size_t rank, std::size_t number, std::int64_t begin, std::int64_t end) const
    {
        const auto p = static_cast<std::size_t>(m_ranks);
        batch.rows.push_back({m_step, static_cast<std::int64_t>(number), static_cast<std::int32_t>((rank + 1) % p),
            static_cast<std::int32_t>((rank + p - 1) % p), 407'080 / m_ranks, begin, end - begin});
    }

    void addSpan(wire::SpanBatch& batch, Phase phase, std::int64_t from, std::int64_t to) const
    {
        if (to > from) {
            batch.rows.push_back({m_step, phase, from, to - from});
        }
    }

    void finish(store::Delta& delta, store::Delta& late, std::size_t rank, const std::vector<std::int64_t>& own,
        const Times& times)
    {
        const auto number = static_cast<std::int32_t>(rank);
        const std::int64_t begin = m_free[rank];
        const std::int64_t end = times.end + noisy(70'000);
        wire::SpanBatch spans;
        addSpan(spans, Phase::Data, begin, begin + own[0]);
        addSpan(spans, Phase::Forward, begin + own[0], begin + own[0] + own[1]);
        addSpan(spans, Phase::Backward, begin + own[0] + own[1], times.arrival);
        addSpan(spans, Phase::Optimize, times.end, end);
        delta.spans.push_back({number, spans});
        wire::SpanBatch between;
        const std::int64_t last = std::min(times.last, times.end);
        addSpan(between, Phase::Wait, times.arrival, last);
        addSpan(between, Phase::Communicate, last, times.end);
        late.spans.push_back({number, between});
        delta.steps.push_back({number,
            {{{.step = m_step,
                .endNs = end,
                .wallNs = end - begin,
                .samples = m_step * 64,
                .batch = 64 / m_ranks,
                .loss = 2.3 / (1.0 + 0.02 * static_cast<double>(m_step)),
                .learningRate = 0.1,
                .bytesSent = 2 * (m_ranks - 1) * (407'080 / m_ranks),
                .phaseNs = {own[0], own[1], own[2], times.end - last, last - times.arrival, end - times.end, 0}}}}});
        m_free[rank] = end;
    }

    int m_ranks;
    std::int64_t m_step = 0;
    std::vector<std::int64_t> m_free; ///< when each rank begins its next step
    store::Delta m_late;
    std::mt19937 m_random{11};
};

} // namespace lockstep::test
