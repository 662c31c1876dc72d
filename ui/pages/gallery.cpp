#include "ui/pages/gallery.h"

#include "experiment/spec.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace lockstep::ui {

QString experimentTitle(const std::string& preset)
{
    return preset == "optimizers"    ? Gallery::tr("Optimizers")
        : preset == "aggregation"    ? Gallery::tr("Aggregation")
        : preset == "partitioning"   ? Gallery::tr("Partitioning")
        : preset == "scaling"        ? Gallery::tr("Scaling")
        : preset == "model-parallel" ? Gallery::tr("Model")
        : preset == "sharding"       ? Gallery::tr("Sharding")
        : preset == "collectives"    ? Gallery::tr("Collectives")
                                     : QString::fromStdString(preset);
}

QString experimentQuestion(const std::string& preset)
{
    return preset == "optimizers" ? Gallery::tr("Which optimizer lowers the loss fastest, in steps and in seconds?")
        : preset == "aggregation"
        ? Gallery::tr("What does it cost to average gradients, and what does one slow rank do?")
        : preset == "partitioning" ? Gallery::tr("How does accuracy change when ranks see different parts of the data?")
        : preset == "scaling"      ? Gallery::tr("How much faster do more ranks train, and where does the time go?")
        : preset == "model-parallel" ? Gallery::tr("What does it cost and gain to split one net across ranks?")
        : preset == "sharding"       ? Gallery::tr("How little memory does a rank need, and what does that cost?")
        : preset == "collectives" ? Gallery::tr("How long do messages of each size take, and what does theory predict?")
                                  : QString::fromStdString(preset);
}

Gallery::Gallery(QWidget* parent)
    : QWidget(parent)
    , m_heading(new QLabel(this))
    , m_list(new QListWidget(this))
{
    styleHeading(*m_heading);
    m_heading->setContentsMargins(14, 10, 8, 4);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(1);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const std::string_view name : experiment::presetNames()) {
        auto* item = new QListWidgetItem(m_list);
        item->setData(Qt::UserRole, QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
        item->setSizeHint(QSize(0, fontMetrics().height() + 14));
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_heading);
    layout->addWidget(m_list, 1);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) {
            Q_EMIT experimentChosen(item->data(Qt::UserRole).toString());
        }
    });
    retranslate();
}

void Gallery::choose(int number)
{
    m_list->setCurrentRow(number);
}

int Gallery::count() const
{
    return m_list->count();
}

void Gallery::retranslate()
{
    m_heading->setText(tr("EXPERIMENTS"));
    describe(*m_list, tr("Experiments"), tr("Choose what to compare."));
    for (int i = 0; i < m_list->count(); ++i) {
        const std::string name = m_list->item(i)->data(Qt::UserRole).toString().toStdString();
        m_list->item(i)->setText(QStringLiteral("  ") + experimentTitle(name));
        m_list->item(i)->setToolTip(experimentQuestion(name));
    }
}

void Gallery::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

} // namespace lockstep::ui
