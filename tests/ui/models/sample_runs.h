// Runs for tests of charts: rows as ranks send them, with losses that fall and are noisy, equal in every run of a test.
#pragma once

#include "ui/models/feeds/run_feed.h"
#include "ui/models/palette.h"

#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace lockstep::test {

/// Hands out what a test has put in.
class ScriptedSource : public store::DeltaSource {
public:
    explicit ScriptedSource(std::shared_ptr<std::deque<store::DeltaPtr>> deltas)
        : m_deltas(std::move(deltas))
    { }
    store::DeltaPtr take() override
    {
        if (m_deltas->empty()) {
            return nullptr;
        }
        const store::DeltaPtr next = m_deltas->front();
        m_deltas->pop_front();
        return next;
    }

private:
    std::shared_ptr<std::deque<store::DeltaPtr>> m_deltas;
};

/// One run and the hand that feeds it.
class SampleRun {
public:
    explicit SampleRun(const std::string& name, int number = 0, std::int64_t totalSteps = 1000)
        : m_deltas(std::make_shared<std::deque<store::DeltaPtr>>())
        , m_random(static_cast<unsigned>(number) + 1U)
        , m_number(number)
        , m_totalSteps(totalSteps)
    {
        analysis::RunRecord record;
        record.id = RunId{"20261120-1200" + std::to_string(10 + number) + "-abcd"};
        record.spec.experiment = "optimizers";
        record.spec.name = name;
        record.spec.settings["train.seed"] = std::int64_t{1};
        record.status = analysis::RunStatus::Running;
        makeFeed(record, number);
    }

    /// Before the first step: makes it another repeat of its variant.
    void setSeed(std::int64_t seed)
    {
        analysis::RunRecord record = feed->record();
        record.spec.settings["train.seed"] = seed;
        record.spec.repeat = static_cast<int>(seed) - 1;
        record.createdNs = seed;
        makeFeed(record, m_number);
    }

    /// Before the first step: other settings, under the same name.
    void setSpec(const experiment::RunSpec& spec)
    {
        analysis::RunRecord record = feed->record();
        const std::string name = record.spec.name;
        record.spec = spec;
        record.spec.name = name;
        makeFeed(record, m_number);
    }

    /// `count` more steps with these losses (by step, from 1).
    void addSteps(std::int64_t count, const std::function<double(std::int64_t)>& loss)
    {
        auto delta = std::make_shared<store::Delta>();
        wire::StepBatch batch;
        for (std::int64_t i = 0; i < count; ++i) {
            ++m_step;
            batch.rows.push_back({.step = m_step,
                .endNs = StartNs + m_step * StepNs,
                .wallNs = StepNs,
                .samples = m_step * 64,
                .batch = 64,
                .loss = loss(m_step),
                .learningRate = 0.1,
                .phaseNs = {20'000, 120'000, 200'000, 0, 0, 40'000, 0}});
        }
        delta->steps.push_back({0, batch});
        m_deltas->push_back(delta);
        feed->pull();
    }

    /// A loss as training has it: falls from 2.3 with the given time scale to a floor, with noise.
    void addNoisySteps(std::int64_t count, double scale, double floor)
    {
        std::normal_distribution<double> noise(0.0, 0.18);
        addSteps(count, [&](std::int64_t step) {
            const double mean = floor + (2.3 - floor) * std::exp(-static_cast<double>(step) / scale);
            return mean * std::exp(noise(m_random));
        });
    }

    void addEvaluation(double accuracy, double loss = 0.0)
    {
        auto delta = std::make_shared<store::Delta>();
        wire::Evaluation result;
        result.step = m_step;
        result.samples = m_step * 64;
        result.endNs = StartNs + m_step * StepNs;
        result.accuracy = accuracy;
        result.loss = loss;
        delta->evaluations.push_back({0, result});
        m_deltas->push_back(delta);
        feed->pull();
    }

    /// Anything else.
    void add(store::Delta delta)
    {
        m_deltas->push_back(std::make_shared<store::Delta>(std::move(delta)));
        feed->pull();
    }

    static constexpr std::int64_t StartNs = 5'000'000'000;
    static constexpr std::int64_t StepNs = 380'000;
    void end(analysis::RunStatus status)
    {
        auto delta = std::make_shared<store::Delta>();
        delta->statuses.push_back({status, {}, 0});
        m_deltas->push_back(delta);
        feed->pull();
    }

    std::unique_ptr<ui::RunFeed> feed;

private:
    void makeFeed(const analysis::RunRecord& record, int number)
    {
        feed = std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(m_deltas));
        feed->setLook(ui::lookOf(ui::PaletteName::Vibrant, static_cast<std::size_t>(number)));
        auto delta = std::make_shared<store::Delta>();
        wire::Hello hello;
        hello.worldSize = 1;
        delta->hellos.push_back({0, hello});
        wire::Prepared facts;
        facts.trainSamples = 8000;
        facts.stepsPerEpoch = 125;
        facts.totalSteps = m_totalSteps;
        delta->prepared.push_back({0, facts});
        m_deltas->push_back(delta);
        feed->pull();
    }

    std::shared_ptr<std::deque<store::DeltaPtr>> m_deltas;
    std::mt19937 m_random;
    int m_number = 0;
    std::int64_t m_totalSteps = 0;
    std::int64_t m_step = 0;
};

/// GD, SGD and Adam, as the preset's runs look.
inline std::vector<std::unique_ptr<SampleRun>> sampleRuns(std::int64_t steps = 625)
{
    std::vector<std::unique_ptr<SampleRun>> runs;
    const char* const names[] = {"GD", "SGD", "Adam"};
    const double scales[] = {0.35, 0.12, 0.05};
    const double floors[] = {0.28, 0.15, 0.06};
    for (int i = 0; i < 3; ++i) {
        auto run = std::make_unique<SampleRun>(names[i], i, steps);
        for (int epoch = 1; epoch <= 5; ++epoch) {
            run->addNoisySteps(steps / 5, scales[i] * static_cast<double>(steps), floors[i]);
            run->addEvaluation(0.97 - floors[i] / (0.8 + epoch));
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

inline std::vector<ui::RunFeed*> feedsOf(const std::vector<std::unique_ptr<SampleRun>>& runs)
{
    std::vector<ui::RunFeed*> feeds;
    for (const auto& run : runs) {
        feeds.push_back(run->feed.get());
    }
    return feeds;
}

} // namespace lockstep::test
