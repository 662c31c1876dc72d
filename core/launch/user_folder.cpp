#include "launch/user_folder.h"

#include "base/translate.h"

#include <QFile>

#include <sys/stat.h>
#include <unistd.h>

namespace lockstep::launch {

using namespace Qt::StringLiterals;

namespace {

/// Whether it is a folder, no link, of this user, that no other user can enter.
bool isPrivate(const QString& folder)
{
    struct stat status { };
    return lstat(QFile::encodeName(folder).constData(), &status) == 0 && S_ISDIR(status.st_mode)
        && status.st_uid == getuid() && (status.st_mode & 077U) == 0;
}

} // namespace

Result<QString> userPath(const QString& name, qsizetype longest)
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (!runtime.isEmpty() && QFile::encodeName(runtime + u'/' + name).size() <= longest && isPrivate(runtime)) {
        return runtime + u'/' + name;
    }
    const QString folder = u"/tmp/lockstep-"_s + QString::number(getuid());
    if (mkdir(QFile::encodeName(folder).constData(), 0700) != 0 && !isPrivate(folder)) {
        return failure(LS_TR("Messages", "%1 is not a folder that only this user can enter; remove it"),
            {verbatim(folder.toStdString())});
    }
    return folder + u'/' + name;
}

} // namespace lockstep::launch
