// Which curves of a reference file are a run's own series, by their names. Private to the folder.
#pragma once

#include "exchange/reference/reference_curves.h"

namespace lockstep::exchange {

/// Null: there is none.
struct CurveRoles {
    const ReferenceCurve* loss = nullptr; ///< on the training data
    const ReferenceCurve* accuracy = nullptr; ///< on the test data, a share
    const ReferenceCurve* testLoss = nullptr;
};

/// Names of PyTorch Lightning, Keras, Hugging Face and others: `loss`, `train/loss`, `train_loss_step`, `val_loss`,
/// `eval/accuracy`. `accuracy` beside `val_accuracy` is of the training data, as Keras has it; alone, of the test data.
[[nodiscard]] CurveRoles rolesOf(const std::vector<ReferenceCurve>& curves);

} // namespace lockstep::exchange
