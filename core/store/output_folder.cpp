#include "store/output_folder.h"

#include <QDir>

namespace lockstep::store {

QString outputFolderOf(const QString& storeFolder, const RunId& id)
{
    return QDir(storeFolder).absoluteFilePath(QString::fromStdString(id.text) + QStringLiteral(".output"));
}

QString outputFileOf(const QString& storeFolder, const RunId& id, std::int32_t rank)
{
    return outputFolderOf(storeFolder, id) + QStringLiteral("/rank%1.txt").arg(rank);
}

} // namespace lockstep::store
