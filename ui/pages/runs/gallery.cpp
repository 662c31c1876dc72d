#include "ui/pages/runs/gallery.h"

#include "experiment/spec.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/form/titles.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

/// The question of a preset; its name if it has none.
QString questionOf(const std::string& preset)
{
    const auto spec = experiment::preset(preset);
    const QString text = spec ? wordingText(spec->about.question) : QString();
    return text.isEmpty() ? QString::fromStdString(preset) : text;
}

QString nameOf(std::string_view preset)
{
    return QString::fromUtf8(preset);
}

} // namespace

QString experimentQuestion(const std::string& preset)
{
    return preset == "optimizers" ? Gallery::tr("Which optimizer lowers the loss fastest, in steps and in seconds?")
        : preset == "aggregation"
        ? Gallery::tr("What does it cost to average gradients, and what does one straggler do?")
        : preset == "partitioning" ? Gallery::tr("How does accuracy change when ranks see different parts of the data?")
        : preset == "scaling"      ? Gallery::tr("How much faster do more ranks train, and where does the time go?")
        : preset == "model-parallel" ? Gallery::tr("What does it cost and gain to split one net across ranks?")
        : preset == "sharding"       ? Gallery::tr("How little memory does a rank need, and what does that cost?")
        : preset == "collectives" ? Gallery::tr("How long do messages of each size take, and what does theory predict?")
                                  : questionOf(preset);
}

QString experimentOpening(const experiment::Spec& spec)
{
    return spec.about.charts.empty() ? QString() : QString::fromStdString(spec.about.charts.front());
}

Gallery::Gallery(QWidget* parent)
    : Translated(parent)
    , m_heading(plainLabel(this))
    , m_list(new QListWidget(this))
{
    styleHeading(*m_heading);
    m_heading->setContentsMargins(14, 10, 8, 4);
    m_list->setObjectName(QStringLiteral("gallery"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(1);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 0, {m_heading, {m_list, 1}});
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr && !item->data(Qt::UserRole).toString().isEmpty()) {
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
    return static_cast<int>(experiment::presetNames().size());
}

void Gallery::setShelf(
    std::vector<ShelfEntry> mine, std::vector<ShelfEntry> course, const std::vector<ShelfEntry>& unsaved)
{
    mine.insert(mine.begin(), unsaved.begin(), unsaved.end());
    if (mine == m_mine && course == m_course) {
        return;
    }
    m_mine = std::move(mine);
    m_course = std::move(course);
    // Later: a click on an entry may be what led here.
    QMetaObject::invokeMethod(this, &Gallery::rebuild, Qt::QueuedConnection);
}

void Gallery::showOpen(const QString& place, const QStringList& unsaved)
{
    m_open = place;
    m_unsaved = unsaved;
    mark();
}

void Gallery::rebuild()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    for (const std::string_view name : experiment::presetNames()) {
        addEntry({nameOf(name), experimentTitle(std::string(name)), experimentQuestion(std::string(name)), {}});
    }
    if (!m_mine.empty()) {
        addHeading(tr("Mine"));
    }
    for (const ShelfEntry& entry : m_mine) {
        addEntry(entry);
    }
    if (!m_course.empty()) {
        addHeading(tr("Course"));
    }
    for (const ShelfEntry& entry : m_course) {
        addEntry(entry);
    }
    mark();
}

void Gallery::addHeading(const QString& text)
{
    auto* item = new QListWidgetItem(QStringLiteral("  ") + text, m_list);
    item->setFlags(Qt::NoItemFlags);
    item->setSizeHint(QSize(0, fontMetrics().height() + 14));
}

void Gallery::addEntry(const ShelfEntry& entry)
{
    auto* item = new QListWidgetItem(QStringLiteral("  ") + entry.title, m_list);
    item->setData(Qt::UserRole, entry.path);
    item->setSizeHint(QSize(0, fontMetrics().height() + 14));
    const QString question = entry.question.isEmpty() ? entry.title : entry.question;
    item->setToolTip(tipText(!entry.error.isEmpty() ? entry.error : question));
    if (!entry.error.isEmpty()) {
        item->setForeground(toneColor(Tone::Error, palette()));
    }
}

/// The open one is current, and those that are not saved have a mark.
void Gallery::mark()
{
    const QSignalBlocker blocker(m_list);
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem& item = *m_list->item(row);
        const QString place = item.data(Qt::UserRole).toString();
        if (place.isEmpty()) {
            continue;
        }
        QString text = item.text();
        const QString sign = QStringLiteral(" •");
        if (text.endsWith(sign)) {
            text.chop(sign.size());
        }
        item.setText(m_unsaved.contains(place) ? text + sign : text);
        if (place == m_open) {
            m_list->setCurrentRow(row);
        }
    }
}

void Gallery::retranslate()
{
    m_heading->setText(tr("EXPERIMENTS"));
    describe(*m_list, tr("Experiments"), tr("Choose what to compare. A dot marks changes that are not saved."));
    m_list->setToolTip({});
    rebuild();
}

} // namespace lockstep::ui
