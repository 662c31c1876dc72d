// What a PyTorch script needs to repeat a run: its initial weights, its order of samples, its generated images.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <string>

namespace lockstep::engine {

/// Writes raw little-endian files into `folder`, which is there:
///
///     weights.f32            every parameter in the order of net.parameters(), one after another
///     sizes.RANK.i32         samples of that rank in steps 1, 2, ...
///     order.RANK.i32         their indices, step after step
///     train_images.u8, train_labels.u8, test_images.u8, test_labels.u8     of the generated digits
///     contents.json          counts, which the script is written from (script/pytorch.h)
///
/// Images only. Error: data that cannot be read, more samples than a script should carry, a full disk.
[[nodiscard]] Result<void> writeScriptFiles(const experiment::RunSpec& run, const std::string& folder);

} // namespace lockstep::engine
