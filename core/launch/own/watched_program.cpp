#include "launch/own/watched_program.h"

#include "base/translate.h"
#include "launch/own/own_program.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

/// Of a file that the command names: a script is shorter.
constexpr qint64 LongestScript = 1 << 20;

/// Of the words that are files, and of the module behind -m; one after the other.
QString sourceText(const QStringList& words)
{
    QString text;
    for (qsizetype i = 0; i < words.size(); ++i) {
        QFile file(fileOfWord(words, i));
        const bool isProgram = i == 0 && !words[i].contains(u'/');
        if (!isProgram && QFileInfo(file).isFile() && file.open(QIODevice::ReadOnly)) {
            text += QString::fromUtf8(file.read(LongestScript)) + u'\n';
        }
    }
    return text;
}

/// torchrun and accelerate meet at a port that is always the same, unless they are asked for a free one.
bool usesLauncherPort(const QString& command)
{
    static const QRegularExpression launcher(
        u"(?:^|[\\s/;&])(?:torchrun|torch\\.distributed\\.(?:run|launch)|accelerate\\s+launch)(?=\\s|$)"_s);
    static const QRegularExpression free(
        u"--standalone|(?:--main[_-]process[_-]port|--master[_-]port|--rdzv[_-]endpoint)[= ](?:\\S*:)?0(?=\\s|$)"_s);
    return launcher.match(command).hasMatch() && !free.match(command).hasMatch();
}

/// In Python: os.environ["MASTER_PORT"] = ..., putenv, init_method="tcp://host:29500"; in a shell: MASTER_PORT=...
bool setsPort(const QString& text)
{
    static const QRegularExpression sets(u"environ\\s*\\[\\s*['\"]MASTER_PORT['\"]\\s*\\]\\s*=(?!=)"
                                         "|(?:setdefault|putenv)\\s*\\(\\s*['\"]MASTER_PORT['\"]"
                                         "|environ\\.update\\([^)]*MASTER_PORT"
                                         "|['\"]tcp://[^'\"]*:[0-9]*[1-9]"
                                         "|(?:^|[\\s;])MASTER_PORT="
                                         "|--(?:master|main[_-]process)[_-]port[= ]+[0-9]*[1-9]"
                                         "|--rdzv[_-]endpoint[= ]+\\S*:[0-9]*[1-9]"_s,
        QRegularExpression::MultilineOption);
    return sets.match(text).hasMatch();
}

} // namespace

bool makesItsRanks(const experiment::RunSpec& run)
{
    return isOwnProgram(run) && run.settings->rank.worldSize == 0;
}

std::optional<Text> whyNotWatched(const experiment::RunSpec& run)
{
    if (is(run, experiment::Watch::Off)) {
        return LS_TR("Messages", "it is not watched (rank.watch is off)");
    }
    static const QRegularExpression isolating(u"^-[A-Za-z]*[IES]"_s);
    const QStringList words = commandWords(run.settings->rank.program);
    const bool isPython = startsPython(words);
    for (qsizetype i = 1; isPython && i < words.size(); ++i) {
        const QString& word = words[i];
        if (word == u"-X"_s || word == u"-W"_s) {
            ++i; // skips its value
        } else if (!word.startsWith(u'-') || word == u"-c"_s || word == u"-m"_s) {
            break; // what follows is the script's
        } else if (isolating.match(word).hasMatch() && !word.startsWith(u"--"_s)) {
            return Text(LS_TR("Messages", "it cannot be watched: with %1 Python ignores PYTHONPATH"),
                {verbatim(word.toStdString())});
        }
    }
    return std::nullopt;
}

std::optional<Text> whyAlone(const experiment::RunSpec& run)
{
    if (!isOwnProgram(run)) {
        return std::nullopt;
    }
    const QStringList words = commandWords(run.settings->rank.program);
    const QString text = words.join(u' ') + u'\n' + sourceText(words);
    // Where a process is started for each rank, MASTER_PORT is ours, and a script that sets it anyway has its own.
    if (setsPort(text) || (makesItsRanks(run) && usesLauncherPort(text))) {
        return LS_TR("Messages", "the program sets MASTER_PORT itself, at which only one run at a time can meet");
    }
    if (makesItsRanks(run) && text.contains(u"init_rpc("_s)) {
        return LS_TR(
            "Messages", "ranks of the program that are called by RPC have no steps at whose end they could hold");
    }
    return std::nullopt;
}

} // namespace lockstep::launch
