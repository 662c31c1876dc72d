#include "ui/models/form/form_model.h"

#include "ui/models/form/form_undo.h"
#include "ui/models/form/variant_edits.h"

#include <memory>
#include <utility>

namespace lockstep::ui {

using experiment::Parameter;

FormModel::FormModel(QObject* parent)
    : QObject(parent)
{ }

FormModel::~FormModel()
{
    m_undo.blockSignals(true); // its end clears it, and who listens would ask this model
}

void FormModel::setSpec(const experiment::Spec& spec)
{
    open(spec);
    m_undo.clear();
    check(m_missing);
    Q_EMIT specReplaced();
    Q_EMIT changed();
}

void FormModel::restore(const FormState& state)
{
    const bool isNewTable = put(state);
    check(m_missing);
    if (isNewTable) {
        Q_EMIT specReplaced();
    }
    Q_EMIT changed();
}

void FormModel::edit(const QString& what, const QString& field, const std::function<void(FormState&)>& change)
{
    auto before = std::make_shared<const FormState>(state());
    auto after = std::make_shared<FormState>(*before);
    change(*after);
    if (*before != *after) {
        // The stack owns the command and carries it out.
        m_undo.push(std::make_unique<FormEdit>(*this, what, field, std::move(before), std::move(after)).release());
    }
}

void FormModel::setText(std::string_view name, const QString& text)
{
    const FormRow* found = row(name);
    if (found == nullptr || found->text == text) {
        return;
    }
    const std::string key(name);
    edit(translatedLabel(*found->parameter), QString::fromStdString(key), [&](FormState& state) {
        if (text == found->standard) {
            state.texts.erase(key);
        } else {
            state.texts[key] = text;
        }
    });
}

void FormModel::setTextOf(const std::string& variant, std::string_view name, const QString& text)
{
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
        if (m_variants[i].name.toStdString() == variant && m_variants[i].cells.contains(std::string(name))) {
            setVariantText(i, std::string(name), text);
            return;
        }
    }
    setText(name, text);
}

void FormModel::reset(std::string_view name)
{
    if (const FormRow* found = row(name)) {
        setText(name, found->standard);
    }
}

void FormModel::resetAll()
{
    apply(tr("Reset all parameters"), m_opened);
}

void FormModel::setVariantEnabled(std::size_t variant, bool isEnabled)
{
    if (variant < m_variants.size()) {
        edit((isEnabled ? tr("Tick %1") : tr("Untick %1")).arg(m_variants[variant].name), {},
            [&](FormState& state) { state.variants[variant].isEnabled = isEnabled; });
    }
}

void FormModel::setVariantText(std::size_t variant, const std::string& name, const QString& text)
{
    const Parameter* parameter = experiment::findParameter(name);
    if (parameter == nullptr || variant >= m_variants.size() || !m_variants[variant].cells.contains(name)) {
        return;
    }
    edit(tr("%1 of %2").arg(translatedLabel(*parameter), m_variants[variant].name),
        QString::fromStdString(name) + u'/' + QString::number(variant),
        [&](FormState& state) { setCellText(state.variants, variant, name, text); });
}

void FormModel::setVariants(const QString& what, std::vector<VariantRow> variants)
{
    edit(what, {}, [&](FormState& state) { state.variants = std::move(variants); });
}

void FormModel::setRepeats(int repeats)
{
    edit(tr("Repeats"), QStringLiteral("repeats"), [&](FormState& state) { state.repeats = repeats; });
}

void FormModel::setAbout(const experiment::About& about)
{
    edit(tr("Title and question"), QStringLiteral("about"), [&](FormState& state) { state.about = about; });
}

void FormModel::apply(const QString& what, const FormState& state)
{
    edit(what, {}, [&](FormState& now) { now = state; });
}

void FormModel::declare(const std::vector<launch::OwnParameter>& parameters)
{
    for (const launch::OwnParameter& each : parameters) {
        if (row(each.name) == nullptr) {
            const auto text = QString::fromStdString(experiment::toText(each.standard));
            m_rows.push_back({experiment::findParameter(each.name), text, text, false, {}, false});
        }
    }
    check(m_missing);
    Q_EMIT changed();
}

void FormModel::setMissing(const QString& missing)
{
    if (missing != m_missing) {
        m_missing = missing;
        check(m_missing);
        Q_EMIT changed();
    }
}

void FormModel::setRanksAreHere(bool areHere)
{
    if (areHere != m_ranksAreHere) {
        m_ranksAreHere = areHere;
        check(m_missing);
        Q_EMIT changed();
    }
}

void FormModel::retranslate()
{
    check(m_missing);
    Q_EMIT changed();
}

} // namespace lockstep::ui
