// Checkpoints: the first byte of the input chooses the strategy of the run that made it, or that the rest is the
// manifest; the rest is a rank's file of tensors, under a manifest whose checksums fit.
#include "fuzz.h"

#include "base/checkpoint_names.h"
#include "engine/memory/memory_books.h"
#include "engine/run/files/checkpoint_files.h"
#include "engine/run/files/joined_weights.h"

#include <array>

using namespace lockstep;
using namespace lockstep::fuzz;

namespace {

struct Kind {
    const char* settings; ///< of the run
    std::size_t ranks;
};

constexpr auto Format = engine::WeightsFormat::Safetensors;
constexpr std::array Kinds{Kind{R"("strategy.name":"single")", 1}, Kind{R"("strategy.name":"zero","world_size":2)", 2},
    Kind{R"("strategy.name":"pipeline","pipeline.stages":2)", 2}, Kind{R"("strategy.name":"local","world_size":2)", 2},
    Kind{R"("strategy.name":"tensor","tensor.size":2)", 2}};

void readTensorsOf(const Kind& kind, std::span<const std::uint8_t> bytes)
{
    const std::string name = checkpointFileName(0);
    writeFile(name, bytes);
    const auto sum = engine::sumOf(workFolder() + "/" + name);
    require(sum.isOk(), "the file that was just written can be described");
    const std::string run = std::string(R"({"version":1,"experiment":"optimizers","base":{)") + kind.settings + "}}";
    const engine::Manifest manifest{1, run, std::vector(kind.ranks, engine::Manifest::File{name, *sum}), {}};
    require(engine::writeManifestFile(workFolder(), manifest).isOk(), "the manifest can be written");
    static_cast<void>(engine::joinWeights(workFolder(), workFolder() + "/joined", Format));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    engine::installCountingAllocator(); // as a run that resumes has it
    if (size == 0) {
        return 0;
    }
    const std::span<const std::uint8_t> rest = std::span(data, size).subspan(1);
    if (data[0] % (Kinds.size() + 1) < Kinds.size()) {
        readTensorsOf(Kinds[data[0] % (Kinds.size() + 1)], rest);
        return 0;
    }
    writeFile(CheckpointManifest, rest);
    const auto manifest = engine::readManifest(workFolder());
    if (manifest) {
        static_cast<void>(engine::readWhole(workFolder(), *manifest));
        static_cast<void>(engine::joinWeights(workFolder(), workFolder() + "/joined", Format));
    }
    return 0;
}
