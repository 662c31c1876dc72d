#include "ui/pages/charts/small_multiples.h"

#include "ui/charts/chart_view.h"
#include "ui/models/shown_text.h"
#include "ui/widgets/plain_label.h"

#include <QGridLayout>
#include <QLabel>

#include <cmath>

namespace lockstep::ui {

using namespace Qt::StringLiterals;

SmallMultiples::SmallMultiples(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
    , m_theme(lightTheme())
{
    m_grid->setContentsMargins(8, 0, 8, 0);
    m_grid->setHorizontalSpacing(4);
    m_grid->setVerticalSpacing(0);
}

void SmallMultiples::add()
{
    Part part{plainLabel(this), new ChartView(this)};
    part.title->setAlignment(Qt::AlignCenter);
    part.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    part.view->setTheme(m_theme);
    connect(part.view, &ChartView::seriesToggleRequested, this, &SmallMultiples::seriesToggleRequested);
    connect(part.view, &ChartView::viewChanged, this, [this, view = part.view] {
        for (const Part& other : m_parts) {
            if (other.view != view) {
                other.view->followView(*view);
            }
        }
    });
    connect(part.view, &ChartView::viewChanged, this, &SmallMultiples::viewChanged);
    connect(part.view, &ChartView::pointedAt, this, [this, view = part.view](std::optional<double> x) {
        for (const Part& other : m_parts) {
            if (other.view != view) {
                other.view->showCursor(x);
            }
        }
        Q_EMIT pointedAt(x);
    });
    m_parts.push_back(part);
}

/// About as many columns as rows, since charts are wider than high.
void SmallMultiples::setParts(std::vector<ChartPart> parts)
{
    const bool isNew = parts.size() != m_parts.size();
    while (m_parts.size() > parts.size()) {
        delete m_parts.back().title;
        delete m_parts.back().view;
        m_parts.pop_back();
    }
    while (m_parts.size() < parts.size()) {
        add();
    }
    const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(parts.size())))));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int row = 2 * (static_cast<int>(i) / columns);
        const int column = static_cast<int>(i) % columns;
        if (isNew) {
            m_grid->addWidget(m_parts[i].title, row, column);
            m_grid->addWidget(m_parts[i].view, row + 1, column);
        }
        const QString& note = parts[i].chart.note;
        m_parts[i].title->setText(note.isEmpty() ? parts[i].title : parts[i].title + u" · "_s + note);
        m_parts[i].title->setToolTip(tipText(m_parts[i].title->text()));
        m_parts[i].view->setChart(std::move(parts[i].chart));
    }
    for (int i = 0; isNew && i < std::max(m_grid->rowCount(), m_grid->columnCount()); ++i) {
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
        m_grid->setRowStretch(i, i % 2 == 1 && i / 2 * columns < static_cast<int>(parts.size()) ? 1 : 0);
    }
}

void SmallMultiples::setTheme(const ChartTheme& theme)
{
    m_theme = theme;
    for (const Part& part : m_parts) {
        part.view->setTheme(theme);
    }
}

void SmallMultiples::showAll()
{
    for (const Part& part : m_parts) {
        part.view->showAll();
    }
}

void SmallMultiples::showCursor(std::optional<double> x)
{
    for (const Part& part : m_parts) {
        part.view->showCursor(x);
    }
}

std::pair<double, double> SmallMultiples::horizontalRange() const
{
    return m_parts.empty() ? std::pair(0.0, 1.0) : m_parts.front().view->horizontalRange();
}

} // namespace lockstep::ui
