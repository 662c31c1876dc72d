#include "ui/forms/combine_dialog.h"

#include "base/translate.h"
#include "ui/models/form/form_model.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFormLayout>

namespace lockstep::ui {

CombineDialog::CombineDialog(FormModel& model, Cost cost, QWidget* parent)
    : VariantsDialog(model, std::move(cost), parent)
    , m_first(new QComboBox(this))
    , m_second(new QComboBox(this))
{
    setWindowTitle(tr("Combine two parameters"));
    m_first->setObjectName(QStringLiteral("first"));
    m_second->setObjectName(QStringLiteral("second"));
    for (QComboBox* box : {m_first, m_second}) {
        for (const experiment::Parameter* parameter : model.columns()) {
            box->addItem(translatedLabel(*parameter));
        }
        connect(box, &QComboBox::currentIndexChanged, this, &CombineDialog::refresh);
    }
    describe(*m_first, tr("First parameter"), tr("Its variants keep their other values."));
    describe(*m_second, tr("Second parameter"), tr("Every variant gets each of its values."));
    rows().addRow(tr("Every value of"), m_first);
    rows().addRow(tr("with every value of"), m_second);
    m_second->setCurrentIndex(m_second->count() - 1);
    refresh();
}

const experiment::Parameter* CombineDialog::chosen(const QComboBox& box) const
{
    const auto place = static_cast<std::size_t>(std::max(0, box.currentIndex()));
    return place < model().columns().size() ? model().columns()[place] : nullptr;
}

Result<Variants> CombineDialog::made() const
{
    const experiment::Parameter* first = chosen(*m_first);
    const experiment::Parameter* second = chosen(*m_second);
    if (first == nullptr || second == nullptr || first == second) {
        return refusal("variants", LS_TR("Refusals", "choose two parameters"));
    }
    return withCombined(model().variants(), model().spec(), *first, *second);
}

QString CombineDialog::title() const
{
    const experiment::Parameter* first = chosen(*m_first);
    const experiment::Parameter* second = chosen(*m_second);
    return first == nullptr || second == nullptr
        ? QString()
        : tr("Combine %1 and %2").arg(translatedLabel(*first), translatedLabel(*second));
}

} // namespace lockstep::ui
