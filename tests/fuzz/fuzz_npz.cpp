// Zip archives of numpy's arrays: what the check before a run finds, and the images that a rank reads.
#include "fuzz.h"

#include "datasets/npz.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    writeFile("set.npz", std::span(data, size));
    const experiment::RunSpec run;
    const std::vector<std::string> files{workFolder() + "/set.npz"};
    const auto facts = datasets::npzFacts(run, files);
    const auto set = datasets::readNpz(run, files);
    require(facts.isOk() || !set.isOk(), "what can be read passes the check before it");
    if (!set) {
        return 0;
    }
    for (const datasets::LabelledBytes* part : {&set->train, &set->test}) {
        require(part->count > 0 && std::ssize(part->labels) == part->count, "there is a label for each image");
        require(std::ssize(part->pixels) == part->count * part->imageBytes(), "there are as many pixels as images");
        require(std::all_of(part->labels.begin(), part->labels.end(),
                    [&](std::uint8_t label) { return label < facts->classes; }),
            "every label is a class");
    }
    require(facts->trainSamples == set->train.count && facts->testSamples == set->test.count, "the counts are right");
    return 0;
}
