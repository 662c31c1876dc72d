#include "ui/net/rank_map_panel.h"

#include "experiment/parameter.h"
#include "ui/models/form/form_model.h"
#include "ui/models/shown_text.h"
#include "ui/net/rank_map_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int ButtonWidth = 24;

/// Enough lines that the page does not move while the user points at ranks.
int linesOfWords(const RankMap& map)
{
    const int copies = map.shape.data == 1 ? 0 : map.hasZero ? 2 : 1;
    const int stages = map.shape.pipeline == 1 ? 0 : map.shape.pipeline > 2 || map.isRing ? 2 : 1;
    return std::max(4, 1 + copies + stages + (map.shape.tensor > 1 ? 1 : 0));
}

} // namespace

RankMapPanel::RankMapPanel(QWidget* parent)
    : Translated(parent)
    , m_steppers{{{&experiment::GridSettings::data, &plan::GridShape::data},
          {&experiment::GridSettings::pipeline, &plan::GridShape::pipeline},
          {&experiment::GridSettings::tensor, &plan::GridShape::tensor}}}
    , m_total(plainLabel(this))
    , m_zero(new QCheckBox(this))
    , m_view(new RankMapView(this))
    , m_words(plainLabel(this))
{
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    for (Stepper& stepper : m_steppers) {
        if (&stepper != &m_steppers.front()) {
            line->addWidget(plainLabel(QStringLiteral("×"), this));
        }
        addStepper(stepper, *line);
    }
    addAll(*line, {m_total, FreeRoom, m_zero});
    auto* below = new QHBoxLayout;
    below->setSpacing(14);
    below->addWidget(m_view, 3, Qt::AlignTop);
    below->addWidget(m_words, 2, Qt::AlignTop);
    auto* page = new QVBoxLayout(this);
    addAll(*page, {12, 2, 8, 2}, 2, {line, below});
    m_total->setObjectName(QStringLiteral("grid_total"));
    m_zero->setObjectName(QString::fromStdString(nameOf(&experiment::GridSettings::isZero)));
    m_words->setObjectName(QStringLiteral("rank_words"));
    m_words->setWordWrap(true);
    m_words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    connect(m_zero, &QCheckBox::clicked, this, [this](bool isOn) {
        Q_EMIT settingRequested(
            m_zero->objectName(), QString::fromStdString(experiment::toText(experiment::Value(isOn))));
    });
    connect(m_view, &RankMapView::currentChanged, this, &RankMapPanel::showWords);
    retranslate();
}

void RankMapPanel::addStepper(Stepper& stepper, QHBoxLayout& line)
{
    const QString name = QString::fromStdString(nameOf(stepper.parameter));
    const auto button = [&](const QString& text, const QString& suffix, int by) {
        auto* made = new QToolButton(this);
        made->setText(text);
        made->setObjectName(name + suffix);
        made->setFocusPolicy(Qt::StrongFocus);
        made->setAutoRepeat(true);
        made->setFixedWidth(ButtonWidth);
        connect(made, &QToolButton::clicked, this, [this, &stepper, by] { step(stepper, by); });
        return made;
    };
    stepper.name = plainLabel(this);
    stepper.fewer = button(QStringLiteral("−"), QStringLiteral("_fewer"), -1);
    stepper.value = plainLabel(this);
    stepper.more = button(QStringLiteral("+"), QStringLiteral("_more"), 1);
    stepper.value->setObjectName(name);
    stepper.value->setAlignment(Qt::AlignCenter);
    for (QWidget* widget : std::initializer_list<QWidget*>{stepper.name, stepper.fewer, stepper.value, stepper.more}) {
        line.addWidget(widget);
    }
}

void RankMapPanel::setMap(const RankMap& map, Sizes sizes)
{
    m_sizes = sizes;
    m_view->setMap(map);
    showValues();
    showWords(m_view->current());
}

void RankMapPanel::setTheme(const ChartTheme& theme)
{
    m_view->setTheme(theme);
}

void RankMapPanel::step(const Stepper& stepper, int by)
{
    Q_EMIT settingRequested(stepper.value->objectName(), QString::number(m_view->map().shape.*stepper.size + by));
}

void RankMapPanel::showValues()
{
    const RankMap& map = m_view->map();
    const bool canChoose = m_sizes == Sizes::Chosen && map.isGrid;
    for (const Stepper& stepper : m_steppers) {
        const int value = map.shape.*stepper.size;
        const experiment::Range& range = parameterOf(stepper.parameter).range;
        stepper.fewer->setVisible(canChoose);
        stepper.more->setVisible(canChoose);
        stepper.fewer->setEnabled(value > range.minimum);
        stepper.more->setEnabled(value < range.maximum);
        stepper.value->setText(QString::number(value));
        stepper.value->setMinimumWidth(
            canChoose ? stepper.value->fontMetrics().horizontalAdvance(QStringLiteral("64")) + 2 : 0);
        stepper.value->setAccessibleName(QStringLiteral("%1: %2").arg(stepper.name->text()).arg(value));
    }
    m_total->setText(QStringLiteral("= %1").arg(rankCountText(map.shape.ranks())));
    m_zero->setVisible(map.isGrid);
    m_zero->setEnabled(canChoose);
    m_zero->setChecked(map.hasZero);
}

void RankMapPanel::showWords(int rank)
{
    const RankMap& map = m_view->map();
    m_words->setMinimumHeight(linesOfWords(map) * m_words->fontMetrics().lineSpacing());
    if (rank >= 0) {
        m_words->setForegroundRole(QPalette::WindowText);
        m_words->setText(rankInWords(rank, map).join(u'\n'));
        return;
    }
    m_words->setForegroundRole(QPalette::PlaceholderText);
    m_words->setText(map.canBeDrawn()
            ? tr("A row is a copy of the net, a column is a stage; ranks side by side share layers. Point at a rank "
                 "to see which ranks it works with.")
            : QString());
}

void RankMapPanel::retranslate()
{
    const std::array names{tr("Copies"), tr("Stages"), tr("Parts")};
    const std::array fewer{tr("Fewer copies"), tr("Fewer stages"), tr("Fewer parts")};
    const std::array more{tr("More copies"), tr("More stages"), tr("More parts")};
    for (std::size_t i = 0; i < m_steppers.size(); ++i) {
        const Stepper& stepper = m_steppers[i];
        const QString help = translatedHelp(parameterOf(stepper.parameter));
        stepper.name->setText(names[i]);
        stepper.name->setToolTip(tipText(help));
        describe(*stepper.fewer, fewer[i], help);
        describe(*stepper.more, more[i], help);
    }
    m_zero->setText(QStringLiteral("ZeRO-1"));
    describe(*m_zero, QStringLiteral("ZeRO-1"), translatedHelp(parameterOf(&experiment::GridSettings::isZero)));
    m_view->setAccessibleName(tr("Rank map"));
    showValues();
    showWords(m_view->current());
}

} // namespace lockstep::ui
