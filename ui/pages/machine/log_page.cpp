#include "ui/pages/machine/log_page.h"

#include "ui/models/runs/log_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

/// Warnings and errors have their own colour.
class LevelDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const auto level = static_cast<wire::LogLevel>(index.data(LogModel::LevelRole).toInt());
        if (level == wire::LogLevel::Warning || level == wire::LogLevel::Error) {
            const Tone tone = level == wire::LogLevel::Error ? Tone::Error : Tone::Warning;
            option->palette.setColor(QPalette::Text, toneColor(tone, option->palette));
        } else if (level == wire::LogLevel::Debug || index.column() != LogModel::Text) {
            option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
        }
    }
};

} // namespace

LogPage::LogPage(LogModel& model, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_filter(new LogFilter(this))
    , m_heading(plainLabel(this))
    , m_rank(new QComboBox(this))
    , m_level(new QComboBox(this))
    , m_table(new QTableView(this))
    , m_copy(new QAction(this))
{
    m_filter->setSourceModel(&m_model);
    styleHeading(*m_heading);
    m_rank->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_level->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_level->addItem({}, static_cast<int>(wire::LogLevel::Debug));
    m_level->addItem({}, static_cast<int>(wire::LogLevel::Warning));
    styleTable();

    auto* bar = new QHBoxLayout;
    addAll(*bar, {14, 6, 8, 4}, 8, {{m_heading, 1}, m_rank, m_level});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 0, {bar, {m_table, 1}});

    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(m_copy);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_copy, &QAction::triggered, this, &LogPage::copySelected);
    connect(
        m_rank, &QComboBox::activated, this, [this](int index) { m_filter->setRank(m_rank->itemData(index).toInt()); });
    connect(m_level, &QComboBox::activated, this,
        [this](int index) { m_filter->setLeastLevel(static_cast<wire::LogLevel>(m_level->itemData(index).toInt())); });
    connect(&m_model, &LogModel::ranksChanged, this, &LogPage::fillRanks);
    // New lines stay in sight unless the reader has scrolled up.
    connect(m_table->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int maximum) {
        QScrollBar* bottom = m_table->verticalScrollBar();
        if (bottom->property("atEnd").toBool() || bottom->value() == 0) {
            bottom->setValue(maximum);
        }
    });
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        QScrollBar* bottom = m_table->verticalScrollBar();
        bottom->setProperty("atEnd", value >= bottom->maximum());
    });
    retranslate();
}

void LogPage::styleTable()
{
    m_table->setModel(m_filter);
    m_table->setItemDelegate(new LevelDelegate(this));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setFont(tabularFont(font()));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    QHeaderView* header = m_table->horizontalHeader();
    header->hide();
    header->setStretchLastSection(true);
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    header->resizeSection(LogModel::Seconds, 10 * digit);
    header->resizeSection(LogModel::Run, 10 * digit);
    header->resizeSection(LogModel::Rank, 4 * digit);
}

void LogPage::fillRanks()
{
    const QVariant chosen = m_rank->currentData();
    m_rank->clear();
    m_rank->addItem(tr("All ranks"), -1);
    for (const std::int32_t rank : m_model.ranks()) {
        m_rank->addItem(tr("Rank %1").arg(rank), rank);
    }
    m_rank->setCurrentIndex(std::max(0, m_rank->findData(chosen)));
    m_filter->setRank(m_rank->currentData().toInt());
}

void LogPage::copySelected()
{
    QStringList lines;
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < LogModel::ColumnCount; ++column) {
            cells << row.siblingAtColumn(column).data().toString();
        }
        lines << cells.join(u'\t');
    }
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

void LogPage::retranslate()
{
    m_heading->setText(tr("LOG"));
    describe(*m_rank, tr("Rank"), tr("Shows the lines of one rank or of all ranks."));
    describe(*m_level, tr("Level"), tr("Shows all lines, or warnings and errors only."));
    m_level->setItemText(0, tr("All lines"));
    m_level->setItemText(1, tr("Warnings and errors"));
    m_copy->setText(tr("Copy"));
    m_table->setAccessibleName(tr("Log"));
    m_table->setAccessibleDescription(tr("Log lines of the shown runs: seconds, run, rank, message."));
    fillRanks();
}

} // namespace lockstep::ui
