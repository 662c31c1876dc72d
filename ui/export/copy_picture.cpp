#include "ui/export/copy_picture.h"

#include "ui/export/export_fields.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

namespace lockstep::ui {

namespace {

/// Fields with quotes keep them, as spreadsheets expect; a tab within one does not occur.
QByteArray withTabs(const QByteArray& csv)
{
    QByteArray text;
    bool isQuoted = false;
    for (const char each : csv) {
        isQuoted = each == '"' ? !isQuoted : isQuoted;
        text += each == ',' && !isQuoted ? '\t' : each;
    }
    return text.replace("\r\n", "\n");
}

} // namespace

std::unique_ptr<QMimeData> mimeOf(const Picture& picture, const PaperOptions& options)
{
    auto mime = std::make_unique<QMimeData>();
    if (const auto svg = render(picture, PaperFormat::Svg, options)) {
        mime->setData(QStringLiteral("image/svg+xml"), *svg);
    }
    mime->setImageData(renderImage(picture, options, options.dpi));
    QByteArray csv;
    if (const auto files = renderFiles(picture, PaperFormat::Csv, options, idOf(picture))) {
        for (const PaperFile& each : *files) {
            csv += (csv.isEmpty() ? "" : "\r\n") + each.bytes;
        }
    }
    mime->setData(QStringLiteral("text/csv"), csv);
    mime->setText(QString::fromUtf8(withTabs(csv)));
    return mime;
}

void copyPicture(const Picture& picture)
{
    PaperOptions options = ExportFields::remembered();
    options.specJson = specOf(picture);
    QGuiApplication::clipboard()->setMimeData(mimeOf(picture, options).release());
}

} // namespace lockstep::ui
