#include "launch/own/own_program.h"

#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "launch/own/own_parameters.h"
#include "launch/own/python_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

/// Behind a launcher and its options (torchrun, accelerate launch, python3 -m torch.distributed.run); -1: none.
qsizetype launchedScript(const QStringList& words)
{
    const auto isScript = [](const QString& word) { return word.endsWith(u".py"_s) && QFileInfo(word).isFile(); };
    const auto found = std::find_if(words.begin() + 1, words.end(), isScript);
    return found == words.end() ? -1 : found - words.begin();
}

/// The place of a Python script among the words of a command; -1: there is none.
qsizetype scriptPlace(const QStringList& words)
{
    if (words.isEmpty() || words.front().endsWith(u".py"_s)) {
        return words.isEmpty() ? -1 : 0;
    }
    if (!startsPython(words)) {
        return launchedScript(words);
    }
    for (qsizetype i = 1; i < words.size(); ++i) {
        if (words[i] == u"-X"_s || words[i] == u"-W"_s) {
            ++i; // skips its value
        } else if (words[i] == u"-c"_s) {
            return -1;
        } else if (words[i] == u"-m"_s) {
            return launchedScript(words);
        } else if (!words[i].startsWith(u'-')) {
            return i;
        }
    }
    return -1;
}

QStringList wordList(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts) {
        list += QString::fromStdString(text);
    }
    return list;
}

QString shellQuoted(const QString& word)
{
    static const QRegularExpression plain(u"^[\\w@%+=:,./-]+$"_s, QRegularExpression::UseUnicodePropertiesOption);
    return plain.match(word).hasMatch() ? word : u'\'' + QString(word).replace(u"'"_s, u"'\\''"_s) + u'\'';
}

/// Of the folder with lockstep.py; in it is the module that Python imports first of all.
QString watchFolder(const QString& modules)
{
    return modules + u"/watch"_s;
}

/// Whether the file has this text: it is written where it has not.
bool holdsText(const QString& path, std::string_view content)
{
    const QByteArray text(content.data(), static_cast<qsizetype>(content.size()));
    QFile present(path);
    if (present.open(QIODevice::ReadOnly) && present.readAll() == text) {
        return true;
    }
    QSaveFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) && file.write(text) == text.size()
        && file.commit();
}

/// What torchrun sets, beside what all runs have; or, where the script makes its ranks, none of it.
void insertPlace(QProcessEnvironment& environment, const Rendezvous& where, std::int32_t rank, bool isMadeByScript)
{
    const QString ranks = QString::number(where.worldSize);
    const QString id = QString::fromStdString(where.run.text);
    for (const auto& [name, value] :
        std::initializer_list<std::pair<QString, QString>>{{u"LOCAL_WORLD_SIZE"_s, ranks}, {u"GROUP_RANK"_s, u"0"_s},
            {u"GROUP_WORLD_SIZE"_s, u"1"_s}, {u"ROLE_NAME"_s, u"default"_s}, {u"ROLE_RANK"_s, QString::number(rank)},
            {u"ROLE_WORLD_SIZE"_s, ranks}, {u"TORCHELASTIC_RESTART_COUNT"_s, u"0"_s},
            {u"TORCHELASTIC_MAX_RESTARTS"_s, u"0"_s}, {u"TORCHELASTIC_RUN_ID"_s, id}}) {
        isMadeByScript ? environment.remove(name) : environment.insert(name, value);
    }
    for (const QString& name : {u"RANK"_s, u"LOCAL_RANK"_s, u"WORLD_SIZE"_s, u"MASTER_ADDR"_s, u"MASTER_PORT"_s}) {
        if (isMadeByScript) {
            environment.remove(name);
        }
    }
    environment.insert(u"LOCKSTEP_WORLD"_s, isMadeByScript ? u"script"_s : u"given"_s);
}

bool hasOwnParameters(const experiment::RunSpec& run)
{
    return std::ranges::any_of(run.settings, [](const auto& each) { return experiment::isOwnParameter(each.first); });
}

/// Those of the run's settings that its command line takes, without the script asking us.
QString flagNames(const experiment::RunSpec& run)
{
    QStringList names;
    const auto own = hasOwnParameters(run) ? ownProgram(run) : Result<OwnProgram>(OwnProgram());
    if (own && !own->script.isEmpty()) {
        for (const OwnParameter& each : flagParameters(own->script, own->words)) {
            names += QString::fromStdString(each.name).section(u'.', 1);
        }
    }
    return names.join(u',');
}

QJsonObject ownJson(const experiment::RunSpec& run)
{
    QJsonObject json;
    for (const auto& [name, value] : run.settings) {
        if (!experiment::isOwnParameter(name)) {
            continue;
        }
        QJsonValue entry;
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            entry = qint64{*whole};
        } else if (const auto* number = std::get_if<double>(&value)) {
            entry = *number;
        } else if (const auto* flag = std::get_if<bool>(&value)) {
            entry = *flag;
        } else {
            entry = QString::fromStdString(experiment::toText(value));
        }
        json.insert(QString::fromStdString(name).section(u'.', 1), entry);
    }
    return json;
}

} // namespace

bool isOwnProgram(const experiment::RunSpec& run)
{
    return is(run, experiment::Strategy::Own);
}

Result<QString> startableProgram(const std::string& subject, const QString& word)
{
    const QFileInfo file(word);
    const bool isFile = file.isFile() && file.isExecutable();
    QString program = !word.contains(u'/') ? QStandardPaths::findExecutable(word)
        : isFile                           ? file.absoluteFilePath()
                                           : QString();
    if (program.isEmpty()) {
        return refusal(subject,
            LS_TR("Refusals", "%1 is not a program that can be started: it is neither in PATH nor an executable file"),
            {verbatim(word.toStdString())});
    }
    return program;
}

Result<OwnProgram> ownProgram(const experiment::RunSpec& run)
{
    LOCKSTEP_TRY_ASSIGN(const auto texts, experiment::programWords(run.settings->rank.program));
    const QStringList words = wordList(texts);
    const qsizetype script = scriptPlace(words);
    OwnProgram own;
    LOCKSTEP_TRY_ASSIGN(own.program, startableProgram(nameOf(&experiment::RankSettings::program), words.front()));
    own.words = words.mid(1);
    own.arguments = own.words;
    own.script = script < 0 ? QString() : words[script];
    if (!own.script.isEmpty() && !QFileInfo(own.script).isFile()) {
        return refusal(nameOf(&experiment::RankSettings::program), LS_TR("Refusals", "there is no file %1"),
            {verbatim(own.script.toStdString())});
    }
    if (!own.script.isEmpty() && hasOwnParameters(run)) {
        own.arguments += flagsOf(run, flagParameters(own.script, own.words));
    }
    return own;
}

QStringList commandWords(const std::string& command)
{
    const auto texts = experiment::programWords(command);
    return texts ? wordList(*texts) : QStringList();
}

bool startsPython(const QStringList& words)
{
    static const QRegularExpression python(u"^python[0-9.]*$"_s);
    return !words.isEmpty() && python.match(QFileInfo(words.front()).fileName()).hasMatch();
}

QString fileOfWord(const QStringList& words, qsizetype place)
{
    const bool isModule = place > 0 && words[place - 1] == u"-m"_s;
    return isModule ? QString(words[place]).replace(u'.', u'/') + u".py"_s : words[place];
}

std::string withAbsoluteScript(const std::string& command)
{
    QStringList words = commandWords(command);
    if (words.isEmpty()) {
        return command;
    }
    bool isChanged = false;
    for (const qsizetype place : {qsizetype{words.front().contains(u'/') ? 0 : -1}, scriptPlace(words)}) {
        if (place >= 0 && !QFileInfo(words[place]).isAbsolute() && QFileInfo(words[place]).isFile()) {
            words[place] = QDir::cleanPath(QFileInfo(words[place]).absoluteFilePath());
            isChanged = true;
        }
    }
    if (!isChanged) {
        return command;
    }
    for (QString& word : words) {
        word = shellQuoted(word);
    }
    return words.join(u' ').toStdString();
}

QString pythonFolder(const QString& storeFolder)
{
    const QString folder = QDir(storeFolder).absoluteFilePath(u"python"_s);
    const bool areThere = holdsText(folder + u"/lockstep.py"_s, lockstepModule())
        && holdsText(watchFolder(folder) + u"/sitecustomize.py"_s, watcherModule());
    return areThere ? folder : QString();
}

QProcessEnvironment ownEnvironment(const Rendezvous& where, const experiment::RunSpec& run, std::int32_t rank,
    const QString& modules, int controlMemory)
{
    QProcessEnvironment environment = rankEnvironment(where, run, rank);
    insertPlace(environment, where, rank, where.isMadeByScript);
    environment.insert(u"PYTHONUNBUFFERED"_s, u"1"_s);
    environment.insert(
        u"LOCKSTEP_PARAMETERS"_s, QString::fromUtf8(QJsonDocument(ownJson(run)).toJson(QJsonDocument::Compact)));
    environment.insert(u"LOCKSTEP_SEED"_s, QString::number(run.settings->train.seed));
    environment.insert(u"LOCKSTEP_FLAGS"_s, flagNames(run));
    environment.remove(u"LOCKSTEP_RECORD"_s);
    if (controlMemory >= 0) {
        environment.insert(u"LOCKSTEP_BOARD"_s, QString::number(controlMemory));
    }
    const bool isWatched = is(run, experiment::Watch::Auto);
    isWatched ? environment.insert(u"LOCKSTEP_WATCH"_s, u"auto"_s) : environment.remove(u"LOCKSTEP_WATCH"_s);
    if (!modules.isEmpty()) {
        const QString others = environment.value(u"PYTHONPATH"_s);
        const QString ours = isWatched ? watchFolder(modules) + u':' + modules : modules;
        environment.insert(u"PYTHONPATH"_s, others.isEmpty() ? ours : ours + u':' + others);
    }
    return environment;
}

} // namespace lockstep::launch
