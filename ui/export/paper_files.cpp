#include "ui/export/paper_files.h"

#include "exchange/export/series_csv.h"

#include <QFile>
#include <QFileInfo>

namespace lockstep::ui {

Result<QStringList> writePaperFiles(const QString& path, const std::vector<PaperFile>& files)
{
    QStringList paths{path};
    for (std::size_t i = 1; i < files.size(); ++i) {
        paths += QFileInfo(path).dir().filePath(files[i].name);
    }
    QStringList made;
    for (std::size_t i = files.size(); i-- > 0;) {
        const QString& each = paths[static_cast<qsizetype>(i)];
        const bool wasThere = QFile::exists(each);
        if (const auto written = exchange::writeFile(each, files[i].bytes); !written) {
            for (const QString& removed : made) {
                QFile::remove(removed);
            }
            return written.error();
        }
        if (!wasThere) {
            made += each;
        }
    }
    return paths;
}

} // namespace lockstep::ui
