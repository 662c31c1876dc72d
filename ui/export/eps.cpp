#include "ui/export/eps.h"

#include "base/translate.h"

#include <QProcess>
#include <QStandardPaths>

#include <chrono>

namespace lockstep::ui {

namespace {

constexpr std::chrono::milliseconds Patience{30'000};
constexpr qsizetype LongestLine = 200; ///< of a comment; DSC allows 255

QByteArray commentsOf(const QString& specJson)
{
    const QByteArray json = specJson.simplified().toUtf8();
    QByteArray lines;
    for (qsizetype at = 0; at < json.size(); at += LongestLine) {
        lines += "%Lockstep-Spec: " + json.mid(at, LongestLine) + '\n';
    }
    return lines;
}

} // namespace

Result<QByteArray> epsFromPdf(const QByteArray& pdf, const QString& specJson)
{
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftops"));
    if (program.isEmpty()) {
        return refusal("--format",
            LS_TR("Refusals",
                "EPS is made by pdftops, which is not installed: install poppler-utils (apt-get install "
                "poppler-utils), "
                "or choose PDF"));
    }
    QProcess converter;
    converter.setStandardErrorFile(QProcess::nullDevice());
    converter.start(
        program, {QStringLiteral("-eps"), QStringLiteral("-level3"), QStringLiteral("-"), QStringLiteral("-")});
    converter.write(pdf);
    converter.closeWriteChannel();
    const bool isEnded = converter.waitForFinished(static_cast<int>(Patience.count()));
    QByteArray eps = converter.readAllStandardOutput();
    if (!isEnded || converter.exitStatus() != QProcess::NormalExit || converter.exitCode() != 0
        || !eps.startsWith("%!PS-Adobe")) {
        return refusal({}, LS_TR("Refusals", "pdftops could not turn the PDF into EPS: choose PDF"));
    }
    static constexpr QByteArrayView End = "%%EndComments";
    const auto at = eps.indexOf(End);
    return at < 0 ? eps : eps.insert(at, commentsOf(specJson));
}

} // namespace lockstep::ui
