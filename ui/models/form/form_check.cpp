#include "ui/models/form/form_check.h"

#include "datasets/registry.h"
#include "launch/ranks/rank_program.h"
#include "plan/check.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/parameter_text.h"

#include <utility>

namespace lockstep::ui {

using experiment::Assignment;
using experiment::Parameter;
using experiment::Variant;

namespace {

QString fieldError(const Parameter& parameter)
{
    return FormModel::tr("This must be %1.").arg(allowedInWords(parameter));
}

class FormCheck {
public:
    FormCheck(std::vector<FormRow>& rows, std::vector<VariantRow>& variants, bool ranksAreHere)
        : m_rows(rows)
        , m_variants(variants)
        , m_ranksAreHere(ranksAreHere)
    { }

    FormOutcome read(const experiment::Spec& preset, int repeats);

private:
    void readVariants(std::vector<Variant>& enabled);
    void readRows(Assignment& base, const std::vector<Variant>& enabled);
    void expandRuns();
    void noteWithoutEffect();
    void placeError(const Error& error);

    std::vector<FormRow>& m_rows;
    std::vector<VariantRow>& m_variants;
    bool m_ranksAreHere;
    FormOutcome m_outcome;
};

FormOutcome FormCheck::read(const experiment::Spec& preset, int repeats)
{
    m_outcome.spec = preset;
    m_outcome.spec.repeats = repeats;
    m_outcome.spec.variants.clear();
    readVariants(m_outcome.spec.variants);
    readRows(m_outcome.spec.base, m_outcome.spec.variants);
    if (!m_variants.empty() && m_outcome.spec.variants.empty()) {
        m_outcome.problem = FormModel::tr("No variant is selected: tick at least one.");
    }
    if (m_outcome.problem.isEmpty()) {
        expandRuns();
    }
    return std::move(m_outcome);
}

/// A cell that cannot be read keeps its standard in the spec, so that the other fields can still be judged.
void FormCheck::readVariants(std::vector<Variant>& enabled)
{
    for (VariantRow& row : m_variants) {
        Variant variant{row.name.toStdString(), {}, row.group.toStdString(), true, row.color};
        for (auto& [name, cell] : row.cells) {
            cell.error.clear();
            const Parameter* parameter = experiment::findParameter(name);
            if (parameter == nullptr) {
                continue;
            }
            auto value = typedValue(*parameter, cell.text);
            if (!value) {
                cell.error = fieldError(*parameter);
                value = typedValue(*parameter, cell.standard);
                if (row.isEnabled && m_outcome.problem.isEmpty()) {
                    m_outcome.problem = FormModel::tr("%1: %2 must be %3.")
                                            .arg(row.name, translatedLabel(*parameter), allowedInWords(*parameter));
                }
            }
            if (value) {
                variant.values[name] = *value;
            }
        }
        if (row.isEnabled) {
            enabled.push_back(std::move(variant));
        }
    }
}

void FormCheck::readRows(Assignment& base, const std::vector<Variant>& enabled)
{
    for (FormRow& row : m_rows) {
        row.error.clear();
        const std::string name(row.parameter->name);
        const auto value = typedValue(*row.parameter, row.text);
        if (!value) {
            row.error = fieldError(*row.parameter);
        } else if (row.isModified()) {
            base[name] = *value;
        }
    }
    std::vector<Assignment> settings;
    for (const Variant& variant : enabled) {
        settings.push_back(experiment::withDefaults(base, variant.values));
    }
    if (settings.empty()) {
        settings.push_back(experiment::withDefaults(base, {}));
    }
    for (FormRow& row : m_rows) {
        row.isShown = false;
        row.isFile = false;
        for (std::size_t i = 0; i < settings.size(); ++i) {
            const bool isOwn = i < enabled.size() && enabled[i].values.contains(std::string(row.parameter->name));
            row.isShown = row.isShown || (!isOwn && experiment::applies(*row.parameter, settings[i]));
            row.isFile = row.isFile || experiment::namesFile(*row.parameter, settings[i]);
        }
        // The user cannot correct hidden fields, so they do not disable Run either.
        if (!row.isShown) {
            row.error.clear();
        } else if (!row.error.isEmpty() && m_outcome.problem.isEmpty()) {
            m_outcome.problem
                = FormModel::tr("%1 must be %2.").arg(translatedLabel(*row.parameter), allowedInWords(*row.parameter));
        }
    }
}

void FormCheck::expandRuns()
{
    auto runs = experiment::expand(m_outcome.spec);
    if (runs && m_ranksAreHere) {
        // The net, the memory and the time of what the files hold. What is wrong with them is said at the start.
        for (experiment::RunSpec& run : *runs) {
            static_cast<void>(datasets::describe(run));
        }
    }
    auto possible = runs ? plan::checkAll(*runs) : Result<void>(runs.error());
    if (possible && m_ranksAreHere) {
        possible = launch::checkRankPrograms(*runs);
    }
    if (possible) {
        m_outcome.runs = std::move(runs).value();
        noteWithoutEffect();
        return;
    }
    placeError(possible.error());
}

/// What was changed in the form and does not apply to a run is said in its log.
void FormCheck::noteWithoutEffect()
{
    std::vector<std::string> changed;
    for (const FormRow& row : m_rows) {
        if (row.isModified()) {
            changed.emplace_back(row.parameter->name);
        }
    }
    experiment::addNotes(m_outcome.runs, experiment::settingsWithoutEffect(m_outcome.spec, changed));
}

/// An error of train.batch goes to the field of train.batch, and to the variant's cell of it.
void FormCheck::placeError(const Error& error)
{
    m_outcome.problem = titledErrorText(error);
    const std::string name = subjectOf(error);
    for (FormRow& row : m_rows) {
        if (row.parameter->name == name) {
            row.error = errorText(error);
        }
    }
    for (VariantRow& variant : m_variants) {
        const auto cell = variant.cells.find(name);
        if (variant.name.toStdString() == error.variant && cell != variant.cells.end()) {
            cell->second.error = errorText(error);
        }
    }
}

} // namespace

FormOutcome checkForm(const experiment::Spec& preset, std::vector<FormRow>& rows, std::vector<VariantRow>& variants,
    int repeats, bool ranksAreHere)
{
    return FormCheck(rows, variants, ranksAreHere).read(preset, repeats);
}

} // namespace lockstep::ui
