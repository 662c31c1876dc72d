// Checks the sources and the built programs against the project's rules: who may include whom, how long a file may be,
// that the desktop links no LibTorch and the rank no Qt, and that what one offers the other can do.
#include "program/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

const QString Root = QStringLiteral(LOCKSTEP_SOURCE_DIR);

struct Room {
    const char* folder;
    QStringList mayInclude; ///< rooms, as the first part of an include
    bool qt;
    bool torch;
};

/// The deepest folder that fits is a file's room.
QList<Room> rooms()
{
    return {{"core/base", {u"base"_s}, false, false}, {"core/experiment", {u"base"_s, u"experiment"_s}, false, false},
        {"core/archive", {u"base"_s, u"archive"_s}, false, false},
        {"core/plan", {u"base"_s, u"experiment"_s, u"plan"_s}, false, false},
        {"core/datasets", {u"base"_s, u"experiment"_s, u"datasets"_s}, false, false},
        {"core/wire", {u"base"_s, u"experiment"_s, u"wire"_s}, false, false},
        {"core/rendezvous", {u"base"_s, u"wire"_s, u"rendezvous"_s}, false, false},
        {"core/analysis", {u"base"_s, u"experiment"_s, u"plan"_s, u"analysis"_s}, false, false},
        {"core/script", {u"base"_s, u"experiment"_s, u"plan"_s, u"script"_s}, false, false},
        {"core/engine/telemetry", {u"base"_s, u"experiment"_s, u"wire"_s, u"engine/telemetry"_s}, false, false},
        {"core/engine/comm", {u"base"_s, u"engine/comm"_s}, false, false},
        {"core/engine/cuda", {u"base"_s, u"engine/comm"_s, u"engine/cuda"_s}, false, false},
        {"core/engine", {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"rendezvous"_s, u"engine"_s},
            false, true},
        {"core/language", {u"base"_s, u"experiment"_s, u"analysis"_s, u"language"_s}, true, false},
        {"core/store", {u"base"_s, u"experiment"_s, u"plan"_s, u"wire"_s, u"analysis"_s, u"language"_s, u"store"_s},
            true, false},
        {"core/launch",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"rendezvous"_s, u"analysis"_s,
                u"language"_s, u"store"_s, u"launch"_s},
            true, false},
        {"core/exchange/report",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"archive"_s, u"analysis"_s, u"exchange/report"_s}, false, false},
        {"core/exchange",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"analysis"_s, u"archive"_s, u"script"_s,
                u"language"_s, u"store"_s, u"launch"_s, u"exchange"_s},
            true, false},
        {"core/laboratory",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"analysis"_s, u"archive"_s,
                u"language"_s, u"store"_s, u"launch"_s, u"exchange"_s, u"laboratory"_s},
            true, false},
        {"core/cli",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"rendezvous"_s, u"analysis"_s,
                u"language"_s, u"store"_s, u"launch"_s, u"exchange"_s, u"laboratory"_s, u"cli"_s},
            true, false},
        {"ui/models",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"analysis"_s, u"language"_s, u"store"_s,
                u"launch"_s, u"exchange"_s, u"laboratory"_s, u"ui/models"_s},
            true, false},
        {"ui/cli",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"analysis"_s, u"language"_s, u"store"_s,
                u"launch"_s, u"exchange"_s, u"laboratory"_s, u"cli"_s, u"ui"_s},
            true, false},
        {"ui",
            {u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"analysis"_s, u"language"_s, u"store"_s,
                u"launch"_s, u"exchange"_s, u"laboratory"_s, u"ui"_s},
            true, false}};
}

/// The sub-rooms of a room from the bottom up: each may include those named before it, never its neighbours. "." means
/// the files in the room's own folder, which are free if it is not named.
struct Order {
    QString folder;
    QList<QStringList> layers;
};

QList<Order> orders()
{
    return {{u"core/analysis"_s,
                {{u"."_s}, {u"statistics"_s}, {u"timing"_s}, {u"figures"_s}, {u"scaling"_s, u"study"_s}, {u"answers"_s},
                    {u"findings"_s}, {u"table"_s}}},
        {u"core/engine"_s,
            {{u"kernels"_s}, {u"compat"_s}, {u"telemetry"_s}, {u"comm"_s}, {u"cuda"_s}, {u"gpu"_s}, {u"memory"_s},
                {u"data"_s}, {u"optim"_s}, {u"model"_s}, {u"ranks"_s}, {u"strategy"_s}, {u"run"_s}, {u"program"_s}}},
        {u"core/store"_s, {{u"account"_s}, {u"file"_s}, {u"replay"_s}}},
        {u"core/launch"_s,
            {{u"monitor"_s}, {u"mps"_s}, {u"collect"_s}, {u"own"_s}, {u"ranks"_s}, {u"ssh"_s, u"jobs"_s},
                {u"queue"_s, u"machine"_s}}},
        {u"ui"_s,
            {{u"models"_s}, {u"theme"_s}, {u"widgets"_s}, {u"charts"_s}, {u"export"_s},
                {u"forms"_s, u"net"_s, u"ring"_s, u"timeline"_s}, {u"pages"_s}, {u"cli"_s, u"shell"_s}}},
        {u"ui/models"_s,
            {{u"."_s}, {u"form"_s}, {u"feeds"_s}, {u"runs"_s}, {u"net"_s}, {u"charts"_s}, {u"laboratory"_s}}}};
}

const QStringList AllRooms{u"base"_s, u"experiment"_s, u"plan"_s, u"datasets"_s, u"wire"_s, u"rendezvous"_s,
    u"analysis"_s, u"archive"_s, u"script"_s, u"engine"_s, u"language"_s, u"store"_s, u"launch"_s, u"exchange"_s,
    u"laboratory"_s, u"cli"_s, u"ui"_s};

QStringList sources(const QString& folder)
{
    QStringList files;
    QDirIterator walk(Root + u'/' + folder, {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        files.append(walk.next());
    }
    files.sort();
    return files;
}

QString readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList includes(const QString& text)
{
    static const QRegularExpression Include(
        u"^\\s*#\\s*include\\s+[\"<]([^\">]+)[\">]"_s, QRegularExpression::MultilineOption);
    QStringList found;
    for (auto match = Include.globalMatch(text); match.hasNext();) {
        found.append(match.next().captured(1));
    }
    return found;
}

const Room* roomOf(const QList<Room>& all, const QString& file)
{
    const QString place = QDir(Root).relativeFilePath(file);
    for (const Room& room : all) {
        if (place.startsWith(QLatin1StringView(room.folder) + u'/')) {
            return &room;
        }
    }
    return nullptr;
}

bool isQt(const QString& include)
{
    return (include.startsWith(u'Q') && !include.contains(u'.')) || include.startsWith(u"Qt"_s)
        || include == u"qcustomplot.h"_s;
}

bool isTorch(const QString& include)
{
    return include.startsWith(u"torch/"_s) || include.startsWith(u"ATen/"_s) || include.startsWith(u"c10/"_s);
}

/// What is wrong with this include in this room; empty if nothing.
QString wrong(const Room& room, const QString& include)
{
    if (isQt(include)) {
        return room.qt ? QString() : u"Qt"_s;
    }
    if (isTorch(include)) {
        return room.torch ? QString() : u"LibTorch"_s;
    }
    const QString first = include.section(u'/', 0, 0);
    if (!include.contains(u'/') || !AllRooms.contains(first)) {
        return {};
    }
    for (const QString& allowed : room.mayInclude) {
        if (include.startsWith(allowed + u'/')) {
            return {};
        }
    }
    return u"the room "_s + first;
}

QString program(const QString& name)
{
    return QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/") + name;
}

QByteArray output(const QString& command, const QStringList& arguments)
{
    QProcess process;
    process.start(command, arguments);
    return process.waitForFinished(60'000) ? process.readAllStandardOutput() : QByteArray();
}

} // namespace

class TestRooms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void includesKeepToTheRooms()
    {
        const auto all = rooms();
        QStringList faults;
        int looked = 0;
        for (const QString& file : sources(u"core"_s) + sources(u"ui"_s)) {
            const Room* room = roomOf(all, file);
            QVERIFY2(room != nullptr, qPrintable(file));
            ++looked;
            for (const QString& include : includes(readAll(file))) {
                if (const QString what = wrong(*room, include); !what.isEmpty()) {
                    faults += QDir(Root).relativeFilePath(file) + u" includes "_s + include + u": "_s + what
                        + u" is not for it"_s;
                }
            }
        }
        QVERIFY(looked > 50);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void subRoomsKeepTheirOrder_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QList<QStringList>>("layers");
        for (const Order& each : orders()) {
            QTest::newRow(qPrintable(each.folder)) << each.folder << each.layers;
        }
    }
    void subRoomsKeepTheirOrder()
    {
        QFETCH(QString, folder);
        QFETCH(QList<QStringList>, layers);
        const QString prefix = (folder.startsWith(u"core/"_s) ? folder.mid(5) : folder) + u'/';
        const auto layerOf = [&](const QString& name) {
            return std::ranges::find_if(layers, [&](const QStringList& layer) { return layer.contains(name); })
                - layers.begin();
        };
        const auto subRoomOf
            = [](const QString& place) { return place.contains(u'/') ? place.section(u'/', 0, 0) : u"."_s; };
        const auto isFree
            = [&](const QString& subRoom) { return subRoom == u"."_s && layerOf(subRoom) == layers.size(); };
        QStringList faults;
        int looked = 0;
        for (const QString& file : sources(folder)) {
            const QString place = QDir(Root + u'/' + folder).relativeFilePath(file);
            const QString own = subRoomOf(place);
            if (isFree(own)) {
                continue;
            }
            QVERIFY2(layerOf(own) < layers.size(), qPrintable(file + u": its sub-room has no place in the order"_s));
            ++looked;
            for (const QString& include : includes(readAll(file))) {
                const QString other = subRoomOf(include.mid(prefix.size()));
                const bool isOfThisRoom = include.startsWith(prefix) && !isFree(other);
                if (isOfThisRoom && other != own && layerOf(other) >= layerOf(own)) {
                    faults += folder + u'/' + place + u" includes "_s + include;
                }
            }
        }
        QVERIFY(looked > 10);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void onlyTheChartsKnowQCustomPlot()
    {
        for (const QString& file : sources(u"ui"_s)) {
            const QString place = QDir(Root).relativeFilePath(file);
            const bool may = place.startsWith(u"ui/charts/"_s) || place.startsWith(u"ui/export/"_s);
            const QString text = readAll(file);
            QVERIFY2(may || !text.contains(u"qcustomplot.h"_s), qPrintable(place));
            QVERIFY2(!text.contains(u"#include <QSql"_s), qPrintable(place));
        }
    }

    void filesStayShort()
    {
        QStringList tooLong;
        for (const QString& file : sources(u"core"_s) + sources(u"ui"_s) + sources(u"app"_s)) {
            const auto lines = readAll(file).count(u'\n');
            if (lines > 500) {
                tooLong
                    += QDir(Root).relativeFilePath(file) + u": "_s + QString::number(lines) + u" lines, at most 500"_s;
            }
        }
        QVERIFY2(tooLong.isEmpty(), qPrintable(tooLong.join(u'\n')));
    }

    void nothingIsLeftForSomeone()
    {
        static const QRegularExpression Left(u"\\b(TODO|XXX|HACK)\\b"_s);
        for (const QString& file : sources(u"core"_s) + sources(u"ui"_s) + sources(u"app"_s)) {
            QVERIFY2(!readAll(file).contains(Left), qPrintable(file));
        }
    }

    /// kill() takes the number of a process that has ended, 0, for everything that runs the tests.
    void testsSignalOnlyProcessesThatTheyStarted()
    {
        static const QRegularExpression Sent(u"(?<![.>\\w])(std::|::)?kill(pg)?\\((?!\\)|getpid\\(\\))"_s);
        QVERIFY(u"::kill(0, SIGKILL)"_s.contains(Sent) && !u"process.kill()"_s.contains(Sent));
        for (const QString& file : sources(u"tests"_s)) {
            const QString place = QDir(Root).relativeFilePath(file);
            const bool may = place == u"tests/program/send_signal.h"_s || place.startsWith(u"tests/fakes/"_s)
                || place == u"tests/arch/test_rooms.cpp"_s;
            QVERIFY2(may || !readAll(file).contains(Sent), qPrintable(place + u": use sendSignal()"_s));
        }
    }

    /// With such a list ninja would not tell beforehand what it is going to do, and ./run not how long is left.
    void noListOfFilesIsCheckedByEveryBuild()
    {
        static const QRegularExpression Checked(u"file\\(GLOB[^)]*CONFIGURE_DEPENDS"_s);
        int read = 0;
        for (const QString& folder : {u"core"_s, u"ui"_s, u"app"_s, u"tests"_s, u"packaging"_s}) {
            QDirIterator files(QDir(Root).filePath(folder), {u"CMakeLists.txt"_s, u"*.cmake"_s}, QDir::Files,
                QDirIterator::Subdirectories);
            for (; files.hasNext(); ++read) {
                const QString file = files.next();
                QVERIFY2(!readAll(file).contains(Checked), qPrintable(file));
            }
        }
        QVERIFY(read > 20);
    }

    void theProgramsLinkOneSideEach_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("never");
        QTest::addRow("desktop") << u"lockstep"_s << u"libtorch|libc10"_s;
        QTest::addRow("rank") << u"lockstep-rank"_s << u"libQt"_s;
    }
    void theProgramsLinkOneSideEach()
    {
        QFETCH(QString, name);
        QFETCH(QString, never);
        if (!QFile::exists(program(name))) {
            QSKIP("not built here");
        }
        const QString needed = QString::fromUtf8(output(u"readelf"_s, {u"-d"_s, program(name)}));
        QVERIFY(needed.contains(u"NEEDED"_s));
        QVERIFY2(!needed.contains(QRegularExpression(never)), qPrintable(needed));
    }

    void whatIsOfferedCanBeDone()
    {
        if (!QFile::exists(program(u"lockstep"_s)) || !QFile::exists(program(u"lockstep-rank"_s))) {
            QSKIP("both programs are needed");
        }
        const auto offered
            = QJsonDocument::fromJson(output(program(u"lockstep"_s), {u"parameters"_s, u"--json"_s})).object();
        const auto able = QJsonDocument::fromJson(output(program(u"lockstep-rank"_s), {u"--choices"_s})).object();
        const QJsonObject choices = able[u"choices"_s].toObject();
        const auto doctor = QJsonDocument::fromJson(output(program(u"lockstep-rank"_s), {u"--doctor"_s})).object();
        int compared = 0;
        for (const QJsonValue& row : offered[u"parameters"_s].toArray()) {
            QSet<QString> names;
            for (const QJsonValue& choice : row[u"choices"_s].toArray()) {
                names.insert(choice[u"name"_s].toString());
            }
            if (names.isEmpty() || row[u"name"_s] == u"rank.watch"_s) {
                continue; // lockstep-rank watches no script
            }
            QSet<QString> there;
            for (const QJsonValue& name : choices[row[u"name"_s].toString()].toArray()) {
                there.insert(name.toString());
            }
            if (row[u"name"_s] == u"pipeline.transport"_s && !doctor[u"rpc"_s].toBool()) {
                names.remove(u"rpc"_s); // this LibTorch has no RPC agent, and the rank says so
            }
            if (row[u"name"_s] == u"strategy.name"_s) {
                names.remove(u"own"_s); // a program of one's own in place of lockstep-rank
            }
            QVERIFY2(names == there, qPrintable(row[u"name"_s].toString()));
            ++compared;
        }
        QVERIFY(compared >= 5);
    }
};

LOCKSTEP_TEST(TestRooms)
#include "test_rooms.moc"
