// Bundles: what goes in, what comes out again, and what is refused.
#include "exchange/bundle/import_bundle.h"
#include "exchange/bundle/write_bundle.h"
#include "exchange/bundle/zip_reader.h"
#include "program/test_class.h"
#include "store/account/run_account.h"
#include "store/view_files.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::exchange;
using namespace Qt::StringLiterals;

namespace {

const QString Data = QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/data/runs/");
const QString FirstRun = QStringLiteral("20261122-191949-et1d");
const QString SecondRun = QStringLiteral("20261122-191949-pqsp");

QString textOf(const auto& result)
{
    return result.isOk() ? QString() : QString::fromStdString(result.error().text());
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As the window writes it; `runs`: ids in quotes.
QByteArray viewOf(const QString& name, const QString& runs)
{
    const QString text = uR"({"beside":"","charts":{},"name":"%1","opening":"loss","runs":[%2],"view":1})"_s;
    return QJsonDocument::fromJson(text.arg(name, runs).toUtf8()).toJson();
}

/// Every file below, hidden ones too, without what SQLite keeps beside the open index.
QStringList filesIn(const QString& folder)
{
    QStringList names;
    QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString name = QDir(folder).relativeFilePath(each.next());
        if (!name.startsWith(u"index.sqlite"_s)) {
            names += name;
        }
    }
    names.sort();
    return names;
}

/// A run that tells of its user in every place that has a text.
analysis::RunRecord talkativeRun(RunStore& store)
{
    analysis::RunRecord record;
    record.id = makeRunId(1'795'000'000, 1);
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    record.spec.settings["dataset.name"] = std::string("mnist");
    record.spec.settings["checkpoint.every"] = std::int64_t{10};
    record.spec.settings["dataset.path"] = std::string("/home/alice/mnist");
    record.spec.settings["checkpoint.path"] = std::string("/scratch/home/alice/kept");
    record.label = "see /home/alice/notes.txt on alices-laptop";
    record.status = analysis::RunStatus::Running;
    record.createdNs = 1'795'000'000'000'000'000;
    auto writer = store.create(record);
    Delta delta;
    delta.hellos.push_back({0, {1, record.id.text, 0, 1, 4711, "alices-laptop", "cpu", "1.13.1"}});
    delta.prepared.push_back({0, {"cpu", 640, 100, 20, 10, 7850, 5, "images in /home/alice/mnist", "", 2}});
    delta.machines.push_back({"alices-laptop", 2, 8'000'000'000, {{0, "A GPU", "GPU-12ab34", 1 << 30}}});
    delta.logs.push_back({0, {11, wire::LogLevel::Info, "alices-laptop: /Users/alice/x, /media/alice/usb, 一行"}});
    delta.ranks.push_back({0, RankState::Failed, "/home/alice/y: no such file"});
    delta.statuses.push_back({analysis::RunStatus::Failed, "rank 0 on alices-laptop failed", 14});
    const bool isWritten = writer && (*writer)->add(delta)
        && (*writer)->finish(analysis::RunStatus::Failed, "rank 0 on alices-laptop failed", {});
    return isWritten ? record : analysis::RunRecord();
}

} // namespace

class TestBundle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        m_store = storeIn(u"mine"_s);
    }
    void cleanup()
    {
        m_store.reset();
        m_folder.reset();
    }

    void openedAndSavedAgainItIsTheSame();
    void savedViewsGoWithTheirRuns();
    void whatIsImportedIsMarked();
    void namesAreLeftOut();
    void namesAreKeptIfAsked();
    void changingTwiceIsChangingOnce();
    void settingsThatAreNoLongerAllowedAreChangedToo();
    void runsThatAreThereStayAsTheyAre();
    void hostileBundlesAreRefused_data();
    void hostileBundlesAreRefused();
    void aHostileRunFileIsRefused();
    void runsThatGoOnAreRefused();
    void noMemberIsCompressedTooMuch();

private:
    std::unique_ptr<RunStore> storeIn(const QString& name)
    {
        return std::move(*RunStore::open(m_folder->filePath(name)));
    }
    /// A bundle of the two stored runs.
    QString goodBundle(const QString& name = u"good.lockstep"_s);
    QString hostile(const QString& kind, const QString& good);

    QTemporaryDir m_good;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
};

QString TestBundle::goodBundle(const QString& name)
{
    if (m_store->list().empty()) {
        for (const QString& id : {FirstRun, SecondRun}) {
            if (const auto taken = m_store->import(Data + id + u".run"_s); !taken) {
                qWarning("%s", taken.error().text().c_str());
            }
        }
    }
    const QString path = m_folder->filePath(name);
    const auto draft = BundleDraft::create(*m_store, m_store->list(), Names::LeaveOut);
    const auto written = draft ? draft->write(path) : Result<void>(draft.error());
    if (!written) {
        qWarning("%s", written.error().text().c_str());
    }
    return path;
}

QString TestBundle::hostile(const QString& kind, const QString& good)
{
    const QString path = m_folder->filePath(u"hostile.lockstep"_s);
    QProcess maker;
    maker.start(u"python3"_s,
        {QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/core/exchange/bundle/hostile_bundle.py"), kind, good, path});
    const bool isMade = maker.waitForFinished(60'000) && maker.exitCode() == 0;
    return isMade ? path : QString::fromUtf8(maker.readAllStandardError());
}

void TestBundle::openedAndSavedAgainItIsTheSame()
{
    const QString first = goodBundle();
    auto other = storeIn(u"other"_s);
    const auto imported = importBundle(*other, first);
    QVERIFY2(imported.isOk(), qPrintable(textOf(imported)));
    QCOMPARE(imported->runs.size(), std::size_t{2});
    QCOMPARE(imported->specs.size(), std::size_t{1});
    const auto spec = experiment::parseSpec(imported->specs.front().toStdString());
    QVERIFY2(spec.isOk(), qPrintable(textOf(spec)));
    QCOMPARE(QByteArray::fromStdString(experiment::toJson(*spec)), imported->specs.front());

    const auto again = BundleDraft::create(*other, other->list(), Names::LeaveOut);
    QVERIFY2(again.isOk(), qPrintable(textOf(again)));
    const QString second = m_folder->filePath(u"again.lockstep"_s);
    QVERIFY(again->write(second).isOk());
    QVERIFY(!contentOf(first).isEmpty());
    QVERIFY(contentOf(first) == contentOf(second));
    for (const QString& id : {FirstRun, SecondRun}) {
        const auto mine = m_store->load({id.toStdString()});
        const auto theirs = other->load({id.toStdString()});
        QCOMPARE(theirs->loss.value, mine->loss.value);
        QCOMPARE(theirs->summary.msPerStep, mine->summary.msPerStep);
        QCOMPARE(theirs->createdNs, mine->createdNs);
    }
    QVERIFY(contentOf(goodBundle(u"third.lockstep"_s)) == contentOf(first));
}

void TestBundle::savedViewsGoWithTheirRuns()
{
    goodBundle();
    const QString all = u"\"%1\", \"%2\""_s.arg(FirstRun, SecondRun);
    for (const auto& [name, runs] : std::initializer_list<std::pair<QString, QString>>{
             {u"Both, in /home/alice/x"_s, all}, {u"损失"_s, u"\"%1\""_s.arg(SecondRun)},
             {u"of another run"_s, u"\"20261122-191949-aaaa\""_s}, {u"of none"_s, QString()}}) {
        QVERIFY(writeView(m_store->folder(), name, viewOf(name, runs)).isOk());
    }
    const QString first = goodBundle(u"views.lockstep"_s);
    const auto archive = ZipReader::open(first);
    QVERIFY(archive.isOk());
    QCOMPARE(
        archive->members().size(), std::size_t{7}); // bundle.json, spec.json, environment.json, two views, two runs
    auto other = storeIn(u"other"_s);
    QVERIFY(writeView(other->folder(), u"损失"_s, viewOf(u"损失"_s, {})).isOk()); // another view of that name
    auto imported = importBundle(*other, first);
    QVERIFY2(imported.isOk(), qPrintable(textOf(imported)));
    const QStringList names{u"Both, in ~/x"_s, u"损失 (2)"_s};
    QCOMPARE(imported->views, names);
    QCOMPARE(contentOf(viewPath(other->folder(), names[0])), viewOf(names[0], all));
    QCOMPARE(contentOf(viewPath(other->folder(), names[1])), viewOf(names[1], u"\"%1\""_s.arg(SecondRun)));
    QCOMPARE(contentOf(viewPath(other->folder(), u"损失"_s)), viewOf(u"损失"_s, {}));
    QVERIFY(!importBundle(*other, first).isOk()); // all of it is there

    // Opened in an empty store and saved again: the same bytes, with the views.
    auto empty = storeIn(u"empty"_s);
    QVERIFY(importBundle(*empty, first).isOk());
    const auto again = BundleDraft::create(*empty, empty->list(), Names::LeaveOut);
    QVERIFY(again.isOk());
    QCOMPARE(again->contents().views, (QStringList{names[0], u"损失"_s}));
    QVERIFY(again->listing().find("views/2.json: the saved view 损失\n") != std::string::npos);
    const QString second = m_folder->filePath(u"again.lockstep"_s);
    QVERIFY(again->write(second).isOk());
    QVERIFY(contentOf(first) == contentOf(second));
}

void TestBundle::whatIsImportedIsMarked()
{
    const analysis::RunRecord own = talkativeRun(*m_store);
    QVERIFY(!own.id.isEmpty());
    QCOMPARE(m_store->list().front().importedFrom, std::string());
    const auto draft = BundleDraft::create(*m_store, m_store->list(), Names::LeaveOut);
    QVERIFY2(draft.isOk(), qPrintable(textOf(draft)));
    const QString path = m_folder->filePath(u"from alice.lockstep"_s);
    QVERIFY(draft->write(path).isOk());
    auto other = storeIn(u"other"_s);
    QVERIFY(importBundle(*other, path).isOk());
    QCOMPARE(other->list().front().importedFrom, std::string("from alice.lockstep"));
    QCOMPARE(other->load(own.id)->importedFrom, std::string("from alice.lockstep"));
    other.reset();
    QVERIFY(QFile::remove(m_folder->filePath(u"other/index.sqlite"_s)));
    other = storeIn(u"other"_s);
    QCOMPARE(other->list().front().importedFrom, std::string("from alice.lockstep"));
    QVERIFY(other->remove(own.id).isOk());
    QVERIFY(other->restore(own.id).isOk());
    QCOMPARE(other->list().front().importedFrom, std::string("from alice.lockstep"));
}

void TestBundle::namesAreLeftOut()
{
    QVERIFY(!talkativeRun(*m_store).id.isEmpty());
    const auto draft = BundleDraft::create(*m_store, m_store->list(), Names::LeaveOut);
    QVERIFY2(draft.isOk(), qPrintable(textOf(draft)));
    const QString listing = QString::fromStdString(draft->listing());
    QVERIFY2(listing.contains(u"host names (1) and user names left out"_s), qPrintable(listing));
    QVERIFY2(listing.contains(u"2 cores"_s), qPrintable(listing));
    const QString path = m_folder->filePath(u"x.lockstep"_s);
    QVERIFY(draft->write(path).isOk());
    const auto archive = ZipReader::open(path);
    QVERIFY2(archive.isOk(), qPrintable(textOf(archive)));
    QCOMPARE(archive->members().front().name, u"bundle.json"_s);
    const auto manifest = archive->read(u"bundle.json"_s, MaxUnpackedBytes);
    QVERIFY(manifest.isOk());
    QVERIFY(manifest->contains("\"program\": \"" LOCKSTEP_VERSION "\""));
    for (const ZipMember& member : archive->members()) {
        // The whole database, with what its pages do not use.
        const auto content = archive->read(member.name, MaxUnpackedBytes);
        QVERIFY(content.isOk());
        for (const char* secret : {"alice", "GPU-12ab34"}) {
            QVERIFY2(!content->contains(secret), qPrintable(member.name + u": "_s + QLatin1StringView(secret)));
        }
    }
    auto other = storeIn(u"other"_s);
    const auto imported = importBundle(*other, path);
    QVERIFY2(imported.isOk(), qPrintable(textOf(imported)));
    const auto record = other->load(imported->runs.front());
    QCOMPARE(record->spec.settings->dataset.path, std::string("~/mnist"));
    QCOMPARE(record->spec.settings->checkpoint.path, std::string("/scratch/home/user/kept"));
    QCOMPARE(record->machines.front().host, std::string("machine 1"));
    Delta all;
    QVERIFY(other
                ->replay(record->id,
                    [&](const Delta& delta) {
                        all.append(delta);
                        return true;
                    })
                .isOk());
    QCOMPARE(all.hellos.front().what.host, std::string("machine 1"));
    QCOMPARE(all.logs.front().what.text, std::string("machine 1: ~/x, /media/user/usb, 一行"));
}

void TestBundle::namesAreKeptIfAsked()
{
    const analysis::RunRecord own = talkativeRun(*m_store);
    const auto draft = BundleDraft::create(*m_store, m_store->list(), Names::Keep);
    QVERIFY2(draft.isOk(), qPrintable(textOf(draft)));
    const QString path = m_folder->filePath(u"x.lockstep"_s);
    QVERIFY(draft->write(path).isOk());
    auto other = storeIn(u"other"_s);
    QVERIFY(importBundle(*other, path).isOk());
    const auto record = other->load(own.id);
    QCOMPARE(record->machines.front().host, std::string("alices-laptop"));
    QCOMPARE(record->spec.settings->dataset.path, std::string("~/mnist")); // home folders are always shortened
}

/// A run of an earlier version, or of a program of one's own.
void TestBundle::settingsThatAreNoLongerAllowedAreChangedToo()
{
    analysis::RunRecord record;
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    record.spec.settings["dataset.path"] = std::string("/home/alice/mnist");
    record.spec.settings["train.batch"] = std::int64_t{-5};
    record.spec.settings["own.reader"] = std::string("bob");
    PrivateNames(Names::LeaveOut, Identity{u"/home/bob"_s, u"bob"_s, u"node7"_s}).change(record);
    QCOMPARE(record.spec.settings->dataset.path, std::string("~/mnist"));
    QCOMPARE(std::get<std::string>(record.spec.settings.at("own.reader")), std::string("user"));
    QCOMPARE(std::string(nameOf(record.spec.settings->optimizer.name)),
        std::string(nameOf(experiment::expand(*experiment::preset("optimizers"))->front().settings->optimizer.name)));
}

void TestBundle::changingTwiceIsChangingOnce()
{
    const Identity here{u"/srv/people/bob"_s, u"bob"_s, u"node7"_s};
    Delta delta;
    delta.logs.push_back(
        {0, {1, wire::LogLevel::Info, "bob@node7: /srv/people/bob/a /srv/people/bobby /root/b bobsled"}});
    PrivateNames once(Names::LeaveOut, here);
    once.change(delta);
    const std::string text = delta.logs.front().what.text;
    QCOMPARE(text, std::string("user@host: ~/a /srv/people/bobby ~/b bobsled"));
    PrivateNames twice(Names::LeaveOut, here);
    twice.change(delta);
    QCOMPARE(delta.logs.front().what.text, text);
}

void TestBundle::runsThatAreThereStayAsTheyAre()
{
    const QString path = goodBundle();
    const QString message = textOf(importBundle(*m_store, path));
    QVERIFY2(message.endsWith(u"every run of it is in this store already"_s), qPrintable(message));
    QVERIFY(m_store->rename({FirstRun.toStdString()}, u"mine"_s).isOk());
    QVERIFY(m_store->remove({SecondRun.toStdString()}).isOk());
    const auto imported = importBundle(*m_store, path);
    QVERIFY2(imported.isOk(), qPrintable(textOf(imported)));
    QCOMPARE(imported->runs, std::vector<RunId>{{SecondRun.toStdString()}});
    QCOMPARE(imported->alreadyThere, std::vector<RunId>{{FirstRun.toStdString()}});
    QCOMPARE(m_store->load({FirstRun.toStdString()})->label, std::string("mine"));
}

void TestBundle::hostileBundlesAreRefused_data()
{
    // Only what a row changes in it is refused: openedAndSavedAgainItIsTheSame opens the same bundle.
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = storeIn(u"mine"_s);
    QVERIFY(QFile::copy(goodBundle(), m_good.filePath(u"good.lockstep"_s)));
    QTest::addColumn<QString>("says");
    const auto row = [](const char* kind, const char* says) { QTest::newRow(kind) << QString::fromLatin1(says); };
    row("absolute", "names must be relative");
    row("parent", "names must be relative");
    row("backslash", "names must be relative");
    row("link", "is a link");
    row("double", "two members");
    row("many", "at most 10000 are allowed");
    row("ratio", "by a factor of more than 200");
    row("huge", "more than 4 GiB");
    row("size lies", "is damaged or was cut short");
    row("newer", "of version 3, from a later version");
    row("no manifest", "no member \"bundle.json\"");
    row("extra member", "not those that its bundle.json names");
    row("missing run", "not those that its bundle.json names");
    row("manifest is no json", "is not that of a bundle");
    row("cut short", "was cut short");
    row("no zip", "is not a zip archive");
    row("spec", "its spec.json: ");
    row("saved view of another run", "draws run 20200101-000000-aaaa, which is not in it");
    row("saved view of a newer version", "its views/1.json: it was saved by a later version");
    row("saved view with more", "its views/1.json: it is not a saved view");
    row("saved view with an escape", "its views/1.json: it is not a saved view");
    row("saved view, large", "views/1.json");
    row("view", "it has a view \"v\"");
    row("view for a table", "it has a view \"logs\"");
    row("trigger", "it has a trigger \"t\"");
    row("index", "it has a index \"i\"");
    row("generated column", "it has a table \"logs\"");
    row("check", "it has a table \"more\"");
    row("virtual table", "it has a table \"more");
    row("rank", "a row of rank -7");
    row("phase", "phase");
    row("state", "unknown state of a rank");
    row("other run", "it is another run, 20200101-000000-aaaa");
    row("format", "format 9");
    row("damaged page", "its run ");
    row("last run", "it has a view \"v\"");
}

void TestBundle::hostileBundlesAreRefused()
{
    QFETCH(QString, says);
    const QString path = hostile(QString::fromLatin1(QTest::currentDataTag()), m_good.filePath(u"good.lockstep"_s));
    QVERIFY2(QFile::exists(path), qPrintable(path));
    auto other = storeIn(u"other"_s);
    const QString message = textOf(importBundle(*other, path));
    QVERIFY2(message.contains(says), qPrintable(message));
    QVERIFY2(!message.contains(u'\n'), qPrintable(message));
    QCOMPARE(filesIn(other->folder()), QStringList());
    QVERIFY(other->list().empty());
    QVERIFY(!QFile::exists(u"/tmp/lockstep-evil"_s));
}

void TestBundle::aHostileRunFileIsRefused()
{
    const auto archive = ZipReader::open(hostile(u"trigger"_s, goodBundle()));
    QVERIFY2(archive.isOk(), qPrintable(textOf(archive)));
    const QString file = m_folder->filePath(u"trigger.run"_s);
    for (const ZipMember& member : archive->members()) {
        if (member.name == u"runs/"_s + FirstRun + u".run"_s) {
            QVERIFY(archive->extract(member.name, file).isOk());
        }
    }
    auto other = storeIn(u"other"_s);
    const QString message = textOf(other->import(file));
    QVERIFY2(message.contains(u"it has a trigger \"t\""_s), qPrintable(message));
    QCOMPARE(filesIn(other->folder()), QStringList());
}

void TestBundle::runsThatGoOnAreRefused()
{
    analysis::RunRecord record;
    record.id = makeRunId(1'795'000'000, 1);
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    record.status = analysis::RunStatus::Running;
    const auto writer = m_store->create(record);
    QVERIFY(writer.isOk());
    const QString message = textOf(BundleDraft::create(*m_store, m_store->list(), Names::LeaveOut));
    QVERIFY2(message.contains(u"has not ended yet"_s), qPrintable(message));
}

void TestBundle::noMemberIsCompressedTooMuch()
{
    const QString path = m_folder->filePath(u"zeros.zip"_s);
    const archive::ZipInput zeros{"zeros", std::string(5'000'000, '\0')};
    QVERIFY(archive::writeZip(path.toStdString(), std::span(&zeros, 1)).isOk());
    const auto reader = ZipReader::open(path);
    QVERIFY2(reader.isOk(), qPrintable(textOf(reader)));
    const auto content = reader->read(u"zeros"_s, MaxUnpackedBytes);
    QVERIFY(content && content->toStdString() == zeros.content);
}

LOCKSTEP_TEST(TestBundle)
#include "test_bundle.moc"
