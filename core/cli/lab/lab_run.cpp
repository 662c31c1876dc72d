// `lockstep lab run`: what Run does at an experiment step in the window.
#include "base/translate.h"
#include "cli/lab/lab_commands.h"
#include "cli/run/carry_out.h"
#include "cli/run/read_runs.h"
#include "cli/verbs.h"
#include "laboratory/named_laboratory.h"
#include "laboratory/work.h"
#include "plan/check.h"

#include <QFileInfo>

#include <memory>
#include <utility>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

/// The work of this number: begins it where there is none.
Result<std::unique_ptr<laboratory::Work>> workOf(const Arguments& arguments, const laboratory::Laboratory& lab)
{
    LOCKSTEP_TRY_ASSIGN(auto work, laboratory::Work::open(storeOf(arguments), lab));
    const std::string number = arguments.value(u"--number"_s).toStdString();
    if (const std::string other = work->state().number(); !other.empty() && other != number) {
        return refusal("--number", LS_TR("Messages", "the work in this store is of the number %1"), {verbatim(other)});
    }
    if (work->state().number().empty()) {
        LOCKSTEP_TRY(work->setStudents({{arguments.value(u"--name"_s).toStdString(), number}}));
    }
    return work;
}

/// The work that the runs are added to; null in a preview.
Result<std::unique_ptr<laboratory::Work>> workFor(const Arguments& arguments, const laboratory::Laboratory& lab)
{
    if (arguments.has(u"--preview"_s)) {
        return std::unique_ptr<laboratory::Work>();
    }
    if (arguments.has(u"--number"_s)) {
        return workOf(arguments, lab);
    }
    const QString begun = QFileInfo(laboratory::workFolderOf({}, lab)).fileName();
    LOCKSTEP_TRY_ASSIGN(const QString folder, workNamed(storeOf(arguments), arguments.value(u"--work"_s, begun)));
    LOCKSTEP_TRY_ASSIGN(auto work, laboratory::Work::openFolder(folder));
    if (work->laboratory().id != lab.id) {
        return refusal("--work", LS_TR("Messages", "the work is on %1, the laboratory is %2"),
            {verbatim(work->laboratory().id), verbatim(lab.id)});
    }
    return work;
}

} // namespace

Result<int> runLab(const Arguments& arguments, const CommandContext& context)
{
    if (arguments.positional().size() != 1 || !arguments.has(u"--step"_s)) {
        return failure(LS_TR("Messages", "lab run: needs one laboratory, and its experiment step in --step"));
    }
    if (arguments.has(u"--number"_s) && arguments.has(u"--work"_s)) {
        return refusal("--number", LS_TR("Messages", "leave it out: the work of --work has its student's number"));
    }
    LOCKSTEP_TRY_ASSIGN(const auto lab, laboratory::laboratoryNamed(arguments.positional().front()));
    const std::string id = arguments.value(u"--step"_s).toStdString();
    const laboratory::Step* step = lab.find(id);
    if (step == nullptr) {
        return refusal(
            "--step", LS_TR("Messages", "the laboratory %1 has no step %2"), {verbatim(lab.id), verbatim(id)});
    }
    LOCKSTEP_TRY_ASSIGN(const auto work, workFor(arguments, lab));
    LOCKSTEP_TRY_ASSIGN(const auto overrides, overridesOf(arguments));
    const std::string number = arguments.value(u"--number"_s, u"0"_s).toStdString();
    LOCKSTEP_TRY_ASSIGN(const auto spec,
        work != nullptr ? work->specToRun(id, overrides) : laboratory::specOf(*step, number, overrides));
    LOCKSTEP_TRY_ASSIGN(const auto runs, experiment::expand(spec));
    LOCKSTEP_TRY(plan::checkAll(runs));
    Result<void> added;
    const auto add
        = [&](const std::vector<RunId>& ids) { added = work != nullptr ? work->addRuns(id, ids) : Result<void>(); };
    const auto ended = carryOut(runs, arguments, context, add);
    LOCKSTEP_TRY(std::move(added));
    return ended;
}

} // namespace lockstep::cli
