#include "exchange/export/series_csv.h"

#include "analysis/table/text_table.h"
#include "base/draft_folder.h"
#include "experiment/value.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cmath>

#include <fcntl.h>

namespace lockstep::exchange {

namespace {

QByteArray quoted(const std::string& text)
{
    return QByteArray::fromStdString(analysis::csvCell(text));
}

QByteArray number(double value)
{
    return std::isfinite(value) ? QByteArray::fromStdString(experiment::toText(value)) : QByteArray();
}

void append(QByteArray& csv, const analysis::RunRecord& run, const std::string& series, const analysis::Curve& curve)
{
    const QByteArray head = quoted(run.id.text) + ',' + quoted(run.label.empty() ? run.spec.name : run.label) + ','
        + QByteArray::number(run.spec.repeat) + ',' + quoted(series) + ',';
    for (std::size_t i = 0; i < curve.step.size(); ++i) {
        csv += head + QByteArray::number(static_cast<qlonglong>(curve.step[i])) + ',' + number(curve.epoch[i]) + ','
            + number(curve.seconds[i]) + ',' + number(curve.value[i]) + ',' + quoted(run.importedFrom) + "\r\n";
    }
}

} // namespace

QByteArray seriesCsv(std::span<const analysis::RunRecord> runs)
{
    QByteArray csv = "run,name,repeat,series,step,epoch,seconds,value,imported_from\r\n";
    for (const analysis::RunRecord& run : runs) {
        append(csv, run, "loss", run.loss);
        append(csv, run, "accuracy", run.accuracy);
        for (const auto& [name, curve] : run.metrics) {
            append(csv, run, name, curve);
        }
    }
    return csv;
}

Result<void> writeWhole(const QString& path, const QByteArray& content)
{
    const Descriptor file(uninterrupted(
        [&] { return ::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); }));
    return file.isOpen() && writeAll(file.number(), {content.constData(), static_cast<std::size_t>(content.size())})
        ? Result<void>()
        : failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(path.toStdString()), systemError()});
}

Result<void> writeFile(const QString& path, const QByteArray& content)
{
    // A rename would put a file in the place of a device or a folder, or of a link.
    const QFileInfo there(path);
    if (there.exists() && !there.isFile()) {
        return failure(LS_TR("Messages", "%1 cannot be written: it is not a file"), {verbatim(path.toStdString())});
    }
    const QString target = there.exists() ? there.canonicalFilePath() : there.absoluteFilePath();
    const auto draft = DraftFolder::makeBeside(target.toStdString());
    if (!draft) {
        return failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(path.toStdString()), draft.error()});
    }
    const std::string name = "file";
    const QString part = QString::fromStdString(draft->file(name));
    if (const auto written = writeWhole(part, content); !written) {
        return failureOf(edited(written.error(),
            [&](std::string& text) { text = text == part.toStdString() ? path.toStdString() : text; }));
    }
    if (there.exists()) {
        QFile::setPermissions(part, there.permissions());
    }
    return draft->publish(name, target.toStdString());
}

} // namespace lockstep::exchange
