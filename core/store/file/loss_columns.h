// The loss of each whole step as columns of a run's file, so that a long run is drawn before its rows are read, and a
// pyramid of its lowest and highest values, from which a very long one is drawn at once. Private to the store.
#pragma once

#include "store/account/run_account.h"
#include "store/file/database.h"

#include <cstddef>
#include <optional>

namespace lockstep::store {

/// Adds to the file of a run that is written. A run of fewer steps than a chunk has no such columns.
class LossColumns {
public:
    /// Creates the tables.
    [[nodiscard]] static Result<void> create(Database& file);

    /// In the transaction that writes the Delta.
    [[nodiscard]] Result<void> add(Database& file, const Delta& delta);
    /// In the run's last transaction: what the last chunk lacks.
    [[nodiscard]] Result<void> finish(Database& file);
    /// After a failed transaction: the columns end with what was written before.
    void stop() { m_isStopped = true; }

private:
    [[nodiscard]] Result<void> write(Database& file);

    RunAccount m_account{RunAccount::Curves::Loss};
    bool m_hasChunks = false;
    bool m_isStopped = false;
};

/// Of each `width` points of a curve the lowest and the highest, and one that is not finite: its outline.
[[nodiscard]] analysis::Curve outlineOf(const analysis::Curve& curve, std::size_t width);

/// The level of the pyramid that shows what a screen can. Nothing if the run is so short that its columns are read as
/// fast, or its file of an earlier version.
[[nodiscard]] Result<std::optional<StoredLoss>> readLossOutline(Database& file);
/// Empty if the run is short, or its file of an earlier version.
[[nodiscard]] Result<analysis::Curve> readLossColumns(Database& file);

} // namespace lockstep::store
