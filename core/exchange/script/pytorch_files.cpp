#include "exchange/script/pytorch_files.h"

#include "base/draft_folder.h"
#include "base/translate.h"
#include "datasets/registry.h"
#include "exchange/export/series_csv.h"
#include "experiment/choices.h"
#include "experiment/command_of.h"
#include "launch/machine/machine_facts.h"
#include "launch/ranks/rank_program.h"
#include "launch/session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUuid>

namespace lockstep::exchange {

namespace {

using namespace Qt::StringLiterals;

constexpr int FilesLimitMs = 600'000;

[[nodiscard]] Result<QByteArray> bytesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1: cannot be read: %2"),
            {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    }
    return file.readAll();
}

/// What lockstep-rank writes for the script, below `name`.data.
[[nodiscard]] Result<std::vector<NewFile>> filesOfRank(const experiment::RunSpec& run, const QString& name)
{
    const QString program = launch::findRankProgram();
    if (program.isEmpty()) {
        return launch::noRankProgram();
    }
    LOCKSTEP_TRY_ASSIGN(const DraftFolder draft, DraftFolder::makeTemporary());
    const QDir folder(QString::fromStdString(draft.path()));
    const QString spec = folder.filePath(u"spec.json"_s);
    LOCKSTEP_TRY(writeWhole(spec, QByteArray::fromStdString(experiment::toJson(run))));
    const launch::ProgramOutput output
        = launch::outputOf(program, {u"--spec"_s, spec, u"--script-files"_s, folder.path()}, FilesLimitMs);
    if (output.exitCode != 0) {
        const std::string& said = output.error;
        return failureOf(said.starts_with("lockstep-rank: ") ? verbatim(said.substr(15)) : output.error);
    }
    std::vector<NewFile> files;
    for (const QString& each : folder.entryList(QDir::Files, QDir::Name)) {
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
            {verbatim(name.toStdString())});
    }
    LOCKSTEP_TRY(script::checkPytorch(run));
    experiment::RunSpec described = run; // with the number of classes
    LOCKSTEP_TRY(datasets::describe(described));
    LOCKSTEP_TRY_ASSIGN(auto files, filesOfRank(run, name));
    LOCKSTEP_TRY_ASSIGN(const auto json, [&]() -> Result<std::string> {
        for (const NewFile& file : files) {
            if (file.path.endsWith(u"/contents.json"_s)) {
                return file.bytes.toStdString();
            }
        }
        return failure(LS_TR("Messages", "lockstep-rank wrote no contents.json"));
    }());
    LOCKSTEP_TRY_ASSIGN(auto contents, script::parseContents(json));
    LOCKSTEP_TRY_ASSIGN(contents.files, datasets::filesOf(described));
    for (const datasets::ChannelScale& channel : datasets::dataSetOf(described).scale) {
        contents.mean.push_back(channel.mean);
        contents.deviation.push_back(channel.deviation);
    }
    const std::string text = script::pytorchScript(described, contents, name.toStdString(), reader);
    files.insert(files.begin(), NewFile{name + u".py"_s, QByteArray::fromStdString(text)});
    return files;
}

Result<void> writePytorch(const experiment::RunSpec& run, const QString& path, script::Reader reader)
{
    const QFileInfo file(path);
    if (file.suffix() != u"py"_s || (file.exists() && !file.isFile())) {
        return refusal("--out",
            LS_TR("Refusals", "%1 is not a valid script name: use letters, digits, -, _ and .; it must end with .py"),
            {verbatim(path.toStdString())});
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
    script.settings.set(&experiment::RankSettings::strategy, experiment::Strategy::Own);
    script.settings.set(&experiment::RankSettings::program, "python3 " + experiment::shellQuoted(place.toStdString()));
    script.settings.set(&experiment::RankSettings::worldSize, script::processesOf(run));
    script.settings.set(&experiment::TrainSettings::seed, run.settings->train.seed);
    script.settings.set(&experiment::RankSettings::threads, run.settings->rank.threads);
    experiment::dropInapplicable(script);
    LOCKSTEP_TRY(experiment::validate(script));
    return script;
}

} // namespace lockstep::exchange
