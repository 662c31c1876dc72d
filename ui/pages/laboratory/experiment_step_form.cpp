#include "ui/pages/laboratory/experiment_step_form.h"

#include "experiment/parameter.h"
#include "language/language.h"
#include "ui/models/form/parameter_text.h"
#include "ui/models/laboratory/step_text.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

/// What the spec sets, else the default.
QString setText(const experiment::Spec& spec, const experiment::Parameter& parameter)
{
    const auto set = spec.base.find(std::string(parameter.name));
    return typedText(set == spec.base.end() ? parameter.standard : set->second);
}

/// `Learning rate 0.001, 0.01, 0.1`: what all begin with is said once.
QString listOf(QStringList titles, const QString& separator)
{
    qsizetype same = titles.isEmpty() ? 0 : titles.front().size();
    for (const QString& title : std::as_const(titles)) {
        const auto [other, end]
            = std::mismatch(titles.front().begin(), titles.front().begin() + same, title.begin(), title.end());
        same = other - titles.front().begin();
    }
    const qsizetype words = titles.isEmpty() ? 0 : QStringView(titles.front()).left(same).lastIndexOf(u' ') + 1;
    for (qsizetype i = 1; i < titles.size(); ++i) {
        titles[i].remove(0, words);
    }
    return titles.join(separator);
}

} // namespace

ExperimentStepForm::ExperimentStepForm(LaboratoryModel& theModel, QWidget* parent)
    : StepForm(theModel, parent)
    , m_experiment(*step().as<laboratory::ExperimentStep>())
    , m_what(plainLabel(this))
    , m_locked(plainLabel(this))
    , m_problem(plainLabel(this))
    , m_run(new QPushButton(this))
    , m_students(new QPushButton(this))
    , m_runs(plainLabel(this))
{
    for (QLabel* label : {m_what, m_locked, m_problem, m_runs}) {
        label->setWordWrap(true);
    }
    m_locked->setForegroundRole(QPalette::PlaceholderText);
    m_problem->setObjectName(QStringLiteral("problem"));
    m_runs->setObjectName(QStringLiteral("runs"));
    m_run->setObjectName(QStringLiteral("run_step"));
    auto* fields = new QFormLayout;
    fields->setLabelAlignment(Qt::AlignRight);
    for (const std::string& name : m_experiment.free) {
        addFree(*fields, name);
    }
    auto* row = new QHBoxLayout;
    addAll(*row, {m_run, m_students, FreeRoom});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 8, {m_what, fields, m_locked, row, m_problem, m_runs});
    connect(m_run, &QPushButton::clicked, &model(), &LaboratoryModel::runRequested);
    connect(m_students, &QPushButton::clicked, &model(), &LaboratoryModel::studentsRequested);
    retranslate();
}

void ExperimentStepForm::addFree(QFormLayout& fields, const std::string& name)
{
    const experiment::Parameter* parameter = experiment::findParameter(name);
    auto* label = plainLabel(this);
    auto* field = new QLineEdit(this);
    field->setObjectName(QString::fromStdString(name));
    label->setBuddy(field);
    const auto& texts = model().freeTextsOf(step().id);
    const auto typed = texts.find(name);
    field->setText(typed != texts.end() ? typed->second
            : parameter == nullptr      ? QString()
                                        : setText(m_experiment.spec, *parameter));
    fields.addRow(label, field);
    m_free.emplace_back(label, field);
    connect(field, &QLineEdit::textEdited, this, [this, name](const QString& text) {
        model().freeTextsOf(step().id)[name] = text;
        showWork();
    });
}

/// `2 of 9 runs have finished. 6 are queued.`
QString ExperimentStepForm::runsText() const
{
    const LaboratoryModel::RunCounts counts = model().countsOf(step());
    if (counts.known == 0) {
        return {};
    }
    const QString finished = tr("%1 of %2 runs have finished.").arg(counts.finished).arg(counts.known);
    return counts.queued == 0 ? finished
                              : withoutStraySpaces(finished + u' ' + tr("%1 are queued.").arg(counts.queued));
}

void ExperimentStepForm::showWork()
{
    const QString problem = runProblemOf(model(), step());
    const bool lacksNumber = needsNumber(model(), step());
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, toneColor(Tone::Warning, palette()));
    m_problem->setPalette(colors);
    m_run->setEnabled(problem.isEmpty());
    m_students->setVisible(lacksNumber && model().state().unsealed(model().laboratory(), step().id).empty());
    const QString runs = runsText();
    m_runs->setText(runs);
    m_runs->setVisible(!runs.isEmpty());
}

void ExperimentStepForm::retranslate()
{
    QStringList names;
    for (const auto& [name, title] : variantTitles(m_experiment)) {
        names += title;
    }
    const int repeats = m_experiment.spec.repeats;
    if (names.join(QString()).contains(QRegularExpression(QStringLiteral("[,，]")))) { // would not be told apart
        const QString lines = QStringLiteral("\n– ") + names.join(QStringLiteral("\n– "));
        m_what->setText((repeats > 1 ? tr("Runs, each %1 times with other seeds:").arg(repeats) : tr("Runs:")) + lines);
    } else {
        const QString variants = listOf(names, tr(", "));
        m_what->setText(
            withoutStraySpaces(repeats > 1 ? tr("Runs %1, each %2 times with other seeds.").arg(variants).arg(repeats)
                                           : tr("Runs %1.").arg(variants)));
    }
    for (std::size_t i = 0; i < m_free.size(); ++i) {
        const auto& [label, field] = m_free[i];
        const experiment::Parameter* parameter = experiment::findParameter(m_experiment.free[i]);
        const QString name = parameter == nullptr ? shownName(m_experiment.free[i]) : translatedLabel(*parameter);
        const QString unit = parameter == nullptr
            ? QString()
            : QString::fromStdString(language::translated("Parameters", parameter->unit));
        label->setText(unit.isEmpty() ? name : tr("%1 (%2)", "parameter and its unit").arg(name, unit));
        describe(*field, name, parameter == nullptr ? name : translatedHelp(*parameter));
    }
    QString locked
        = m_free.empty() ? tr("The laboratory sets all parameters.") : tr("The laboratory sets all other parameters.");
    if (!m_experiment.hidden.empty()) {
        locked += u' ' + tr("It hides some of them until all questions about this step are sealed.");
    }
    m_locked->setText(locked);
    labelButton(*m_run, tr("Run"), tr("Runs this experiment (Ctrl+Return)."));
    labelButton(*m_students, tr("Names and numbers…"), tr("Who works on this laboratory: one to four students."));
    showWork();
}

} // namespace lockstep::ui
