// The loss of each whole step as columns of a run's file, so that a long run is drawn before its rows are read. Private
// to the store.
#pragma once

#include "session/run_account.h"
#include "session/store/database.h"

namespace lockstep::session {

/// Adds to the file of a run that is written. A run of fewer steps than a chunk has no such columns.
class LossColumns {
public:
    /// Creates the table.
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

/// Empty if the run is short, or its file of an earlier version.
[[nodiscard]] Result<analysis::Curve> readLossColumns(Database& file);

} // namespace lockstep::session
