// Without CUDA the data are where the net is: nothing is uploaded.
#include "engine/data/batch_uploads.h"

namespace lockstep::engine {

std::unique_ptr<BatchUploads> uploadsTo(torch::Device, const LabelledInputs&)
{
    return nullptr;
}

} // namespace lockstep::engine
