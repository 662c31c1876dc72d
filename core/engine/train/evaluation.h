// Accuracy and loss on the test set.
#pragma once

#include "engine/data/dataset.h"
#include "engine/net/net.h"

namespace lockstep::engine {

struct TestScore {
    double accuracy = 0.0; ///< 0 .. 1
    double loss = 0.0; ///< mean over the samples
};

/// In chunks, so that memory does not grow with the test set; without autograd.
[[nodiscard]] TestScore evaluate(Net& net, const LabelledImages& images);

} // namespace lockstep::engine
