// index.sqlite: one row a run with its record and summary, so that thousands of runs are listed without opening their
// files. Can be deleted at any time. Private to the store.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "store/file/database.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::store {

class RunIndex {
public:
    /// Creates it if missing, brings one of an earlier version up to date; refuses a file of that name that is not ours
    /// or of a later version.
    [[nodiscard]] static Result<std::unique_ptr<RunIndex>> open(const QString& folder);

    /// Of a store that cannot be written; ends with this process.
    [[nodiscard]] static Result<std::unique_ptr<RunIndex>> inMemory();

    [[nodiscard]] Result<void> put(const analysis::RunRecord& record);
    [[nodiscard]] Result<void> erase(const RunId& id);
    /// Of all rows, without reading their specs.
    [[nodiscard]] Result<std::map<RunId, analysis::RunStatus>> statuses();
    /// Newest first.
    [[nodiscard]] Result<std::vector<analysis::RunRecord>> list();
    /// Whether another connection has written to it since the last call; false on the first.
    [[nodiscard]] bool hasChangedElsewhere();

private:
    explicit RunIndex(std::unique_ptr<Database> database);
    // A separate table, so that an earlier version can still use the index.
    [[nodiscard]] Result<void> putImported(const analysis::RunRecord& record);
    [[nodiscard]] Result<std::map<std::string, std::string>> imported();

    std::unique_ptr<Database> m_database;
    std::optional<int> m_version; ///< PRAGMA data_version at the last look
};

} // namespace lockstep::store
