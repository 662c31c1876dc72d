#include "ui/shell/temporary_store.h"

#include "laboratory/hand_in.h"

#include <QCoreApplication>
#include <QProcess>

namespace lockstep::ui {

Result<TemporaryStore> TemporaryStore::make()
{
    LOCKSTEP_TRY_ASSIGN(auto draft, DraftFolder::makeTemporary());
    return TemporaryStore(std::move(draft));
}

Result<TemporaryStore> TemporaryStore::ofHandIn(const QString& path)
{
    LOCKSTEP_TRY_ASSIGN(auto made, make());
    LOCKSTEP_TRY(laboratory::openHandIn(path, made.folder()));
    return made;
}

QString TemporaryStore::folder() const
{
    return QString::fromStdString(m_draft.file("store"));
}

bool openAnotherWindow(const QStringList& arguments)
{
    return QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments);
}

} // namespace lockstep::ui
