#include "core/laboratory/grading/class_fixture.h"

#include "core/laboratory/laboratory_fixture.h"
#include "core/truth/truth_stores.h"
#include "exchange/bundle/zip_reader.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockstep::tests {

using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

namespace {

template <typename T>
T valueOf(Result<T> result)
{
    if (!result) {
        qFatal("%s", result.error().text().c_str());
    }
    return *std::move(result);
}

void demand(const Result<void>& result)
{
    if (!result) {
        qFatal("%s", result.error().text().c_str());
    }
}

Laboratory classLaboratory()
{
    LabJson description = sampleDescription();
    for (LabJson& step : description["steps"]) {
        step.erase("seed");
    }
    const auto both = [](const char* text) { return LabJson{{"en", text}, {"zh", text}}; };
    LabJson count{{"id", "count"}, {"kind", "question"}, {"title", both("Count")}, {"form", "number"},
        {"unit", both("ms")}, {"about", {{"step", "run"}}}};
    LabJson rank{{"id", "rank"}, {"kind", "question"}, {"title", both("Rank")}, {"form", "order"}};
    for (const char* id : {"a", "b", "c"}) {
        rank["choices"].push_back({{"id", id}, {"text", both(id)}});
    }
    description["steps"].push_back(count);
    description["steps"].push_back(rank);
    const QTemporaryDir folder;
    writeFolder(filesWith(description), folder.path());
    return valueOf(readLaboratory(folder.path()));
}

std::vector<archive::ZipInput> membersOf(const QString& path)
{
    const auto archive = valueOf(exchange::ZipReader::open(path));
    std::vector<archive::ZipInput> members;
    for (const auto& member : archive.members()) {
        members.push_back({member.name.toStdString(), valueOf(archive.read(member.name, 1u << 28u)).toStdString()});
    }
    return members;
}

/// Another id of the same length.
std::string idOf(const RunId& run, int number)
{
    return run.text.substr(0, run.text.size() - 4) + QString::number(number).rightJustified(4, u'0').toStdString();
}

void replaceAll(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

} // namespace

MadeUpClass::MadeUpClass()
    : m_laboratory(classLaboratory())
    , m_key(valueOf(parseKey(R"({"laboratory":"sample","revision":2,"steps":{
        "guess":{"points":1},"run":{"points":2},"why":{"points":3},"pick":{"answer":"yes","points":1},
        "count":{"answer":"2*n","tolerance":0.05,"points":2},"rank":{"answer":["a","b","c"],"points":3},
        "claim":{"points":2},"ring":{"points":4}}})",
          "key")))
{
    TruthRow row
        = *std::ranges::find_if(truthTable(), [](const TruthRow& each) { return each.preset == "optimizers"; });
    row.repeats = static_cast<int>(Repeats);
    const auto made = valueOf(truthRuns(row));
    m_records = recordsOf(made);
    const QString storeFolder = m_folder.filePath(u"store"_s);
    demand(writeTruth(made, storeFolder));
    const auto store = valueOf(store::RunStore::open(storeFolder));
    const auto draft = valueOf(exchange::BundleDraft::create(*store, m_records, exchange::Names::LeaveOut));
    const QString bundle = m_folder.filePath(u"runs.lockstep"_s);
    demand(draft.write(bundle));
    m_bundle = membersOf(bundle);
}

std::vector<RunId> MadeUpClass::idsOf(int number) const
{
    std::vector<RunId> ids;
    for (const analysis::RunRecord& run : m_records) {
        ids.push_back({idOf(run.id, number)});
    }
    return ids;
}

std::string MadeUpClass::bundleOf(int number) const
{
    std::vector<archive::ZipInput> members = m_bundle;
    for (archive::ZipInput& member : members) {
        for (const analysis::RunRecord& run : m_records) {
            if (!member.name.ends_with(".run") || member.name.find(run.id.text) != std::string::npos) {
                replaceAll(member.content, run.id.text, idOf(run.id, number));
                replaceAll(member.content, std::to_string(run.createdNs), std::to_string(run.createdNs + number));
                replaceAll(member.name, run.id.text, idOf(run.id, number));
            }
        }
    }
    return valueOf(archive::zipped(members));
}

Claim MadeUpClass::claim(bool holds) const
{
    Claim claim{ClaimKind::Less, "final_loss", "Adam", "SGD", 0.0, {}, {}};
    if ((verdictOf(claim, m_records).judgement == Judgement::Holds) != holds) {
        claim.kind = ClaimKind::Greater;
    }
    return claim;
}

std::vector<archive::ZipInput> MadeUpClass::members(const MadeUpWork& made)
{
    const QString folder = m_folder.filePath(QString::number(++m_works));
    const auto store = valueOf(store::RunStore::open(folder));
    const auto work = valueOf(Work::open(folder, m_laboratory));
    demand(work->setStudents(made.students));
    for (const char* step : {"guess", "amount", "order", "curve"}) {
        const Prediction prediction = step == std::string("guess") ? Prediction{DirectionPrediction{made.direction}, {}}
            : step == std::string("amount")                        ? Prediction{NumberPrediction{0.5, 0.1, 1.0}, {}}
            : step == std::string("order") ? Prediction{OrderPrediction{{"Adam", "SGD", "GD"}}, {}}
                                           : Prediction{CurvePrediction{{{1.0, 2.0}, {1000.0, 0.1}}}, {}};
        if (const auto sealed = work->seal(step, prediction); !sealed) {
            qFatal("%s: %s", step, sealed.error().text().c_str());
        }
    }
    demand(work->addRuns("run", idsOf(made.runsOf)));
    demand(work->type("pick", {made.pick, {}}));
    demand(work->type("count", {made.count, {}}));
    demand(work->type("rank", {{}, made.rank}));
    demand(work->type("why", {made.why, {}}));
    demand(work->writeTyped());
    demand(work->addClaim("claim", claim(made.claimHolds)));
    const QString path = m_folder.filePath(u"%1.handin"_s.arg(m_works));
    demand(valueOf(HandInDraft::create(*work, *store, "1")).write(path));
    auto members = membersOf(path);
    members.push_back({"runs.lockstep", bundleOf(made.runsOf)});
    return members;
}

std::string MadeUpClass::handIn(const MadeUpWork& work)
{
    return valueOf(archive::zipped(members(work)));
}

bool writeFile(const QString& path, const std::string& bytes)
{
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly)
        && file.write(QByteArray::fromStdString(bytes)) == static_cast<qint64>(bytes.size());
}

} // namespace lockstep::tests
