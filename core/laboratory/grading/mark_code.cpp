#include "laboratory/grading/mark_code.h"

#include "base/translate.h"
#include "laboratory/code/run_sandboxed.h"
#include "launch/machine/sandbox.h"

#include <QFileInfo>

namespace lockstep::laboratory::grading {

namespace {

Text noteOf(const CodeVerdict& verdict)
{
    if (verdict.isRight()) {
        return LS_TR("Messages", "the code is right");
    }
    return verdict.mistakeName.empty()
        ? Text(*verdict.fault)
        : Text(LS_TR("Messages", "%1; known mistake: %2"), {Text(*verdict.fault), verdict.mistakeName});
}

CodeMark codeInSandbox(
    const Laboratory& laboratory, const Step& step, const ReadWork& work, const std::atomic_bool* cancelled)
{
    const auto* content = step.as<CodeStep>();
    if (content == nullptr || exerciseOf(*content) == nullptr) {
        return codeNotRun(laboratory, step, work);
    }
    const auto code = work.handIn.code.find(step.id);
    if (code == work.handIn.code.end()) {
        return {0.0, LS_TR("Messages", "no code is handed in")};
    }
    const QString name = QFileInfo(QString::fromStdString(content->templateFile)).fileName();
    const auto verdict = checkCode(step, code->second, name, {.run = runRanksInSandbox, .cancelled = cancelled});
    if (!verdict) {
        return {{}, during(LS_TR("Messages", "code not run"), verdict.error())};
    }
    return {verdict->isRight() ? 1.0 : 0.0, noteOf(*verdict)};
}

} // namespace

Result<void> canRunCode(const std::atomic_bool* cancelled)
{
    if (const launch::SandboxState& state = launch::trySandbox(); state.kind != launch::SandboxKind::Works) {
        return failureOf(state.message);
    }
    const auto python = pythonWithTorch(cancelled);
    return python ? Result<void>() : during(LS_TR("Messages", "code not run"), python.error());
}

CheckCode sandboxedCheck(const std::atomic_bool* cancelled)
{
    return [cancelled](const Laboratory& laboratory, const Step& step, const ReadWork& work) {
        return codeInSandbox(laboratory, step, work, cancelled);
    };
}

} // namespace lockstep::laboratory::grading
