// The files of a checkpoint: written whole or not at all, and read with suspicion. Private to core/engine/run.
#pragma once

#include "engine/run/files/tensor_file.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// What the names of a file's tensors begin with.
inline constexpr std::string_view WeightsPrefix = "weights/";
inline constexpr std::string_view PiecesPrefix = "pieces/"; ///< where a part of a weight lies in the whole of it
inline constexpr std::string_view ShapesPrefix = "shapes/"; ///< of weights of which each rank has some elements

/// What a checkpoint says of itself.
struct Manifest {
    struct File {
        std::string name;
        FileSum sum;
        int keeper = 0; ///< the lowest rank whose file lies in the same folder
    };

    std::int64_t step = 0;
    std::string specJson; ///< of the run that made it
    std::vector<File> files; ///< by rank
    std::string data{}; ///< dataIdentity(); empty where the data could not be read again
    /// Of the rank that wrote it, from the run's first step to this one, without pauses; -1 if not known, as in earlier
    /// versions.
    std::int64_t trainedNs = -1;

    /// Whether the ranks have written to several folders, each of which has this manifest and some of the files.
    [[nodiscard]] bool isApart() const;
};

/// `<folder>/step-00000500`
[[nodiscard]] std::string checkpointFolder(const std::string& folder, std::int64_t step);

[[nodiscard]] Result<void> writeManifestFile(const std::string& folder, const Manifest& manifest);
[[nodiscard]] Result<Manifest> readManifest(const std::string& folder);
/// Checks size and hash, and that every tensor lies within the file.
[[nodiscard]] Result<Tensors> readTensors(const std::string& folder, const Manifest::File& file);
/// The tensors of `rank`, if every file that it needs matches the manifest: all, or where they are apart its own. Reads
/// each file once.
[[nodiscard]] Result<Tensors> readWhole(const std::string& folder, const Manifest& manifest, int rank = 0);

/// Of a folder, by step; a complete one has its manifest.
[[nodiscard]] std::vector<std::string> checkpointsIn(const std::string& folder);
/// The newest complete one for `rank` in the same folder before `checkpoint`, which need not exist; empty if none.
[[nodiscard]] std::string wholeOneBefore(const std::string& checkpoint, int rank);

} // namespace lockstep::engine
