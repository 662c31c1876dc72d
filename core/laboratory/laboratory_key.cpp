#include "laboratory/laboratory_key.h"

#include "base/translate.h"
#include "laboratory/careful_json.h"
#include "laboratory/code/exercise.h"
#include "laboratory/format/laboratory_fields.h"
#include "language/shown_names.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <set>

namespace lockstep::laboratory {

namespace {

constexpr double LargestTolerance = 1.0; ///< 100 %
constexpr int ShownDigits = 6;

Result<void> checkAnswer(const KeyEntry& entry, const QuestionStep& question, const Laboratory& laboratory)
{
    const auto isChoice = [&question](const std::string& id) {
        return std::ranges::find(question.choices, id, &Choice::id) != question.choices.end();
    };
    switch (question.form) {
    case QuestionForm::Text:
        return {};
    case QuestionForm::Number: {
        if (entry.answer.empty()) {
            return failure(LS_TR("Messages", "its answer is missing"));
        }
        LOCKSTEP_TRY_ASSIGN(const auto run, runForFormula(laboratory, question));
        LOCKSTEP_TRY(formulaValue(entry.answer, run));
        return {};
    }
    case QuestionForm::Choice:
        if (entry.answer.empty()) {
            return failure(LS_TR("Messages", "its answer is missing"));
        }
        return isChoice(entry.answer)
            ? Result<void>()
            : failure(LS_TR("Messages", "the answer %1 is no choice of the question"), {verbatim(entry.answer)});
    case QuestionForm::Order: {
        const std::set<std::string> different(entry.order.begin(), entry.order.end());
        return different.size() == question.choices.size() && entry.order.size() == different.size()
                && std::ranges::all_of(entry.order, isChoice)
            ? Result<void>()
            : failure(LS_TR("Messages", "the answer is not all choices of the question, each once"));
    }
    }
    return {};
}

/// A code step with points that no program here can check.
Result<void> checkMarked(const KeyEntry& entry, const Step& step)
{
    const auto* code = step.as<CodeStep>();
    if (entry.points > 0.0 && code != nullptr && !code->check.empty() && exerciseOf(*code) == nullptr) {
        return failure(LS_TR("Messages", "its points cannot be given: the kind of its check is not one of %1"),
            {verbatim(listed(exercises(), &Exercise::key))});
    }
    if (entry.tolerance && (*entry.tolerance < 0.0 || *entry.tolerance > LargestTolerance)) {
        return failure(LS_TR("Messages", "its tolerance %1 is not from 0 to %2; it is relative: 0.05 is 5 %"),
            {verbatim(FieldJson(*entry.tolerance).dump()), 1});
    }
    return {};
}

} // namespace

Result<std::string> computedAnswer(std::string_view formula, const experiment::RunSpec& run, const std::string& unit)
{
    LOCKSTEP_TRY_ASSIGN(const double value, formulaValue(formula, run));
    const QString result = QStringLiteral("= %1 %2").arg(value, 0, 'g', ShownDigits).arg(QString::fromStdString(unit));
    static const QRegularExpression Name(QStringLiteral("[A-Za-z_][A-Za-z0-9_.]*(?!\\w*\\()"));
    const QString written = QString::fromUtf8(formula.data(), static_cast<qsizetype>(formula.size()));
    if (bool isNumber = false; static_cast<void>(written.toDouble(&isNumber)), isNumber) {
        return result.trimmed().toStdString();
    }
    QString computed;
    qsizetype at = 0;
    for (auto names = Name.globalMatch(written); names.hasNext();) {
        const auto name = names.next();
        const auto named = formulaValue(name.captured(0).toStdString(), run);
        computed += written.mid(at, name.capturedStart() - at)
            + (named ? QString::number(*named, 'g', ShownDigits) : name.captured(0));
        at = name.capturedEnd();
    }
    computed += written.mid(at);
    computed.replace(u'*', QStringLiteral(" × ")).replace(u'/', QStringLiteral(" / "));
    return (computed.simplified() + u' ' + result).trimmed().toStdString();
}

Result<experiment::RunSpec> runForFormula(const Laboratory& laboratory, const QuestionStep& question)
{
    const ExperimentStep* about = laboratory.experiment(question.about.step);
    if (about == nullptr) {
        return experiment::parseRunSpec(R"({"version":1,"experiment":"own","name":"own","repeat":0,"base":{}})");
    }
    LOCKSTEP_TRY_ASSIGN(auto runs, experiment::expand(about->spec));
    const auto named = std::ranges::find(runs, question.about.variant, &experiment::RunSpec::name);
    return named == runs.end() ? runs.front() : *named;
}

std::string shownAnswer(const Laboratory& laboratory, const Step& step, const KeyEntry& entry)
{
    const auto* question = step.as<QuestionStep>();
    if (question == nullptr || (entry.answer.empty() && entry.order.empty())) {
        return {};
    }
    const auto textOf = [question](const std::string& id) {
        const auto found = std::ranges::find(question->choices, id, &Choice::id);
        return found == question->choices.end() ? id : language::inLanguage(found->text);
    };
    switch (question->form) {
    case QuestionForm::Choice:
        return textOf(entry.answer);
    case QuestionForm::Order:
        return listed(entry.order, textOf, " > ");
    case QuestionForm::Number:
        if (const auto run = runForFormula(laboratory, *question)) {
            if (auto computed = computedAnswer(entry.answer, *run, language::inLanguage(question->unit))) {
                return *std::move(computed);
            }
        }
        break;
    case QuestionForm::Text:
        break;
    }
    return entry.answer;
}

Result<LaboratoryKey> parseKey(std::string_view text, const std::string& name)
{
    const FieldJson json = carefulJson(text);
    if (json.is_object() && json.value("steps", FieldJson()).is_array()) {
        return during(verbatim(name), failure(LS_TR("Messages", "it is a laboratory, not a key")));
    }
    if (!json.is_object()) {
        return during(verbatim(name), failure(LS_TR("Messages", "it is not JSON: %1"), {whyNoObject(text)}));
    }
    std::vector<Error> errors;
    LaboratoryKey key;
    readKeyFields(json, key, FieldReader({}, errors));
    return errors.empty() ? Result<LaboratoryKey>(std::move(key)) : during(verbatim(name), errors.front());
}

std::vector<Error> checkKey(const LaboratoryKey& key, const Laboratory& laboratory)
{
    if (key.laboratory != laboratory.id || key.revision != laboratory.revision) {
        return {failure(LS_TR("Messages", "the key is of %1, revision %2; the laboratory is %3, revision %4"),
            {verbatim(key.laboratory), key.revision, verbatim(laboratory.id), laboratory.revision})};
    }
    std::vector<Error> errors;
    for (const auto& [id, entry] : key.steps) {
        const std::string path = "key.steps." + id;
        const Step* step = laboratory.find(id);
        if (step == nullptr) {
            errors.push_back(refusal(path, LS_TR("Messages", "the laboratory has no such step")));
            continue;
        }
        if (const auto marked = checkMarked(entry, *step); !marked) {
            errors.push_back(refusal(path, LS_TR("Messages", "%1"), {marked.error()}));
            continue;
        }
        const auto* question = step->as<QuestionStep>();
        if (question == nullptr && !(entry.answer.empty() && entry.order.empty())) {
            errors.push_back(refusal(path, LS_TR("Messages", "only a question has an answer")));
        } else if (question != nullptr) {
            if (const auto checked = checkAnswer(entry, *question, laboratory); !checked) {
                errors.push_back(refusal(path, LS_TR("Messages", "%1"), {checked.error()}));
            }
        }
    }
    return errors;
}

} // namespace lockstep::laboratory
