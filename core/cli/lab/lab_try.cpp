// `lockstep lab try`: the verdict on a file of a code step.
#include "base/translate.h"
#include "cli/lab/lab_commands.h"
#include "cli/verbs.h"
#include "laboratory/code/run_trial.h"
#include "laboratory/named_laboratory.h"
#include "language/wording.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr int ExitWrong = 1;

Result<const laboratory::Step*> stepNamed(const laboratory::Laboratory& lab, const std::string& id)
{
    std::vector<const laboratory::Step*> checked;
    std::vector<std::string> ids;
    for (const laboratory::Step& step : lab.steps) {
        const auto* code = step.as<laboratory::CodeStep>();
        if (code == nullptr || laboratory::exerciseOf(*code) == nullptr) {
            continue;
        }
        ids.push_back(step.id);
        if (id.empty() || step.id == id) {
            checked.push_back(&step);
        }
    }
    if (checked.size() == 1) {
        return checked.front();
    }
    return refusal("--step",
        ids.empty() ? LS_TR("Messages", "the laboratory %1 has no code that is checked")
                    : LS_TR("Messages", "name one of the code steps of %1: %2"),
        {verbatim(lab.id), verbatim(listed(ids))});
}

Json jsonOf(const laboratory::CodeVerdict& verdict, const laboratory::Laboratory& lab, const laboratory::Step& step,
    const QByteArray& code)
{
    Json json{{"version", 1}, {"laboratory", lab.id}, {"revision", lab.revision}, {"step", step.id},
        {"sha256", QCryptographicHash::hash(code, QCryptographicHash::Sha256).toHex().toStdString()},
        {"right", verdict.isRight()}};
    if (verdict.isRight()) {
        json["remark"] = verdict.remark.english;
        return json;
    }
    json.update({{"fault", verdict.fault->text()}, {"line", verdict.line}, {"mistake", verdict.mistake},
        {"mistake_name", verdict.mistakeName.english}, {"formula", verdict.mistakeFormula},
        {"output", verdict.output}});
    return json;
}

} // namespace

Result<int> tryCode(const Arguments& arguments)
{
    if (arguments.positional().size() != 1 || !arguments.has(u"--lab"_s)) {
        return failure(LS_TR("Messages", "lab try: needs one file, and its laboratory in --lab"));
    }
    LOCKSTEP_TRY_ASSIGN(const auto lab, laboratory::laboratoryNamed(arguments.value(u"--lab"_s)));
    LOCKSTEP_TRY_ASSIGN(const auto* step, stepNamed(lab, arguments.value(u"--step"_s).toStdString()));
    const QString& path = arguments.positional().front();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1 cannot be read: %2"),
            {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    }
    const QByteArray code = file.read(laboratory::LargestCode + 1); // checkCode() refuses more
    LOCKSTEP_TRY_ASSIGN(const auto verdict, laboratory::checkCode(*step, code, QFileInfo(path).fileName()));
    const int exit = verdict.isRight() ? ExitDone : ExitWrong;
    std::string text;
    if (arguments.has(u"--json"_s)) {
        text = jsonOf(verdict, lab, *step, code).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    } else {
        for (const std::string& line : laboratory::verdictLines(verdict)) {
            text += line + "\n";
        }
        for (const std::string& line : verdict.output) {
            text += "  " + line + "\n";
        }
    }
    const int printed = printOrFail(text);
    return printed == ExitDone ? exit : printed;
}

} // namespace lockstep::cli
