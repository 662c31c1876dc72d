// Checks the pages of documentation: their links, their lengths, that each is found from the README and in the help,
// and that the commands in them have verbs, options and parameters that exist.
#include "program/programs.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

const QDir Source(QStringLiteral(LOCKSTEP_SOURCE_DIR));
const QString Docs = u"resources/docs/"_s;
const QStringList RootPages{u"README.md"_s, u"README.zh_CN.md"_s, u"ARCHITECTURE.md"_s, u"CONTRIBUTING.md"_s};

/// Made from tables, which tests of their own compare: in English only, and not in the help.
const QStringList MadePages{u"parameters.md"_s, u"laboratories.md"_s};

/// For those who change Lockstep: in English only, and linked from ARCHITECTURE.md.
const QStringList InnerPages{u"inside.md"_s, u"dependencies.md"_s};

QString textOf(const QString& page)
{
    QFile file(Source.filePath(page));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList manualPages()
{
    return QDir(Source.filePath(Docs)).entryList({u"*.md"_s}, QDir::Files);
}

QStringList allPages()
{
    QStringList pages = RootPages;
    for (const QString& name : manualPages()) {
        pages << Docs + name;
    }
    return pages;
}

/// Targets of links and pictures, without those of the web.
QStringList linksOf(const QString& text)
{
    static const QRegularExpression Link(u"\\]\\(([^)#\\s]+)[^)]*\\)"_s);
    QStringList targets;
    for (const auto& found : Link.globalMatch(text)) {
        if (!found.captured(1).contains(u"://"_s)) {
            targets << found.captured(1);
        }
    }
    return targets;
}

/// A Chinese character is 1 / 1.7 of an English word.
double wordsOf(QString text)
{
    static const QRegularExpression Chinese(u"[\\x{3000}-\\x{9fff}\\x{ff00}-\\x{ffef}]"_s);
    const auto characters = text.count(Chinese);
    text.replace(Chinese, u" "_s);
    return static_cast<double>(characters) / 1.7 + static_cast<double>(text.simplified().split(u' ').size());
}

QString printed(const QStringList& words)
{
    QProcess process;
    process.start(lockstep::tests::Lockstep, QStringList{u"--lang"_s, u"en"_s} + words);
    const bool isDone = process.waitForFinished(30000) && process.exitCode() == 0;
    return isDone ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

/// A command line of a page: `lockstep VERB ...`, in a block of code or within a line.
struct Command {
    QString verb;
    QString words;
};

QList<Command> commandsOf(const QString& text)
{
    static const QRegularExpression Line(u"(?<![\\w/])(?:build/bin/)?lockstep ([a-z]+)(?=[\\s`])([^`#\\n]*)"_s);
    static const QRegularExpression Code(u"`[^`\\n]+`|^    .+$"_s, QRegularExpression::MultilineOption);
    QList<Command> commands;
    for (const auto& code : Code.globalMatch(text)) {
        for (const auto& found : Line.globalMatch(code.captured() + u'\n')) {
            commands.append({found.captured(1), found.captured(2)});
        }
    }
    return commands;
}

/// Options that the help of the verb lacks, and parameters that no row has.
QStringList unknownIn(const Command& command, const QString& help, const QSet<QString>& parameters)
{
    static const QRegularExpression Option(u"(?<=\\s)--[a-z-]+"_s);
    static const QRegularExpression Setting(u"--(?:set|vary) \"?([a-z0-9_.]+)="_s);
    QStringList unknown;
    const QString words = command.words.section(u" -- "_s, 0, 0); // what follows is a user's own program
    for (const auto& found : Option.globalMatch(words)) {
        if (found.captured() != u"--lang"_s && !help.contains(found.captured())) {
            unknown << found.captured();
        }
    }
    for (const auto& found : Setting.globalMatch(words)) {
        if (!found.captured(1).startsWith(u"own."_s) && !parameters.contains(found.captured(1))) {
            unknown << found.captured(1);
        }
    }
    return unknown;
}

} // namespace

class TestPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linksLeadSomewhere()
    {
        for (const QString& page : allPages()) {
            const QString text = textOf(page);
            QVERIFY2(!text.isEmpty(), qPrintable(page));
            const QDir folder = QFileInfo(Source.filePath(page)).dir();
            for (const QString& link : linksOf(text)) {
                QVERIFY2(QFileInfo::exists(folder.filePath(link)), qPrintable(page + u": "_s + link));
                // The window's help has only the manual.
                QVERIFY2(!page.startsWith(Docs) || manualPages().contains(link), qPrintable(page + u": "_s + link));
            }
        }
    }

    /// Paths in the code of pages; CONTRIBUTING.md has examples of files that readers would make.
    void pathsExist()
    {
        static const QRegularExpression Path(u"`((?:app|core|packaging|resources|tests|translations|ui)/[\\w./-]+)`"_s);
        for (const QString& page : allPages()) {
            for (const auto& found : Path.globalMatch(page == u"CONTRIBUTING.md"_s ? QString() : textOf(page))) {
                QVERIFY2(Source.exists(found.captured(1)), qPrintable(page + u": "_s + found.captured(1)));
            }
        }
    }

    void everyPageIsFound()
    {
        const QString resources = textOf(u"resources/shell.qrc"_s);
        for (const QString& name : manualPages()) {
            const bool isChinese = name.endsWith(u".zh_CN.md"_s);
            const QString from = InnerPages.contains(name) ? u"ARCHITECTURE.md"_s
                : isChinese                                ? u"README.zh_CN.md"_s
                                                           : u"README.md"_s;
            QVERIFY2(linksOf(textOf(from)).contains(Docs + name), qPrintable(from + u" lacks "_s + name));
            if (MadePages.contains(name)) {
                continue;
            }
            QVERIFY2(resources.contains(u">docs/"_s + name + u'<'), qPrintable(u"the help lacks "_s + name));
            QVERIFY2(textOf(Docs + name).startsWith(u"# "_s), qPrintable(name + u" has no title"_s));
            const QString twin = isChinese ? QString(name).replace(u".zh_CN.md"_s, u".md"_s)
                                           : QString(name).replace(u".md"_s, u".zh_CN.md"_s);
            QVERIFY2(InnerPages.contains(name) || manualPages().contains(twin), qPrintable(name + u" lacks "_s + twin));
        }
    }

    void introductionsStayShort()
    {
        for (const auto& [page, limit] : {std::pair(u"README.md"_s, 1200), std::pair(u"README.zh_CN.md"_s, 1200),
                 std::pair(u"ARCHITECTURE.md"_s, 1600)}) {
            const double words = wordsOf(textOf(page));
            QVERIFY2(words <= limit, qPrintable(u"%1 has %2 words; at most %3"_s.arg(page).arg(words).arg(limit)));
        }
    }

    void commandsAreUnderstood()
    {
        if (!QFile::exists(lockstep::tests::Lockstep)) {
            QSKIP("not built here");
        }
        QSet<QString> parameters{u"repeats"_s}; // of the experiment, not of a run
        const auto listed = QJsonDocument::fromJson(printed({u"parameters"_s, u"--json"_s}).toUtf8()).object();
        for (const QJsonValue& row : listed[u"parameters"_s].toArray()) {
            parameters.insert(row[u"name"_s].toString());
        }
        QHash<QString, QString> helps;
        int commands = 0;
        for (const QString& page : allPages()) {
            for (const Command& command : commandsOf(textOf(page))) {
                if (!helps.contains(command.verb)) {
                    helps[command.verb] = printed({command.verb, u"--help"_s});
                }
                const QString line = page + u": lockstep "_s + command.verb + command.words;
                QVERIFY2(!helps[command.verb].isEmpty(), qPrintable(line));
                const QStringList unknown = unknownIn(command, helps[command.verb], parameters);
                QVERIFY2(unknown.isEmpty(), qPrintable(line + u": "_s + unknown.join(u", "_s)));
                ++commands;
            }
        }
        QVERIFY(commands > 100);
    }

    void everyPackageHasAReason()
    {
        static const QRegularExpression List(u"^packages_\\w+=\\(([^)]*)\\)"_s, QRegularExpression::MultilineOption);
        static const QRegularExpression Between(u"\\s+"_s);
        const QString reasons = textOf(Docs + u"dependencies.md"_s);
        int packages = 0;
        for (const auto& found : List.globalMatch(textOf(u"packaging/setup.sh"_s))) {
            for (const QString& name : found.captured(1).split(Between, Qt::SkipEmptyParts)) {
                const QRegularExpression named(
                    u"^\\| [^|]*(?<![\\w-])"_s + QRegularExpression::escape(name) + u"(?=[, )])[^|]*\\|"_s,
                    QRegularExpression::MultilineOption);
                QVERIFY2(reasons.contains(named), qPrintable(name));
                ++packages;
            }
        }
        QVERIFY(packages > 30);
    }
};

LOCKSTEP_TEST(TestPages)
#include "test_pages.moc"
