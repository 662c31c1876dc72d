#include "base/draft_folder.h"
#include "base/translate.h"
#include "exchange/bundle/import_bundle.h"
#include "exchange/bundle/zip_reader.h"
#include "laboratory/careful_json.h"
#include "laboratory/code/run_trial.h"
#include "laboratory/entry_json.h"
#include "laboratory/hand_in.h"
#include "laboratory/hand_in_names.h"
#include "laboratory/read_laboratory.h"
#include "store/foreign_run.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t LargestDocument = std::uint64_t{64} << 20; ///< parsed, it needs some twenty times that

QString memberName(const char* name)
{
    return QString::fromLatin1(name);
}

bool has(const exchange::ZipReader& archive, const char* name)
{
    return std::ranges::find(archive.members(), memberName(name), &exchange::ZipMember::name)
        != archive.members().end();
}

/// `code/adam.py`: not in a folder of that.
bool isCode(const QString& member)
{
    const QString folder = QLatin1StringView(HandInCode);
    return member.startsWith(folder) && member.size() > folder.size() && !member.mid(folder.size()).contains(u'/');
}

/// handin.json, if the archive is a hand-in of this version and has nothing else in it.
Result<Json> describedIn(const exchange::ZipReader& archive)
{
    const std::array Known{HandInName, HandInLaboratory, HandInJournal, HandInRuns};
    if (!has(archive, HandInName)) {
        return failure(LS_TR("Messages", "it is not a hand-in"));
    }
    for (const exchange::ZipMember& member : archive.members()) {
        if (std::ranges::find(Known, member.name.toStdString()) == Known.end() && !isCode(member.name)) {
            return failure(
                LS_TR("Messages", "its file %1 has no place in a hand-in"), {verbatim(member.name.toStdString())});
        }
    }
    LOCKSTEP_TRY_ASSIGN(const QByteArray text, archive.read(memberName(HandInName), LargestDocument));
    Json json = carefulJson(text.toStdString());
    const Json version = json.is_object() ? json.value("version", Json()) : Json();
    if (textIn(json, "format") != HandInFormat || !version.is_number_integer()) {
        return failure(LS_TR("Messages", "it is not a hand-in"));
    }
    if (version.get<std::int64_t>() > HandInVersion) {
        return failure(
            LS_TR("Messages", "it is a hand-in of version %1, from a later version of Lockstep; this program reads %2"),
            {version.get<std::int64_t>(), HandInVersion});
    }
    return json;
}

Result<Laboratory> laboratoryIn(const exchange::ZipReader& archive)
{
    LOCKSTEP_TRY_ASSIGN(const auto folder, DraftFolder::makeTemporary());
    const QString file = QString::fromStdString(folder.file(HandInLaboratory));
    LOCKSTEP_TRY(archive.extract(memberName(HandInLaboratory), file));
    auto laboratory = readLaboratory(file);
    return laboratory ? std::move(laboratory)
                      : during(LS_TR("Messages", "its laboratory"), failureOf(laboratory.error().cause));
}

Result<HandIn> handInOf(const exchange::ZipReader& archive, const std::string& expected)
{
    LOCKSTEP_TRY_ASSIGN(const Json json, describedIn(archive));
    LOCKSTEP_TRY_ASSIGN(Laboratory laboratory, laboratoryIn(archive));
    if (!expected.empty() && laboratory.id != expected) {
        return failure(
            LS_TR("Messages", "it is a hand-in of %1, not of %2"), {verbatim(laboratory.id), verbatim(expected)});
    }
    LOCKSTEP_TRY_ASSIGN(const QByteArray bytes, archive.read(memberName(HandInJournal), LargestDocument));
    Journal journal = Journal::fromBytes(bytes.toStdString(), textIn(json.value("journal", Json()), "head"));
    const bool isBegun
        = !journal.entries().empty() && textIn(journal.entries().front().content, "laboratory") == laboratory.id;
    if (!isBegun) {
        return failure(LS_TR("Messages", "its journal is not of its laboratory, %1"), {verbatim(laboratory.id)});
    }
    WorkState state;
    for (const Entry& entry : journal.entries()) {
        state.take(entry);
    }
    HandIn handIn{std::move(laboratory), std::move(state), std::move(journal), textIn(json, "at"), json.dump(), {}, {}};
    for (const Step& step : handIn.laboratory.steps) {
        const auto* code = step.as<CodeStep>();
        if (code != nullptr && has(archive, code->templateFile.c_str())) {
            LOCKSTEP_TRY_ASSIGN(
                handIn.code[step.id], archive.read(QString::fromStdString(code->templateFile), LargestCode));
        }
    }
    return handIn;
}

/// The runs of the bundle in it, each from its own file.
Result<void> readRunsInto(HandInRunsRead& read, const QString& path)
{
    LOCKSTEP_TRY_ASSIGN(const auto archive, exchange::ZipReader::open(path));
    if (!has(archive, HandInRuns)) {
        return {};
    }
    LOCKSTEP_TRY_ASSIGN(const auto draft, DraftFolder::makeTemporary());
    const QString bundle = QString::fromStdString(draft.file(HandInRuns));
    LOCKSTEP_TRY(archive.extract(memberName(HandInRuns), bundle));
    LOCKSTEP_TRY_ASSIGN(const auto runs, exchange::ZipReader::open(bundle));
    for (const exchange::ZipMember& member : runs.members()) {
        if (!member.name.endsWith(u".run"_s)) {
            continue;
        }
        const QString file = QString::fromStdString(draft.file(std::to_string(member.index) + ".run"));
        const auto extracted = runs.extract(member.name, file);
        auto run = extracted ? store::readForeignRun(file) : Result<analysis::RunRecord>(extracted.error());
        if (run && QString::fromStdString(run->id.text) != QFileInfo(member.name).completeBaseName()) {
            run = failure(LS_TR("Messages", "it is another run, %1"), {verbatim(run->id.text)});
        }
        if (run) {
            read.runs.push_back(*std::move(run));
        } else {
            read.refused.push_back(
                during({LS_TR("Messages", "its run %1"), {verbatim(member.name.toStdString())}}, run.error()));
        }
    }
    return {};
}

} // namespace

HandInRunsRead readHandInRuns(const QString& path)
{
    HandInRunsRead read;
    if (const auto done = readRunsInto(read, path); !done) {
        read.refused.push_back(done.error());
    }
    return read;
}

bool isHandIn(const QString& path)
{
    return path.endsWith(QLatin1StringView(HandInSuffix), Qt::CaseInsensitive) && QFileInfo(path).isFile();
}

Result<HandIn> readHandIn(const QString& path, const std::string& expected)
{
    auto archive = exchange::ZipReader::open(path);
    auto handIn = archive ? handInOf(*archive, expected) : Result<HandIn>(archive.error());
    return handIn ? std::move(handIn)
                  : during({LS_TR("Messages", "%1 cannot be opened"), {verbatim(path.toStdString())}}, handIn.error());
}

Result<HandIn> openHandIn(const QString& path, const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(HandIn handIn, readHandIn(path));
    LOCKSTEP_TRY_ASSIGN(const auto archive, exchange::ZipReader::open(path));
    if (!has(archive, HandInRuns)) {
        return handIn;
    }
    if (const QDir place(folder); place.exists() && !place.isEmpty()) { // runs of two students would mix
        return failure(LS_TR("Messages", "%1 already exists; name a new folder"), {verbatim(folder.toStdString())});
    }
    LOCKSTEP_TRY_ASSIGN(const auto draft, DraftFolder::makeTemporary());
    const QString bundle = QString::fromStdString(draft.file(HandInRuns));
    LOCKSTEP_TRY(archive.extract(memberName(HandInRuns), bundle));
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    LOCKSTEP_TRY(exchange::importBundle(*store, bundle));
    handIn.storeFolder = folder;
    return handIn;
}

} // namespace lockstep::laboratory
