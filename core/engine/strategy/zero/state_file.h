// A file for optimizer state that is read and written beside the computation. It has no name, so it vanishes with the
// process.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

#include <torch/types.h>

#include <cstdint>
#include <future>
#include <string>
#include <vector>

namespace lockstep::engine {

class StateFile {
public:
    /// With room for `bytes` on the disk of `folder`; empty: the system's folder for temporary files.
    [[nodiscard]] static Result<StateFile> create(std::string folder, std::int64_t bytes);

    /// Transfers the tensors one after the other, from `offset` on; they must not move until the future is ready.
    /// Returns the error, empty if none.
    [[nodiscard]] std::future<Result<void>> read(std::vector<torch::Tensor> to, std::int64_t offset) const;
    [[nodiscard]] std::future<Result<void>> write(std::vector<torch::Tensor> from, std::int64_t offset) const;

private:
    StateFile(Descriptor descriptor, std::string folder);

    Descriptor m_descriptor;
    std::string m_folder;
};

} // namespace lockstep::engine
