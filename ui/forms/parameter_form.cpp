#include "ui/forms/parameter_form.h"

#include "ui/forms/fold.h"
#include "ui/forms/parameter_field.h"
#include "ui/models/form/form_model.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <ranges>

namespace lockstep::ui {

namespace {

/// Longer labels take two lines: beside the charts there is not room for all of a long name.
constexpr int WidestLabel = 118;

} // namespace

ParameterForm::ParameterForm(FormModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
{
    build();
    retranslate();
    connect(&m_model, &FormModel::changed, this, &ParameterForm::showRows);
    if (!m_model.rows().empty()) {
        showRows();
    }
}

void ParameterForm::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (const auto level : {experiment::Level::Basic, experiment::Level::Advanced}) {
        for (const experiment::Parameter& parameter : experiment::parameters()) {
            if (parameter.level != level) {
                continue;
            }
            ParameterField* field = makeField(parameter);
            if (level == experiment::Level::Basic) {
                layout->addWidget(field);
                continue;
            }
            Fold*& fold = m_folds[std::string(parameter.group)];
            if (fold == nullptr) {
                fold = new Fold(this);
                layout->addWidget(fold);
            }
            fold->addWidget(field);
        }
    }
}

ParameterField* ParameterForm::makeField(const experiment::Parameter& parameter)
{
    auto* field = new ParameterField(parameter, this);
    m_fields.push_back(field);
    const std::string name(parameter.name);
    connect(
        field, &ParameterField::textEdited, this, [this, name](const QString& text) { m_model.setText(name, text); });
    connect(field, &ParameterField::resetRequested, this, [this, name] { m_model.reset(name); });
    connect(
        field, &ParameterField::focused, this, [this, &parameter] { Q_EMIT helpAvailable(translatedHelp(parameter)); });
    return field;
}

void ParameterForm::updateOwnFields()
{
    const auto isOwn = [](const experiment::Parameter& each) { return experiment::isOwnParameter(each.name); };
    std::erase_if(m_fields, [&](ParameterField* field) {
        const bool isGone = isOwn(field->parameter()) && m_model.row(field->parameter().name) == nullptr;
        if (isGone) {
            field->hide();
            field->deleteLater();
        }
        return isGone;
    });
    bool isNew = false;
    // Each is put right below the program's field: the last one first.
    for (const FormRow& row : m_model.rows() | std::views::reverse) {
        const bool isThere = std::ranges::any_of(
            m_fields, [&](const ParameterField* field) { return &field->parameter() == row.parameter; });
        if (isOwn(*row.parameter) && !isThere) {
            insertBelow(nameOf(&experiment::RankSettings::program), makeField(*row.parameter));
            isNew = true;
        }
    }
    if (isNew) {
        retranslate();
    }
}

void ParameterForm::showRows()
{
    updateOwnFields();
    std::map<std::string, bool> hasRows;
    std::map<std::string, bool> hasErrors;
    for (ParameterField* field : m_fields) {
        const FormRow* row = m_model.row(field->parameter().name);
        if (row == nullptr) {
            continue;
        }
        field->show(*row);
        if (field->parameter().level == experiment::Level::Advanced) {
            const std::string group(field->parameter().group);
            hasRows[group] = hasRows[group] || row->isShown;
            hasErrors[group] = hasErrors[group] || !row->error.isEmpty();
        }
    }
    for (const auto& [group, fold] : m_folds) {
        fold->setVisible(hasRows[group]);
        if (hasErrors[group]) {
            fold->setOpen(true);
        }
    }
}

void ParameterForm::insertBelow(std::string_view name, QWidget* widget)
{
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    for (ParameterField* field : m_fields) {
        if (field->parameter().name == name) {
            column->insertWidget(column->indexOf(field) + 1, widget);
        }
    }
}

void ParameterForm::focusField(const std::string& name)
{
    for (ParameterField* field : m_fields) {
        if (field->parameter().name != name) {
            continue;
        }
        const auto fold = m_folds.find(std::string(field->parameter().group));
        if (field->parameter().level == experiment::Level::Advanced && fold != m_folds.end()) {
            fold->second->setOpen(true);
        }
        field->editor()->setFocus(Qt::OtherFocusReason);
    }
}

void ParameterForm::retranslate()
{
    int width = 0;
    for (const ParameterField* field : m_fields) {
        width = std::max(width, field->labelWidth());
    }
    for (ParameterField* field : m_fields) {
        field->setLabelWidth(std::min(width, WidestLabel));
        const auto fold = m_folds.find(std::string(field->parameter().group));
        if (fold != m_folds.end()) {
            fold->second->setTitle(translatedGroup(field->parameter()));
        }
    }
}

void ParameterForm::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        // The fields receive the new language after this widget: the common label width follows when they are done.
        QMetaObject::invokeMethod(
            this, [this] { retranslate(); }, Qt::QueuedConnection);
        retranslate();
    }
}

} // namespace lockstep::ui
