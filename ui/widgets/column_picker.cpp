#include "ui/widgets/column_picker.h"

#include "ui/models/runs/run_columns.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int ColumnRole = Qt::UserRole;

QString nameOf(const analysis::Column& column)
{
    return QString::fromUtf8(column.name);
}

} // namespace

ColumnPicker::ColumnPicker(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_search(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setFrameShape(QFrame::StyledPanel);
    m_search->setClearButtonEnabled(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    retranslate();
    connect(m_search, &QLineEdit::textChanged, this, &ColumnPicker::narrow);
    connect(m_search, &QLineEdit::returnPressed, m_list, qOverload<>(&QWidget::setFocus));
    connect(m_list, &QListWidget::itemChanged, this, &ColumnPicker::onChanged);
}

void ColumnPicker::open(QWidget& button, const std::vector<const analysis::Column*>& offered,
    const std::vector<const analysis::Column*>& chosen)
{
    const QSignalBlocker silent(m_list);
    m_search->clear();
    retranslate();
    m_list->clear();
    const auto add = [this](const analysis::Column* column, bool isChosen) {
        auto* item = new QListWidgetItem(QStringLiteral("%1   %2").arg(columnLabel(*column), nameOf(*column)), m_list);
        item->setData(ColumnRole, nameOf(*column));
        item->setToolTip(tipText(columnHelp(*column)));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
    };
    for (const analysis::Column* column : chosen) {
        add(column, true);
    }
    for (const analysis::Column* column : offered) {
        if (std::ranges::find(chosen, column) == chosen.end()) {
            add(column, false);
        }
    }
    const QRect screen = button.screen()->availableGeometry();
    const QSize size(26 * fontMetrics().averageCharWidth() + 160, std::min(420, screen.height() / 2));
    const QPoint below = button.mapToGlobal(QPoint(0, button.height()));
    const bool fitsBelow = below.y() + size.height() <= screen.bottom();
    const int top = fitsBelow ? below.y() : button.mapToGlobal(QPoint()).y() - size.height();
    setGeometry({{std::min(below.x(), screen.right() - size.width()), std::max(screen.top(), top)}, size});
    show();
    m_search->setFocus(Qt::PopupFocusReason);
}

void ColumnPicker::retranslate()
{
    m_search->setPlaceholderText(tr("Search"));
    describe(*m_search, tr("Search columns"), tr("Shows only columns whose label or name contains this text."));
    describe(*m_list, tr("Columns"), tr("Space ticks or unticks a column."));
}

void ColumnPicker::narrow(const QString& text)
{
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        item->setHidden(!item->text().contains(text, Qt::CaseInsensitive));
    }
}

void ColumnPicker::onChanged(QListWidgetItem* item)
{
    const analysis::Column* column = analysis::findColumn(item->data(ColumnRole).toString().toStdString());
    Q_EMIT columnToggled(column, item->checkState() == Qt::Checked);
}

} // namespace lockstep::ui
