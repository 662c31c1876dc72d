// SIGKILL of the window at random moments while one types, seals, runs and hands in: the journal opens, at most the
// last second of typing is lost, no entry is half, what is sealed stays sealed, a file that is handed in is whole or
// absent; the next window leaves no draft, socket or process. A sample of 8 kills; LOCKSTEP_LONG: 100.
#include "base/clock.h"
#include "exchange/bundle/zip_reader.h"
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"
#include "program/programs.h"
#include "program/test_class.h"
#include "ui/laboratory/made_up_laboratory.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <random>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

namespace {

constexpr int LongKills = 100;
/// Of whatever is waited for; no test is of how long it takes.
constexpr int LimitMs = 240'000;
/// Between two words 10 ms or more pass: those of a second are fewer.
constexpr qint64 WordsOfASecond = 100;

enum class KillPhase { Typing, Sealing, Running, HandingIn };
struct KillPhaseRow {
    const char* name; ///< of drive_laboratory
    const char* begin; ///< what it says when it begins
    int latestMs; ///< after that it is killed
};
constexpr std::array<KillPhaseRow, 4> KillPhases{{{"type", "# typed 1 ", 4000}, {"seal", "# seals ", 1500},
    {"run", "# runs", 6000}, {"hand in", "# hands in", 2500}}};

void copyFolder(const QString& from, const QString& to)
{
    QDir().mkpath(to);
    QDirIterator each(from, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString path = each.next();
        const QString target = to + u'/' + QDir(from).relativeFilePath(path);
        if (each.fileInfo().isDir()) {
            QDir().mkpath(target);
        } else {
            QDir().mkpath(QFileInfo(target).path());
            QVERIFY2(QFile::copy(path, target), qPrintable(target));
        }
    }
}

/// The folder of one trial, and the window in it.
class KilledWindow {
public:
    explicit KilledWindow(int number)
        : m_mark(markOf(number))
    {
        for (const QString& each : {u"tmp"_s, u"run"_s, u"config"_s, u"documents"_s}) {
            QDir().mkpath(path(each));
        }
        QFile::setPermissions(path(u"run"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        writeMadeUpLaboratory(m_folder.path());
    }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString store() const { return path(u"store"_s); }
    [[nodiscard]] const QByteArray& mark() const { return m_mark; }
    [[nodiscard]] const QList<QByteArray>& said() const { return m_said; }

    void start(const char* what)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LOCKSTEP_FAULT_MARK"_s, QString::fromUtf8(m_mark.mid(m_mark.indexOf('=') + 1)));
        environment.insert(u"LOCKSTEP_DRIVE"_s, QLatin1String(what));
        environment.insert(u"LOCKSTEP_DRIVE_FOLDER"_s, m_folder.path());
        environment.insert(u"LOCKSTEP_RANK"_s, RankProgram);
        environment.insert(u"TMPDIR"_s, path(u"tmp"_s));
        environment.insert(u"XDG_RUNTIME_DIR"_s, path(u"run"_s));
        environment.insert(u"XDG_CONFIG_HOME"_s, path(u"config"_s));
        environment.insert(u"XDG_DATA_HOME"_s, path(u"data"_s));
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        environment.insert(u"QTEST_FUNCTION_TIMEOUT"_s, QString::number(4 * LimitMs));
        m_window.setProcessEnvironment(environment);
        m_window.setProcessChannelMode(QProcess::MergedChannels);
        m_said.clear();
        m_window.start(QCoreApplication::applicationFilePath(), {u"drive_laboratory"_s, u"-o"_s, u"-,txt"_s});
    }
    /// Whether it says a line that begins so.
    [[nodiscard]] bool waitFor(const QByteArray& begin)
    {
        QElapsedTimer clock;
        clock.start();
        const auto isSaid = [&](const QByteArray& line) { return line.startsWith(begin); };
        while (std::ranges::none_of(m_said, isSaid) && clock.elapsed() < LimitMs
            && (m_window.state() != QProcess::NotRunning || m_window.canReadLine())) {
            m_window.waitForReadyRead(50);
            readLines();
        }
        return std::ranges::any_of(m_said, isSaid);
    }
    void killIn(int afterMs)
    {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < afterMs && m_window.state() != QProcess::NotRunning) {
            m_window.waitForReadyRead(static_cast<int>(afterMs - clock.elapsed()));
            readLines();
        }
        m_window.kill();
        m_window.waitForFinished(LimitMs);
        readLines();
    }
    /// The window opens, does it, and ends by itself. Gives what went wrong.
    [[nodiscard]] QString doneBy(const char* what)
    {
        start(what);
        const bool hasEnded = m_window.waitForFinished(LimitMs);
        readLines();
        return hasEnded && m_window.exitStatus() == QProcess::NormalExit && m_window.exitCode() == 0
            ? QString()
            : u"the window (%1): %2"_s.arg(QLatin1String(what), QString::fromUtf8(m_said.join('\n')));
    }
    [[nodiscard]] bool wasKilled() const { return m_window.exitStatus() == QProcess::CrashExit; }

    /// Drafts and sockets, and what is no file of a work.
    [[nodiscard]] QStringList leftOvers() const
    {
        QStringList left;
        for (const QString& folder : {path(u"tmp"_s), path(u"run"_s), path(u"documents"_s), store()}) {
            QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                QDirIterator::Subdirectories);
            while (each.hasNext()) {
                const QFileInfo file(each.next());
                const bool isWork = file.path().endsWith(u"/made-up-1"_s);
                static const QStringList OfWork{u"laboratory.lab"_s, u"work.jsonl"_s, u"work.jsonl.head"_s};
                const bool isOther = !file.isDir() && !file.isFile();
                const bool isInTmp = folder == path(u"tmp"_s);
                if (file.fileName().startsWith(u'.') || file.fileName().endsWith(u".part"_s) || isOther || isInTmp
                    || (isWork && !OfWork.contains(file.fileName()))) {
                    left += QDir(m_folder.path()).relativeFilePath(file.filePath());
                }
            }
        }
        return left;
    }

private:
    void readLines()
    {
        while (m_window.canReadLine() || (m_window.state() == QProcess::NotRunning && m_window.bytesAvailable() > 0)) {
            m_said += m_window.readLine().trimmed();
        }
    }

    QTemporaryDir m_folder;
    QByteArray m_mark;
    QProcess m_window;
    QList<QByteArray> m_said;
};

/// The last of the words `typed NUMBER MS`; 0: none.
[[nodiscard]] qint64 typedIn(const QList<QByteArray>& said, int word)
{
    for (auto line = said.rbegin(); line != said.rend(); ++line) {
        if (line->startsWith("# typed ")) {
            return line->split(' ').value(word).toLongLong();
        }
    }
    return 0;
}

[[nodiscard]] bool isWholeDocument(const QString& path)
{
    if (path.endsWith(u".docx"_s)) {
        const auto zip = exchange::ZipReader::open(path);
        return zip && std::ranges::all_of(zip->members(), [&](const exchange::ZipMember& each) {
            return zip->read(each.name, each.bytes).isOk();
        });
    }
    return contentOf(path).trimmed().endsWith("%%EOF");
}

} // namespace

class TestLaboratoryKills : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWindowIsKilled()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
        const int kills = isLong() ? LongKills : 8;
        for (int i = 0; i < kills; ++i) {
            const auto phase = static_cast<std::size_t>(i) % KillPhases.size();
            const QString problem = trial(static_cast<KillPhase>(phase), i);
            QVERIFY2(problem.isEmpty(),
                qPrintable(u"kill %1 (%2; seed %3): %4"_s.arg(i + 1)
                               .arg(QLatin1String(KillPhases[phase].name))
                               .arg(m_seed)
                               .arg(problem)));
        }
        qInfo("%d kills (seed %llu): of typing at most %lld ms (%lld words) were lost; %d predictions sealed, %d runs "
              "in journals, %d hand-ins whole, %d absent",
            kills, static_cast<unsigned long long>(m_seed), m_mostLostMs, m_mostLostWords, m_sealed, m_runs, m_whole,
            m_absent);
    }

private:
    /// Gives what went wrong; empty: nothing.
    [[nodiscard]] QString trial(KillPhase phase, int number)
    {
        KilledWindow trial(number);
        if (phase == KillPhase::Running || phase == KillPhase::HandingIn) {
            if (const QString problem = prepare(); !problem.isEmpty()) {
                return problem;
            }
            copyFolder(m_prepared->store(), trial.store());
        }
        const KillPhaseRow& row = KillPhases[static_cast<std::size_t>(phase)];
        trial.start(row.name);
        if (!trial.waitFor(row.begin)) {
            return u"it does not begin: "_s + QString::fromUtf8(trial.said().join('\n'));
        }
        trial.killIn(static_cast<int>(m_random() % static_cast<std::uint64_t>(row.latestMs)));
        if (!trial.wasKilled()) {
            return u"it ended before it was killed: "_s + QString::fromUtf8(trial.said().join('\n'));
        }
        if (!QTest::qWaitFor([&] { return markedProcesses(trial.mark()).all.empty(); }, LimitMs)) {
            return u"a process is left"_s;
        }
        if (const QString problem = problemOf(phase, trial); !problem.isEmpty()) {
            return problem;
        }
        // The next window clears what this one has left.
        const QString next = trial.doneBy(phase == KillPhase::HandingIn ? "once more" : "open");
        if (!next.isEmpty()) {
            return next;
        }
        if (!QTest::qWaitFor([&] { return markedProcesses(trial.mark()).all.empty(); }, LimitMs)) {
            return u"a process is left after the next window"_s;
        }
        const QStringList left = trial.leftOvers();
        return left.isEmpty() ? QString() : u"left: "_s + left.join(u' ');
    }

    [[nodiscard]] QString problemOf(KillPhase phase, const KilledWindow& trial)
    {
        const auto work = Work::openFolder(trial.store() + u"/laboratories/made-up-1"_s);
        if (!work) {
            return QString::fromStdString(work.error().text());
        }
        const Journal& journal = (*work)->journal();
        if (journal.fault()) {
            return QString::fromStdString(journal.fault()->text());
        }
        if (std::ranges::any_of(journal.entries(), [](const Entry& each) { return each.kind == EntryKind::Other; })) {
            return u"an entry of no kind"_s;
        }
        const WorkState& state = (*work)->state();
        for (const QByteArray& line : trial.said()) {
            const QList<QByteArray> words = line.split(' ');
            if (line.startsWith("# sealed ")) {
                const SealedPrediction* sealed = state.sealOf(words[2].toStdString());
                if (sealed == nullptr || !line.contains(QByteArray::fromStdString(sealed->code))) {
                    return u"a seal is lost: "_s + QString::fromUtf8(line);
                }
                ++m_sealed;
            } else if (line.startsWith("# commented ")
                && std::ranges::count(state.sealOf("guess-way")->comments, words[2].toStdString()) != 1) {
                return u"a comment is lost: "_s + QString::fromUtf8(line);
            }
        }
        m_runs += static_cast<int>(state.allRuns().size());
        return phase == KillPhase::Typing   ? lostTyping(state.answerOf("why").text, trial.said())
            : phase == KillPhase::HandingIn ? handedIn(trial)
                                            : QString();
    }

    [[nodiscard]] QString lostTyping(const std::string& answer, const QList<QByteArray>& said)
    {
        const qint64 typed = typedIn(said, 2);
        std::string all;
        std::vector<std::size_t> ends;
        for (qint64 word = 1; word <= typed + 1; ++word) { // one more may be typed and not said
            all += std::to_string(word) + " ";
            ends.push_back(all.size());
        }
        if (!all.starts_with(answer)) {
            return u"the answer is not what was typed: "_s + QString::fromStdString(answer);
        }
        const qint64 saved = std::ranges::upper_bound(ends, answer.size()) - ends.begin();
        m_mostLostWords = std::max(m_mostLostWords, typed - saved);
        for (const QByteArray& line : said) {
            if (saved < typed && line.startsWith("# typed " + QByteArray::number(saved + 1) + " ")) {
                m_mostLostMs = std::max(m_mostLostMs, typedIn(said, 3) - line.split(' ').value(3).toLongLong());
            }
        }
        return typed - saved < WordsOfASecond ? QString() : u"of %1 words only %2 were saved"_s.arg(typed).arg(saved);
    }

    [[nodiscard]] QString handedIn(const KilledWindow& trial)
    {
        const QDir documents(trial.path(u"documents"_s));
        const auto said = trial.said();
        const bool isWritten = std::ranges::find(said, QByteArray("# handed in")) != said.end();
        const QStringList files = documents.entryList({u"*.handin"_s}, QDir::Files);
        (files.isEmpty() ? m_absent : m_whole) += 1;
        if (isWritten && files.isEmpty()) {
            return u"the hand-in is lost"_s;
        }
        for (const QString& each : files) {
            const auto read = readHandIn(documents.filePath(each), "made-up");
            if (!read || read->journal.fault() || readHandInRuns(documents.filePath(each)).runs.size() != 2) {
                return u"the hand-in is not whole: "_s + (read ? each : QString::fromStdString(read.error().text()));
            }
        }
        for (const QString& each : documents.entryList({u"*.docx"_s, u"*.pdf"_s}, QDir::Files)) {
            if (!isWholeDocument(documents.filePath(each))) {
                return u"the report is not whole: "_s + each;
            }
        }
        return {};
    }

    /// A store in which all was done once.
    [[nodiscard]] QString prepare()
    {
        if (m_prepared == nullptr) {
            m_prepared = std::make_unique<KilledWindow>(LongKills);
            return m_prepared->doneBy("once");
        }
        return {};
    }

    std::uint64_t m_seed = static_cast<std::uint64_t>(wallNs());
    std::mt19937_64 m_random{m_seed};
    std::unique_ptr<KilledWindow> m_prepared;
    qint64 m_mostLostMs = 0;
    qint64 m_mostLostWords = 0;
    int m_sealed = 0;
    int m_runs = 0;
    int m_whole = 0;
    int m_absent = 0;
};

LOCKSTEP_TEST(TestLaboratoryKills)
#include "test_laboratory_kills.moc"
