// What is known of each data set before its files are read.
#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/json_values.h"
#include "experiment/spec.h"
#include "experiment/text_windows.h"

#include <array>

namespace lockstep::experiment {

namespace {

struct KnownFacts {
    DataSet name;
    DataFacts facts;
};

/// Of the others: ten classes, grey, 28 x 28.
constexpr std::array Known{KnownFacts{DataSet::Digits, {10, 1, 28, 28, 8000, 2000}},
    KnownFacts{DataSet::Cifar10, {10, 3, 32, 32, 0, 0}}, KnownFacts{DataSet::Cifar100, {100, 3, 32, 32, 0, 0}}};
constexpr std::int64_t CoarseClasses = 20;

DataFacts knownFactsOf(const RunSpec& run)
{
    DataFacts facts;
    for (const KnownFacts& each : Known) {
        if (is(run, each.name)) {
            facts = each.facts;
        }
    }
    if (is(run, DataSet::Cifar100) && is(run, ImageLabels::Coarse)) {
        facts.classes = CoarseClasses;
    }
    return facts;
}

/// If the spec asks for all and no file has to be read.
TextWindows allSamples(const RunSpec& run)
{
    if (is(run, DataSet::Text)) {
        return run.settings->dataset.path.empty() ? textWindows(BuiltInTextBytes, run.settings->net.context)
                                                  : TextWindows{};
    }
    const DataFacts facts = dataFactsOf(run);
    return {facts.trainSamples, facts.testSamples};
}

/// Name in JSON and member.
struct FactRow {
    const char* name;
    std::int64_t DataFacts::*member;
    std::int64_t least;
    std::int64_t most;
};

constexpr std::array Facts{FactRow{"classes", &DataFacts::classes, 1, MostClasses},
    FactRow{"channels", &DataFacts::channels, 1, MostChannels}, FactRow{"rows", &DataFacts::rows, 1, MostSide},
    FactRow{"columns", &DataFacts::columns, 1, MostSide},
    FactRow{"train_samples", &DataFacts::trainSamples, 0, INT64_MAX},
    FactRow{"test_samples", &DataFacts::testSamples, 0, INT64_MAX}};

} // namespace

bool DataFacts::hasSameNetAs(const DataFacts& other) const
{
    return classes == other.classes && channels == other.channels && rows == other.rows && columns == other.columns;
}

DataFacts dataFactsOf(const RunSpec& run)
{
    return run.data ? *run.data : knownFactsOf(run);
}

std::int64_t knownTrainSamples(const RunSpec& run)
{
    const std::int64_t asked = run.settings->dataset.trainSamples;
    return asked == 0 ? allSamples(run).train : asked;
}

std::int64_t knownTestSamples(const RunSpec& run)
{
    const std::int64_t asked = run.settings->dataset.testSamples;
    return asked == 0 ? allSamples(run).test : asked;
}

void addData(Json& json, const RunSpec& run)
{
    if (!run.data || run.data->hasSameNetAs(knownFactsOf(run))) {
        return;
    }
    Json& data = json["data"];
    for (const FactRow& row : Facts) {
        data[row.name] = (*run.data).*row.member;
    }
}

Result<void> readData(const Json& json, RunSpec& run)
{
    const auto data = json.find("data");
    if (data == json.end()) {
        return {};
    }
    DataFacts facts;
    for (const FactRow& row : Facts) {
        const auto number = data->is_object() ? data->find(row.name) : data->end();
        const bool isNumber = number != data->end() && number->is_number_integer();
        const bool isSmall = isNumber && (!number->is_number_unsigned() || number->get<std::uint64_t>() <= INT64_MAX);
        if (!isSmall || number->get<std::int64_t>() < row.least || number->get<std::int64_t>() > row.most) {
            return refusal("spec", LS_TR("Refusals", "data.%1 is missing or not a whole number from %2 to %3"),
                {verbatim(row.name), row.least, row.most});
        }
        facts.*row.member = number->get<std::int64_t>();
    }
    run.data = facts;
    return {};
}

} // namespace lockstep::experiment
