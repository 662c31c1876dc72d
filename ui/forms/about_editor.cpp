#include "ui/forms/about_editor.h"

#include "experiment/variant_name.h"
#include "ui/forms/parameter_field.h"
#include "ui/models/charts/chart_kind.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/form/form_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSignalBlocker>

namespace lockstep::ui {

namespace {

constexpr int LinesOfDescription = 3;

std::string& inLanguage(experiment::Wording& wording)
{
    return QLocale().language() == QLocale::Chinese ? wording.zh : wording.en;
}

} // namespace

AboutEditor::AboutEditor(FormModel& model, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_titleLabel(plainLabel(this))
    , m_title(new QLineEdit(this))
    , m_questionLabel(plainLabel(this))
    , m_question(new QLineEdit(this))
    , m_descriptionLabel(plainLabel(this))
    , m_description(new QPlainTextEdit(this))
    , m_chartLabel(plainLabel(this))
    , m_chart(new QComboBox(this))
{
    m_title->setObjectName(QStringLiteral("about_title"));
    m_question->setObjectName(QStringLiteral("about_question"));
    m_description->setObjectName(QStringLiteral("about_description"));
    m_chart->setObjectName(QStringLiteral("about_chart"));
    m_chart->setMinimumContentsLength(12);
    m_chart->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_description->setTabChangesFocus(true);
    m_description->setFixedHeight(LinesOfDescription * fontMetrics().lineSpacing() + 14);
    auto* fields = new QWidget(this);
    auto* grid = new QGridLayout(fields);
    grid->setContentsMargins(0, 2, 0, 6);
    grid->setVerticalSpacing(4);
    int row = 0;
    for (const auto& [label, field] : {std::pair<QLabel*, QWidget*>{m_titleLabel, m_title},
             {m_questionLabel, m_question}, {m_descriptionLabel, m_description}, {m_chartLabel, m_chart}}) {
        label->setBuddy(field);
        label->setAlignment(Qt::AlignRight | Qt::AlignTop);
        field->installEventFilter(this);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
        ++row;
    }
    grid->setColumnStretch(1, 1);
    addWidget(fields);
    connect(m_title, &QLineEdit::textEdited, this, &AboutEditor::write);
    connect(m_question, &QLineEdit::textEdited, this, &AboutEditor::write);
    connect(m_description, &QPlainTextEdit::textChanged, this, &AboutEditor::write);
    connect(m_chart, &QComboBox::activated, this, &AboutEditor::writeChart);
    connect(&m_model, &FormModel::changed, this, &AboutEditor::showTexts);
    retranslate();
}

void AboutEditor::write()
{
    experiment::About about = m_model.about();
    const experiment::About& ofPreset = experiment::aboutPreset(m_model.experiment());
    setWording(about.title, m_title->text(), ofPreset.title);
    setWording(about.question, m_question->text(), ofPreset.question);
    inLanguage(about.description) = m_description->toPlainText().toStdString();
    m_model.setAbout(about);
}

void AboutEditor::showTexts()
{
    experiment::About about = m_model.about();
    const auto put = [](QLineEdit& edit, const std::string& text) {
        if (edit.text().toStdString() != text) {
            edit.setText(QString::fromStdString(text));
        }
    };
    put(*m_title, inLanguage(about.title));
    put(*m_question, inLanguage(about.question));
    if (m_description->toPlainText().toStdString() != inLanguage(about.description)) {
        const QSignalBlocker blocker(m_description);
        m_description->setPlainText(QString::fromStdString(inLanguage(about.description)));
    }
    const QString chart = about.charts.empty() ? QString() : QString::fromStdString(about.charts.front());
    if (m_chart->findData(chart) < 0) {
        m_chart->addItem(chart, chart); // a page that is no chart, such as the timeline
    }
    m_chart->setCurrentIndex(m_chart->findData(chart));
}

void AboutEditor::listCharts()
{
    m_chart->clear();
    m_chart->addItem(tr("The current chart"), QString());
    for (const ChartKind& kind : chartKinds()) {
        m_chart->addItem(QCoreApplication::translate("ChartModel", kind.name), QString::fromLatin1(kind.id));
    }
}

/// The first of those that the experiment names; the others stay.
void AboutEditor::writeChart()
{
    experiment::About about = m_model.about();
    const std::string id = m_chart->currentData().toString().toStdString();
    if (!about.charts.empty()) {
        about.charts.erase(about.charts.begin());
    }
    std::erase(about.charts, id);
    if (!id.empty()) {
        about.charts.insert(about.charts.begin(), id);
    }
    m_model.setAbout(about);
}

void AboutEditor::retranslate()
{
    setTitle(tr("Title and question"));
    m_titleLabel->setText(tr("Title"));
    m_questionLabel->setText(tr("Question"));
    m_descriptionLabel->setText(tr("Description"));
    m_chartLabel->setText(tr("Opens with"));
    listCharts();
    describe(*m_chart, tr("Opens with"), tr("The chart that is shown when the experiment is opened."));
    describe(*m_title, tr("Title"), tr("The name of the experiment in the gallery and in the window's title."));
    describe(*m_question, tr("Question"), tr("What the experiment is to answer."));
    describe(*m_description, tr("Description"), tr("What to expect and what to try, shown before the first run."));
    showTexts();
}

bool AboutEditor::eventFilter(QObject* watched, QEvent* event)
{
    return leavesUndoToTheForm(event) || Fold::eventFilter(watched, event);
}

} // namespace lockstep::ui
