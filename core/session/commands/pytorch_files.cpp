#include "session/commands/pytorch_files.h"

#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/command_of.h"
#include "session/commands/machine_facts.h"
#include "session/export/series_csv.h"
#include "session/session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QUuid>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr int FilesLimitMs = 600'000;

[[nodiscard]] Result<QByteArray> bytesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return Error{path.toStdString() + ": cannot be read: " + file.errorString().toStdString()};
    }
    return file.readAll();
}

/// What lockstep-rank writes for the script, below `name`.data.
[[nodiscard]] Result<std::vector<NewFile>> filesOfRank(const experiment::RunSpec& run, const QString& name)
{
    const QString program = findRankProgram();
    if (program.isEmpty()) {
        return Error{"there is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH: build it with ./run"};
    }
    const QTemporaryDir folder;
    if (!folder.isValid()) {
        return Error{"no temporary folder can be made: " + folder.errorString().toStdString()};
    }
    const QString spec = folder.filePath(u"spec.json"_s);
    LOCKSTEP_TRY(writeFile(spec, QByteArray::fromStdString(experiment::toJson(run))));
    const ProgramOutput output
        = outputOf(program, {u"--spec"_s, spec, u"--script-files"_s, folder.path()}, FilesLimitMs);
    if (output.exitCode != 0) {
        return Error{output.error.substr(output.error.starts_with("lockstep-rank: ") ? 15 : 0)};
    }
    std::vector<NewFile> files;
    for (const QString& each : QDir(folder.path()).entryList(QDir::Files, QDir::Name)) {
        LOCKSTEP_TRY_ASSIGN(auto bytes, bytesOf(folder.filePath(each)));
        files.push_back({name + u".data/"_s + each, std::move(bytes)});
    }
    return files;
}

} // namespace

Result<std::vector<NewFile>> pytorchFiles(const experiment::RunSpec& run, const QString& name, script::Reader reader)
{
    if (!script::isStem(name.toStdString())) {
        return refusal("--out",
            LS_TR("Refusals", "%1 is not a valid script name: use letters, digits, -, _ and .; it must end with .py"),
            {name.toStdString()});
    }
    LOCKSTEP_TRY(script::checkPytorch(run));
    LOCKSTEP_TRY_ASSIGN(auto files, filesOfRank(run, name));
    LOCKSTEP_TRY_ASSIGN(const auto json, [&]() -> Result<std::string> {
        for (const NewFile& file : files) {
            if (file.path.endsWith(u"/contents.json"_s)) {
                return file.bytes.toStdString();
            }
        }
        return Error{"lockstep-rank wrote no contents.json"};
    }());
    LOCKSTEP_TRY_ASSIGN(const auto contents, script::parseContents(json));
    const std::string text = script::pytorchScript(run, contents, name.toStdString(), reader);
    files.insert(files.begin(), NewFile{name + u".py"_s, QByteArray::fromStdString(text)});
    return files;
}

Result<void> writePytorch(const experiment::RunSpec& run, const QString& path, script::Reader reader)
{
    const QFileInfo file(path);
    if (file.suffix() != u"py"_s || (file.exists() && !file.isFile())) {
        return refusal("--out",
            LS_TR("Refusals", "%1 is not a valid script name: use letters, digits, -, _ and .; it must end with .py"),
            {path.toStdString()});
    }
    LOCKSTEP_TRY_ASSIGN(const auto files, pytorchFiles(run, file.completeBaseName(), reader));
    return writeFiles(file.absolutePath(), files, Existing::Replace);
}

QString scriptName(const experiment::RunSpec& run)
{
    static const QRegularExpression other(u"[^A-Za-z0-9_.-]+"_s);
    const QString name = QString::fromStdString(run.name).replace(other, u"-"_s);
    return name.isEmpty() ? u"script"_s : name;
}

Result<experiment::RunSpec> writeScriptRun(const experiment::RunSpec& run, const QString& folder)
{
    // Another run's script may still be running.
    const QString place
        = u"%1/%2/%3.py"_s.arg(folder, QUuid::createUuid().toString(QUuid::WithoutBraces), scriptName(run));
    LOCKSTEP_TRY(writePytorch(run, place, script::Reader::Workbench));
    LOCKSTEP_TRY_ASSIGN(const auto own, experiment::preset(experiment::OwnExperiment));
    LOCKSTEP_TRY_ASSIGN(const auto runs, experiment::expand(own));
    experiment::RunSpec script = runs.front();
    script.experiment = run.experiment;
    script.name = run.name + " in PyTorch";
    script.repeat = run.repeat;
    script.settings["strategy.name"] = std::string(experiment::nameOf(experiment::Strategy::Own));
    script.settings["rank.program"] = "python3 " + experiment::shellQuoted(place.toStdString());
    script.settings["world_size"] = std::int64_t{script::processesOf(run)};
    for (const char* same : {"train.seed", "rank.threads"}) {
        script.settings[same] = run.settings.at(same);
    }
    experiment::dropInapplicable(script);
    LOCKSTEP_TRY(experiment::validate(script));
    return script;
}

} // namespace lockstep::session
