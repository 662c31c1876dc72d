#include "ui/export/report/report_templates.h"

#include "base/translate.h"
#include "ui/export/report/report_pictures.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace lockstep::ui {

namespace {

QStringList builtInNames()
{
    QStringList names;
    for (const std::string_view name : report::templateNames()) {
        names += QString::fromUtf8(name);
    }
    return names;
}

QFileInfoList ownFiles()
{
    return QDir(templateFolder()).entryInfoList({QStringLiteral("*.json")}, QDir::Files | QDir::Readable, QDir::Name);
}

Result<report::Template> readFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return refusal(
            path.toStdString(), LS_TR("Refusals", "cannot be read: %1"), {verbatim(file.errorString().toStdString())});
    }
    const auto ofFile = [&](const Error& error) {
        return refusal(
            path.toStdString() + (error.subject.empty() ? "" : ": " + error.subject), error.pattern, error.arguments);
    };
    auto made = report::parseTemplate(file.read(report::LongestTemplate + 1).toStdString());
    if (!made) {
        return ofFile(made.error());
    }
    if (const auto known = report::checkCharts(*made, reportChartNames()); !known) {
        return ofFile(known.error());
    }
    return made;
}

} // namespace

QString templateFolder()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("templates"));
}

QStringList templateChoices()
{
    QStringList choices = builtInNames();
    for (const QFileInfo& file : ownFiles()) {
        choices += file.absoluteFilePath();
    }
    return choices;
}

Result<report::Template> readTemplate(const QString& nameOrFile)
{
    QStringList names = builtInNames();
    if (names.contains(nameOrFile)) {
        return report::builtInTemplate(nameOrFile.toStdString());
    }
    for (const QFileInfo& own : ownFiles()) {
        if (own.completeBaseName() == nameOrFile) {
            return readFile(own.absoluteFilePath());
        }
        names += own.completeBaseName();
    }
    if (!QFileInfo(nameOrFile).isFile()) {
        return refusal(nameOrFile.toStdString(), LS_TR("Refusals", "is neither a template nor a file; templates: %1"),
            {verbatim(names.join(QStringLiteral(", ")).toStdString())});
    }
    return readFile(nameOrFile);
}

} // namespace lockstep::ui
