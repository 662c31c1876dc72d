// What `lockstep import` takes: a run's file (SQLite), or a recording of lockstep-rank (frames). Inputs that begin with
// 'E' are edits of a good run's file, one after the other: table, column, row, type and length, a byte each, then the
// value; so that the reader of the rows meets values that no writer of ours puts there.
#include "fuzz.h"

#include "store/file/database.h"
#include "store/file/run_file_reader.h"
#include "store/file/run_file_writer.h"
#include "store/file/run_meta.h"
#include "store/file/run_tables.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSqlRecord>

#include <cstring>

using namespace lockstep;
using namespace lockstep::fuzz;
using namespace lockstep::store;

using namespace Qt::StringLiterals;

namespace {

using Input = std::span<const std::uint8_t>;

QString inFolder(const char* name)
{
    return QString::fromStdString(workFolder()) + u'/' + QLatin1StringView(name);
}

/// Three rows of a message, or the message.
template <typename M>
M example()
{
    M message{};
    if constexpr (requires { message.rows; }) {
        message.rows.resize(3);
        for (std::size_t i = 0; i < 3; ++i) {
            message.rows[i].step = static_cast<std::int64_t>(i) + 1;
        }
    }
    return message;
}

Delta exampleDelta(std::int32_t rank)
{
    Delta delta;
    Delta::parts([&]<typename Entry>(const char*, std::vector<Entry> Delta::*part) {
        if constexpr (requires(Entry entry) { entry.what; }) {
            (delta.*part).push_back({rank, example<decltype(Entry::what)>()});
        }
    });
    return delta;
}

/// A good run's file, of two ranks, with rows in every table.
QByteArray makeBase()
{
    const QString path = inFolder("base.run");
    analysis::RunRecord record;
    record.id = makeRunId(0, 1);
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    auto writer = createRunFile(path, record, [](const analysis::RunRecord&) { return Result<void>(); });
    require(writer.isOk(), "a run's file can be made");
    for (const std::int32_t rank : {0, 1}) {
        Delta delta = exampleDelta(rank);
        delta.machines.push_back({"here", 2, 1 << 30, {{0, "a GPU", "uuid", 1 << 30}}});
        delta.machineSamples.push_back({.host = "here", .ranks = {{0, 1.0, 1.0}}, .gpus = {{}}, .shares = {{}}});
        delta.ranks.push_back({rank, RankState::Running, {}});
        delta.statuses.push_back({analysis::RunStatus::Running, {}, 1});
        require((*writer)->add(delta).isOk(), "rows can be written");
    }
    require((*writer)->finish(analysis::RunStatus::Finished, {}, {}).isOk(), "the run can be finished");
    QFile file(path);
    require(file.open(QIODevice::ReadOnly), "the run's file can be read");
    return file.readAll();
}

/// Qt's application, which its SQL drivers need, a good run's file and a store.
struct Surroundings {
    Surroundings()
        : base(makeBase())
    {
        auto opened = RunStore::open(inFolder("store"));
        require(opened.isOk(), "a store can be made");
        store = std::move(*opened);
        auto file = Database::open(inFolder("base.run"), Access::ReadOnly);
        require(file.isOk(), "the good run's file can be opened");
        eachTable([&](const char* table, auto, auto) { addTable(**file, QLatin1StringView(table)); });
        addTable(**file, u"meta"_s);
    }

    void addTable(Database& file, const QString& table)
    {
        auto query = file.prepare(u"SELECT * FROM %1"_s.arg(table));
        require(query && file.run(*query), "every table is there");
        QStringList columns;
        for (int i = 0; i < query->record().count(); ++i) {
            columns.append(query->record().fieldName(i));
        }
        tables.append({table, columns});
    }

    int argc = 1;
    char name[5] = "fuzz";
    char* argv[2] = {name, nullptr};
    QCoreApplication application{argc, argv};
    QByteArray base;
    std::unique_ptr<RunStore> store;
    QList<std::pair<QString, QStringList>> tables;
};

QVariant valueOf(std::uint8_t type, Input bytes)
{
    const QByteArray raw(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    qlonglong number = 0;
    std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof(number)));
    double real = 0.0;
    std::memcpy(&real, &number, sizeof(real));
    switch (type % 5) {
    case 0:
        return raw;
    case 1:
        return number;
    case 2:
        return real;
    case 3:
        return QString::fromUtf8(raw);
    default:
        return {};
    }
}

/// Makes one edit, and gives what is left of the input.
Input edit(Database& file, const Surroundings& around, Input input)
{
    const auto& [table, columns] = around.tables[input[0] % around.tables.size()];
    const QString column = columns[input[1] % columns.size()];
    const std::size_t size = std::min<std::size_t>(input[4], input.size() - 5);
    const QString key = table == u"meta" ? u"key"_s : u"rowid"_s;
    auto query = file.prepare(
        u"UPDATE %1 SET %2 = ? WHERE %3 = (SELECT %3 FROM %1 LIMIT 1 OFFSET %4)"_s.arg(table, column, key)
            .arg(input[2] % 10));
    require(query.isOk(), "an edit can be prepared");
    query->addBindValue(valueOf(input[3], input.subspan(5, size)));
    static_cast<void>(file.run(*query)); // a value can be refused, such as none where one must be
    return input.subspan(5 + size);
}

void readAll(Database& file)
{
    auto record = readRecord(file);
    if (record) {
        static_cast<void>(readCurves(file, *record, Summarise::FromRows));
    }
}

void readEdited(const Surroundings& around, Input edits)
{
    const QString path = inFolder("edited.run");
    QFile::remove(path);
    QFile copy(path);
    require(copy.open(QIODevice::WriteOnly) && copy.write(around.base) == around.base.size(), "it can be copied");
    copy.close();
    auto file = Database::open(path, Access::ReadWrite);
    require(file && (*file)->exec(u"PRAGMA synchronous = OFF"_s), "the copy can be opened");
    require((*file)->exec(u"BEGIN"_s).isOk(), "edits can begin");
    while (edits.size() > 5) {
        edits = edit(**file, around, edits);
    }
    readAll(**file); // within the transaction, which is not committed
}

void import(const Surroundings& around)
{
    const auto id = around.store->import(inFolder("input"));
    if (!id) {
        return;
    }
    const auto record = around.store->load(*id);
    const auto replayed = around.store->replay(*id, [](const Delta&) { return true; });
    require(record.isOk() == replayed.isOk(), "a run that can be loaded can be replayed");
    require(around.store->remove(*id).isOk(), "the run can be deleted");
    QDir(around.store->folder() + u"/.trash"_s).removeRecursively();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static_cast<void>(workFolder()); // made before, and so removed after, what uses it
    static const Surroundings around;
    const Input input(data, size);
    if (size > 0 && data[0] == 'E') {
        readEdited(around, input.subspan(1));
    } else {
        writeFile("input", input);
        import(around);
    }
    return 0;
}
