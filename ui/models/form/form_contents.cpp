#include "ui/models/form/form_contents.h"

#include "experiment/variant_name.h"
#include "language/shown_names.h"
#include "ui/models/form/form_model.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep::ui {

using experiment::Parameter;
using experiment::Variant;

void FormContents::open(const experiment::Spec& spec)
{
    m_preset = spec;
    m_repeats = spec.repeats;
    m_about = spec.about;
    m_rows.clear();
    for (const Parameter& parameter : experiment::parameters()) {
        const auto own = spec.base.find(std::string(parameter.name));
        const QString text = typedText(own == spec.base.end() ? parameter.standard : own->second);
        m_rows.push_back({&parameter, text, text, false, {}, false});
    }
    for (const auto& [name, value] : spec.base) {
        if (experiment::isOwnParameter(name)) {
            m_rows.push_back({experiment::findParameter(name), typedText(value), typedText(value), false, {}, false});
        }
    }
    m_variants.clear();
    const std::vector<std::size_t> places = experiment::placesOf(spec.variants);
    for (const Variant& variant : spec.variants) {
        VariantRow row{QString::fromStdString(variant.name), QString::fromStdString(variant.group), variant.isEnabled,
            {}, places[m_variants.size()]};
        for (const auto& [name, value] : variant.values) {
            row.cells[name] = {typedText(value), typedText(value), {}};
        }
        m_variants.push_back(std::move(row));
    }
    m_opened = state();
    listTable();
}

bool FormContents::listTable()
{
    const auto columns = m_columns;
    const QStringList lines = m_lines;
    std::set<std::string> varied;
    m_lines.clear();
    for (const VariantRow& variant : m_variants) {
        m_lines << variant.name << variant.group;
        for (const auto& [name, cell] : variant.cells) {
            varied.insert(name);
        }
    }
    m_columns.clear();
    for (const Parameter& parameter : experiment::parameters()) {
        if (varied.contains(std::string(parameter.name))) {
            m_columns.push_back(&parameter);
        }
    }
    for (const std::string& name : varied) {
        if (experiment::isOwnParameter(name)) {
            m_columns.push_back(experiment::findParameter(name));
        }
    }
    return columns != m_columns || lines != m_lines;
}

const FormRow* FormContents::row(std::string_view name) const
{
    const auto found
        = std::find_if(m_rows.begin(), m_rows.end(), [&](const FormRow& r) { return r.parameter->name == name; });
    return found == m_rows.end() ? nullptr : &*found;
}

FormState FormContents::state() const
{
    FormState state{{}, m_variants, m_repeats, m_about};
    for (const FormRow& row : m_rows) {
        if (row.isModified()) {
            state.texts[std::string(row.parameter->name)] = row.text;
        }
    }
    return state;
}

bool FormContents::put(const FormState& state)
{
    for (FormRow& row : m_rows) {
        const auto text = state.texts.find(std::string(row.parameter->name));
        row.text = text == state.texts.end() ? row.standard : text->second;
    }
    m_variants = state.variants;
    m_repeats = state.repeats;
    m_about = state.about;
    return listTable();
}

void FormContents::check(const QString& missing)
{
    m_outcome = checkForm(m_preset, m_rows, m_variants, m_repeats, m_ranksAreHere);
    m_outcome.spec.about = m_about;
    nameRuns();
    if (m_outcome.problem.isEmpty() && !missing.isEmpty()) {
        m_outcome.problem = missing;
        m_outcome.runs.clear();
    }
}

void FormContents::setFileTitle(const QString& title)
{
    m_fileTitle = title;
    nameRuns();
}

void FormContents::nameRuns()
{
    const bool isOwn = experiment() == experiment::OwnExperiment;
    m_title = m_about.title != experiment::Wording() ? m_about.title
        : !m_fileTitle.isEmpty()                     ? experiment::Wording{m_fileTitle.toStdString(), {}}
        : isOwn                                      ? language::nameByVariation(document())
                                                     : experiment::Wording();
    for (experiment::RunSpec& run : m_outcome.runs) {
        run.title = m_title;
        run.question = m_about.question;
    }
}

std::string FormContents::key() const
{
    return experiment::experimentKey(experiment(), m_title);
}

FormOutcome FormContents::outcomeWith(std::vector<VariantRow> variants) const
{
    std::vector<FormRow> rows = m_rows;
    return checkForm(m_preset, rows, variants, m_repeats, m_ranksAreHere);
}

std::vector<experiment::RunSpec> FormContents::drafts() const
{
    const experiment::Spec& spec = m_outcome.spec;
    std::vector<experiment::RunSpec> drafts;
    for (const Variant& variant : spec.variants) {
        drafts.push_back({spec.experiment, variant.name, 0, experiment::withDefaults(spec.base, variant.values)});
    }
    if (drafts.empty()) {
        drafts.push_back({spec.experiment, spec.experiment, 0, experiment::withDefaults(spec.base, {})});
    }
    return drafts;
}

experiment::Spec FormContents::document() const
{
    experiment::Spec spec{m_preset.experiment, m_preset.base, {}, m_repeats, m_about};
    for (const FormRow& row : m_rows) {
        const auto value = typedValue(*row.parameter, row.text);
        if (value && row.isModified()) {
            spec.base[std::string(row.parameter->name)] = *value;
        }
    }
    for (const VariantRow& row : m_variants) {
        Variant variant{row.name.toStdString(), {}, row.group.toStdString(), row.isEnabled, row.color};
        for (const auto& [name, cell] : row.cells) {
            const Parameter* parameter = experiment::findParameter(name);
            auto value = typedValue(*parameter, cell.text);
            value = value ? value : typedValue(*parameter, cell.standard);
            if (value) {
                variant.values[name] = *value;
            }
        }
        spec.variants.push_back(std::move(variant));
    }
    return spec;
}

QString FormContents::unreadable() const
{
    for (const FormRow& row : m_rows) {
        if (row.isModified() && !typedValue(*row.parameter, row.text)) {
            return FormModel::tr("%1 must be %2.").arg(translatedLabel(*row.parameter), allowedInWords(*row.parameter));
        }
    }
    for (const VariantRow& row : m_variants) {
        for (const auto& [name, cell] : row.cells) {
            const Parameter* parameter = experiment::findParameter(name);
            if (!typedValue(*parameter, cell.text)) {
                return FormModel::tr("%1: %2 must be %3.")
                    .arg(row.name, translatedLabel(*parameter), allowedInWords(*parameter));
            }
        }
    }
    return {};
}

} // namespace lockstep::ui
