#include "exchange/export/series_csv.h"

#include "analysis/table/text_table.h"
#include "experiment/value.h"

#include <QFileInfo>
#include <QSaveFile>

#include <cerrno>
#include <cmath>
#include <cstring>

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

Result<void> writeFile(const QString& path, const QByteArray& content)
{
    // A rename would put a file in the place of a device or a folder.
    if (const QFileInfo there(path); there.exists() && !there.isFile()) {
        return failure(LS_TR("Messages", "%1 cannot be written: it is not a file"), {verbatim(path.toStdString())});
    }
    QSaveFile file(path);
    errno = 0;
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush();
    // Of a full disk Qt only says "Unknown error".
    const int cause = errno;
    if (!isWritten || !file.commit()) {
        const std::string why = !isWritten && cause != 0 ? std::strerror(cause) : file.errorString().toStdString();
        return failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(path.toStdString()), verbatim(why)});
    }
    return {};
}

} // namespace lockstep::exchange
