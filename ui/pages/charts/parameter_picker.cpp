#include "ui/pages/charts/parameter_picker.h"

#include "ui/models/shown_text.h"
#include "ui/widgets/box.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace lockstep::ui {

ParameterPicker::ParameterPicker(const char* secondLabel, QWidget* parent)
    : QWidget(parent)
    , m_secondText(secondLabel)
    , m_firstLabel(plainLabel(this))
    , m_first(new ElidedComboBox(this))
    , m_secondLabel(plainLabel(this))
    , m_second(new ElidedComboBox(this))
{
    auto* line = new QHBoxLayout(this);
    addAll(*line, {}, 6, {m_firstLabel, m_first, m_secondLabel, m_second});
    for (QComboBox* box : {m_first, m_second}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumWidth(72); // in a narrow window names are cut, not the buttons beside them
    }
    m_firstLabel->setBuddy(m_first);
    m_secondLabel->setBuddy(m_second);
    setTexts();
    connect(m_first, &QComboBox::currentIndexChanged, this, [this] { choose(true); });
    connect(m_second, &QComboBox::currentIndexChanged, this, [this] { choose(false); });
}

void ParameterPicker::setTexts()
{
    m_firstLabel->setText(tr("Against"));
    m_first->setAccessibleName(tr("Parameter on the horizontal axis"));
    m_first->setAccessibleDescription(
        tr("The parameter on the horizontal axis. Lists the parameters that differ between the runs."));
    m_first->setToolTip(tipText(m_first->accessibleDescription()));
    const QString second = QCoreApplication::translate("ChartModel", m_secondText);
    m_secondLabel->setText(second);
    m_second->setAccessibleName(second);
    m_second->setAccessibleDescription(tr("The parameter that distinguishes lines or rows."));
    m_second->setToolTip(tipText(m_second->accessibleDescription()));
}

void ParameterPicker::showChoices(const ParameterChoices& choices)
{
    const bool isListed = choices.offered == m_choices.offered;
    m_choices = choices;
    const QSignalBlocker quietFirst(m_first);
    const QSignalBlocker quietSecond(m_second);
    if (!isListed) {
        for (QComboBox* box : {m_first, m_second}) {
            box->clear();
            for (const ParameterChoice& each : choices.offered) {
                box->addItem(each.text, each.name);
            }
        }
    }
    m_first->setCurrentIndex(m_first->findData(choices.first));
    m_second->setCurrentIndex(m_second->findData(choices.second));
    // What is there stays there: without a choice they are disabled.
    m_first->setEnabled(choices.offered.size() > 1);
    m_second->setEnabled(choices.offered.size() > 1);
}

void ParameterPicker::choose(bool isFirst)
{
    QString first = m_first->currentData().toString();
    QString second = m_second->currentData().toString();
    if (first == second) { // the two change places
        (isFirst ? second : first) = isFirst ? m_choices.first : m_choices.second;
    }
    Q_EMIT chosen(first, second);
}

} // namespace lockstep::ui
