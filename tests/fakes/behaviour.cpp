#include "fakes/behaviour.h"

#include <charconv>
#include <csignal>

namespace lockstep::fakes {

namespace {

struct Entry {
    std::string_view key;
    std::string_view value;
};

template <typename T>
bool readNumber(std::string_view text, T& number)
{
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc{} && end == text.data() + text.size();
}

bool readStep(std::string_view text, std::optional<std::int64_t>& step)
{
    step.emplace();
    return readNumber(text, *step);
}

/// `17:9`, or `17` alone for the number given.
bool readAt(std::string_view text, int numberIfNone, std::optional<At>& at)
{
    const std::size_t colon = text.find(':');
    at = At{0, numberIfNone};
    return readNumber(text.substr(0, colon), at->step)
        && (colon == std::string_view::npos || readNumber(text.substr(colon + 1), at->number));
}

bool setFlag(std::string_view value, bool& flag, bool to)
{
    flag = to;
    return value.empty();
}

/// Known and well-formed?
bool applyShape(const Entry& entry, Behaviour& b, bool& isKnown)
{
    isKnown = true;
    const auto& [key, value] = entry;
    if (key == "steps") {
        return readNumber(value, b.steps);
    }
    if (key == "rate") {
        return readNumber(value, b.rate);
    }
    if (key == "batch") {
        return readNumber(value, b.batch) && b.batch > 0;
    }
    if (key == "train") {
        return readNumber(value, b.trainSamples) && b.trainSamples > 0;
    }
    if (key == "test") {
        return readNumber(value, b.testSamples);
    }
    if (key == "evaluate") {
        return readNumber(value, b.evaluateEvery);
    }
    if (key == "log") {
        return readNumber(value, b.logEvery);
    }
    if (key == "spans") {
        return setFlag(value, b.sendsSpans, true);
    }
    if (key == "rank") {
        return readNumber(value, b.onlyRank);
    }
    isKnown = false;
    return false;
}

bool applyFault(const Entry& entry, Behaviour& b, bool& isKnown)
{
    isKnown = true;
    const auto& [key, value] = entry;
    if (key == "delay_ms") {
        return readNumber(value, b.delayMs);
    }
    if (key == "prepare_ms") {
        return readNumber(value, b.prepareMs);
    }
    if (key == "kill") {
        return readAt(value, SIGKILL, b.kill);
    }
    if (key == "exit") {
        return readAt(value, 1, b.exit);
    }
    if (key == "garbage") {
        return readStep(value, b.garbage);
    }
    if (key == "oversize") {
        return readStep(value, b.oversize);
    }
    if (key == "nan") {
        return readStep(value, b.nan);
    }
    if (key == "fail") {
        return readStep(value, b.fail);
    }
    if (key == "hang") {
        return readStep(value, b.hang);
    }
    if (key == "freeze") {
        return readStep(value, b.freeze);
    }
    if (key == "stranger") {
        b.stranger = value;
        return !value.empty();
    }
    isKnown = false;
    return false;
}

bool applyHabit(const Entry& entry, Behaviour& b, bool& isKnown)
{
    isKnown = true;
    const auto& [key, value] = entry;
    if (key == "refuse") {
        return setFlag(value, b.refuses, true);
    }
    if (key == "refuse_data") {
        return setFlag(value, b.refusesData, true);
    }
    if (key == "ignore_stop") {
        return setFlag(value, b.ignoresStop, true);
    }
    if (key == "ignore_term") {
        return setFlag(value, b.ignoresTerm, true);
    }
    if (key == "no_goodbye") {
        return setFlag(value, b.saysGoodbye, false);
    }
    if (key == "no_connect") {
        return setFlag(value, b.connects, false);
    }
    if (key == "linger") {
        return setFlag(value, b.lingers, true);
    }
    if (key == "strangers") {
        return setFlag(value, b.bringsStrangers, true);
    }
    isKnown = false;
    return false;
}

/// The same run without anything that is wrong with it.
Behaviour goodPartOf(const Behaviour& b)
{
    Behaviour good;
    good.steps = b.steps;
    good.rate = b.rate;
    good.batch = b.batch;
    good.trainSamples = b.trainSamples;
    good.testSamples = b.testSamples;
    good.evaluateEvery = b.evaluateEvery;
    good.logEvery = b.logEvery;
    good.sendsSpans = b.sendsSpans;
    good.onlyRank = b.onlyRank;
    return good;
}

} // namespace

Result<Behaviour> parseBehaviour(std::string_view text, std::int32_t rank)
{
    Behaviour behaviour;
    while (!text.empty()) {
        const std::string_view item = text.substr(0, text.find(','));
        text.remove_prefix(std::min(item.size() + 1, text.size()));
        if (item.empty()) {
            continue;
        }
        const std::size_t equals = item.find('=');
        const Entry entry{
            item.substr(0, equals), equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1)};
        bool isDone = false;
        for (auto* apply : {applyShape, applyFault, applyHabit}) {
            bool isKnown = false;
            isDone = isDone || apply(entry, behaviour, isKnown);
            if (isKnown && !isDone) {
                return Error{"LOCKSTEP_FAKE: bad value in " + std::string(item)};
            }
        }
        if (!isDone) {
            return Error{"LOCKSTEP_FAKE: nothing is called " + std::string(entry.key)};
        }
    }
    const bool isGood = behaviour.onlyRank >= 0 && behaviour.onlyRank != rank;
    return isGood ? goodPartOf(behaviour) : behaviour;
}

} // namespace lockstep::fakes
