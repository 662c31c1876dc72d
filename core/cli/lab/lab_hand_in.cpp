// `lockstep lab hand-in`, and `lab check` of a hand-in.
#include "base/translate.h"
#include "cli/lab/lab_commands.h"
#include "cli/verbs.h"
#include "laboratory/hand_in.h"
#include "language/language.h"
#include "store/run_store.h"

#include <QFileInfo>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

std::string missingText(const laboratory::Missing& missing, const laboratory::Laboratory& lab)
{
    const std::string what = language::translated("Laboratory", laboratory::textOf(missing.kind));
    const laboratory::Step* step = lab.find(missing.step);
    return step == nullptr ? what : step->id + ": " + what;
}

/// What a lecturer sees of a hand-in in lines.
std::string handInText(const laboratory::HandIn& handIn)
{
    std::string text = language::told(LS_TR("CommandLine", "%1, revision %2, handed in at %3"),
                           {handIn.laboratory.id, std::to_string(handIn.laboratory.revision), handIn.at})
        + "\n";
    for (const laboratory::Student& each : handIn.state.students()) {
        text += each.number + "  " + each.name + "\n";
    }
    for (const laboratory::Step& step : handIn.laboratory.steps) {
        if (const auto* sealed = handIn.state.sealOf(step.id)) {
            text += language::told(
                        LS_TR("CommandLine", "%1: sealed at %2, code %3"), {step.id, sealed->at, sealed->code})
                + "\n";
        }
    }
    for (const auto& missing : handIn.state.missing(handIn.laboratory)) {
        text += language::told(LS_TR("CommandLine", "missing: %1"), {missingText(missing, handIn.laboratory)}) + "\n";
    }
    return text + language::translated("Laboratory", laboratory::WhatSealsShow) + "\n";
}

} // namespace

Result<QString> workNamed(const QString& store, const QString& word)
{
    QString found;
    for (const QString& folder : laboratory::workFoldersIn(store)) {
        const QString name = QFileInfo(folder).fileName();
        if (name == word) {
            return folder;
        }
        const bool isNewer
            = found.isEmpty() || name.section(u'-', -1).toInt() > QFileInfo(found).fileName().section(u'-', -1).toInt();
        if (name.section(u'-', 0, -2) == word && isNewer) {
            found = folder;
        }
    }
    return found.isEmpty() ? Result<QString>(
               failure(LS_TR("Messages", "no work on %1 was begun in the store %2; lockstep lab list shows it"),
                   {verbatim(word.toStdString()), verbatim(store.toStdString())}))
                           : Result<QString>(found);
}

Result<int> checkHandIn(const Arguments& arguments)
{
    const QString& path = arguments.positional().front();
    const std::string expected = arguments.value(u"--laboratory"_s).toStdString();
    auto read = laboratory::readHandIn(path, expected);
    if (!read) {
        return during(verbatim(path.toStdString()), read.error());
    }
    laboratory::HandIn& handIn = *read;
    if (arguments.has(u"--runs"_s)) {
        LOCKSTEP_TRY_ASSIGN(handIn, laboratory::openHandIn(path, arguments.value(u"--runs"_s)));
    }
    Json codes = Json::object();
    bool isOk = !handIn.journal.fault();
    for (const QString& code : arguments.values(u"--code"_s)) {
        const bool isThere = handIn.journal.hasSealCode(code.toStdString());
        codes[code.toStdString()] = isThere;
        isOk = isOk && isThere;
        if (!isThere) {
            report(language::told(LS_TR("CommandLine", "no seal has the code %1"), {code.toStdString()}));
        }
    }
    if (const auto& fault = handIn.journal.fault()) {
        report(language::errorLine(*fault));
    }
    if (arguments.has(u"--json"_s)) {
        Json json{{"version", 1}, {"ok", isOk},
            {"fault", handIn.journal.fault() ? Json(handIn.journal.fault()->text()) : Json()}, {"codes", codes}};
        json["handin"] = Json::parse(handIn.json);
        const int printed = printOrFail(json.dump(2) + "\n");
        return isOk ? printed : ExitBadInput;
    }
    const int printed = printOrFail(handInText(handIn));
    return isOk ? printed : ExitBadInput;
}

Result<int> handInLab(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages", "lab hand-in: needs the id of one laboratory; lockstep lab list shows them"));
    }
    LOCKSTEP_TRY_ASSIGN(const QString folder, workNamed(storeOf(arguments), arguments.positional().front()));
    LOCKSTEP_TRY_ASSIGN(const auto work, laboratory::Work::openFolder(folder));
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(storeOf(arguments)));
    LOCKSTEP_TRY_ASSIGN(const auto draft, laboratory::HandInDraft::create(*work, *store, LOCKSTEP_VERSION));
    const QString out
        = arguments.value(u"--out"_s, laboratory::handInName(work->state().students(), work->laboratory()));
    Json missing = Json::array();
    for (const auto& each : draft.missing()) {
        missing.push_back({{"step", each.step}, {"what", std::string(laboratory::textOf(each.kind))}});
        report(language::told(LS_TR("CommandLine", "missing: %1"), {missingText(each, work->laboratory())}));
    }
    if (draft.lostRuns() > 0) {
        report(language::told(
            LS_TR("CommandLine", "runs that are no longer in the store: %1"), {std::to_string(draft.lostRuns())}));
    }
    LOCKSTEP_TRY(draft.write(out));
    const std::string path = QFileInfo(out).absoluteFilePath().toStdString();
    return printOrFail(arguments.has(u"--json"_s)
            ? Json{{"version", 1}, {"file", path}, {"missing", missing}, {"members", draft.members()}}.dump(2) + "\n"
            : path + "\n");
}

} // namespace lockstep::cli
