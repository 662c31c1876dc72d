// Opens a bundle that anyone may have written. Starts nothing.
#pragma once

#include "base/result.h"
#include "store/run_store.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace lockstep::exchange {

struct ImportedBundle {
    std::vector<RunId> runs; ///< new in the store, marked as imported
    std::vector<RunId> alreadyThere; ///< left as they are
    std::vector<QByteArray> specs{}; ///< the experiments, as JSON
    QStringList views{}; ///< names of those that are new in the store
    std::vector<Text> remarks{}; ///< on curves that are not whole
    std::vector<Error> refused{}; ///< of several files, those that could not be imported
};

/// Copies the runs of a bundle row by row into new files of the store, and its saved views, which get another name
/// where the store has one of theirs: all or, on an error, nothing. Refuses what ZipReader, openForeignRun() and
/// viewFileFrom() refuse, members that bundle.json does not name, bundles of a later version, and a bundle of which
/// every run and view is in the store already.
[[nodiscard]] Result<ImportedBundle> importBundle(store::RunStore& store, const QString& file);

/// By its first bytes, or else by its name.
[[nodiscard]] bool isBundle(const QString& file);
} // namespace lockstep::exchange
