#include "ui/forms/variants_editor.h"

#include "ui/forms/parameter_field.h"
#include "ui/models/form_model.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>

namespace lockstep::ui {

namespace {

/// Swatches look like the curve: a short thick line of its colour.
QIcon swatch(const QColor& color)
{
    QPixmap pixmap(28, 28);
    pixmap.fill(Qt::transparent);
    pixmap.setDevicePixelRatio(2.0);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(0, 4.5, 14, 5), 2, 2);
    return QIcon(pixmap);
}

/// Of the variants under their group's title.
constexpr int Indent = 18;

/// The groups of the presets; any other keeps the name that its spec gives.
[[maybe_unused]] constexpr const char* GroupTitles[]
    = {QT_TRANSLATE_NOOP("VariantGroups", "Collectives"), QT_TRANSLATE_NOOP("VariantGroups", "Messages"),
        QT_TRANSLATE_NOOP("VariantGroups", "Parameter server"), QT_TRANSLATE_NOOP("VariantGroups", "Rules")};

QString titleOf(const QString& group)
{
    return QCoreApplication::translate("VariantGroups", group.toUtf8().constData());
}

} // namespace

VariantsEditor::VariantsEditor(FormModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(4);
    connect(&m_model, &FormModel::specReplaced, this, &VariantsEditor::build);
    connect(&m_model, &FormModel::changed, this, &VariantsEditor::showRows);
    build();
}

void VariantsEditor::setColors(const std::vector<QColor>& colors)
{
    m_colors = colors;
    showRows();
}

void VariantsEditor::build()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_headers.clear();
    m_groups.clear();
    m_rows.clear();
    addHeader();
    int line = 1;
    for (std::size_t variant = 0; variant < m_model.variants().size(); ++variant) {
        const QString& group = m_model.variants()[variant].group;
        if (!group.isEmpty() && (m_groups.empty() || m_groups.back().name != group)) {
            addGroup(group, line++);
        }
        addRow(variant, line);
        line += 2;
    }
    m_grid->setColumnStretch(0, 2);
    setVisible(!m_model.variants().empty());
    retranslate();
    showRows();
}

void VariantsEditor::addHeader()
{
    for (std::size_t column = 0; column < m_model.variedNumbers().size(); ++column) {
        auto* header = new QLabel(this);
        header->setForegroundRole(QPalette::PlaceholderText);
        header->setAlignment(Qt::AlignRight | Qt::AlignBottom);
        header->setWordWrap(true);
        m_grid->addWidget(header, 0, static_cast<int>(column) + 1);
        m_grid->setColumnStretch(static_cast<int>(column) + 1, 1);
        m_headers.push_back(header);
    }
}

void VariantsEditor::addGroup(const QString& name, int line)
{
    const int number = static_cast<int>(m_groups.size());
    auto* header = new QWidget(this);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    GroupRow group{name, new QCheckBox(header), new QToolButton(header)};
    group.tick->setObjectName(QStringLiteral("group-tick:") + name);
    connect(group.tick, &QCheckBox::clicked, this, [this, number](bool isOn) { tickGroup(number, isOn); });
    group.title->setObjectName(QStringLiteral("group:") + name);
    group.title->setAutoRaise(true);
    group.title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    group.title->setArrowType(Qt::RightArrow);
    group.title->setFocusPolicy(Qt::StrongFocus);
    connect(group.title, &QToolButton::clicked, this,
        [this, number] { openGroup(number, !m_groups[static_cast<std::size_t>(number)].isOpen); });
    layout->addWidget(group.tick);
    layout->addWidget(group.title);
    layout->addStretch(1);
    m_grid->addWidget(header, line, 0, 1, 1 + static_cast<int>(m_model.variedNumbers().size()));
    m_groups.push_back(group);
}

void VariantsEditor::tickGroup(int group, bool isOn)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].group == group) {
            m_model.setVariantEnabled(i, isOn);
        }
    }
    showGroups(); // also where the model had nothing to change
}

void VariantsEditor::openGroup(int group, bool isOpen)
{
    GroupRow& row = m_groups[static_cast<std::size_t>(group)];
    row.isOpen = isOpen;
    row.title->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
    showRows();
}

void VariantsEditor::showGroups()
{
    for (std::size_t number = 0; number < m_groups.size(); ++number) {
        int on = 0;
        int all = 0;
        for (std::size_t i = 0; i < m_rows.size() && i < m_model.variants().size(); ++i) {
            if (m_rows[i].group == static_cast<int>(number)) {
                on += m_model.variants()[i].isEnabled ? 1 : 0;
                ++all;
            }
        }
        GroupRow& group = m_groups[number];
        group.tick->setCheckState(on == 0 ? Qt::Unchecked : on == all ? Qt::Checked : Qt::PartiallyChecked);
        group.title->setText(tr("%1 (%2 of %3)").arg(titleOf(group.name)).arg(on).arg(all));
    }
}

void VariantsEditor::addRow(std::size_t variant, int line)
{
    const VariantRow& source = m_model.variants()[variant];
    Row row;
    row.group = source.group.isEmpty() ? -1 : static_cast<int>(m_groups.size()) - 1;
    row.place = new QWidget(this);
    row.tick = new QCheckBox(source.name, row.place);
    row.tick->setObjectName(QStringLiteral("variant:") + source.name);
    row.tick->setIconSize(QSize(14, 14));
    connect(row.tick, &QCheckBox::toggled, this, [this, variant](bool on) { m_model.setVariantEnabled(variant, on); });
    auto* indented = new QHBoxLayout(row.place);
    indented->setContentsMargins(row.group < 0 ? 0 : Indent, 0, 0, 0);
    indented->addWidget(row.tick);
    m_grid->addWidget(row.place, line, 0);
    int column = 1;
    for (const experiment::Parameter* parameter : m_model.variedNumbers()) {
        const std::string name(parameter->name);
        QLineEdit* edit = nullptr;
        if (source.cells.contains(name)) {
            edit = new QLineEdit(this);
            edit->setObjectName(QStringLiteral("%1:%2").arg(source.name, QString::fromStdString(name)));
            edit->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            edit->setMinimumWidth(44);
            edit->setMaximumWidth(76);
            edit->setProperty("parameter", QString::fromStdString(name));
            edit->installEventFilter(this);
            connect(edit, &QLineEdit::textEdited, this,
                [this, variant, name](const QString& text) { m_model.setVariantText(variant, name, text); });
            m_grid->addWidget(edit, line, column);
        }
        row.cells.push_back(edit);
        ++column;
    }
    row.error = new QLabel(this);
    row.error->setWordWrap(true);
    row.error->hide();
    m_grid->addWidget(row.error, line + 1, 0, 1, column);
    m_rows.push_back(row);
}

void VariantsEditor::showRows()
{
    for (std::size_t i = 0; i < m_rows.size() && i < m_model.variants().size(); ++i) {
        const VariantRow& source = m_model.variants()[i];
        Row& row = m_rows[i];
        const QSignalBlocker blocker(row.tick);
        row.tick->setChecked(source.isEnabled);
        row.tick->setIcon(i < m_colors.size() ? swatch(m_colors[i]) : QIcon());
        QString error;
        for (std::size_t column = 0; column < row.cells.size(); ++column) {
            QLineEdit* edit = row.cells[column];
            if (edit == nullptr) {
                continue;
            }
            const VariantCell& cell = source.cells.at(std::string(m_model.variedNumbers()[column]->name));
            if (edit->text() != cell.text) {
                edit->setText(cell.text);
            }
            edit->setEnabled(source.isEnabled);
            QFont font = edit->font();
            font.setBold(cell.text != cell.standard);
            edit->setFont(font);
            if (edit->property("wrong").toBool() == cell.error.isEmpty()) {
                edit->setProperty("wrong", !cell.error.isEmpty());
                markWrong(*edit, !cell.error.isEmpty());
            }
            error = error.isEmpty() ? cell.error : error;
        }
        QPalette errorPalette = palette();
        errorPalette.setColor(QPalette::WindowText, toneColor(Tone::Error, palette()));
        row.error->setPalette(errorPalette);
        row.error->setText(error);
        const bool isWrong = !error.isEmpty() && source.isEnabled;
        row.error->setVisible(isWrong);
        if (row.group >= 0) {
            fold(row, isWrong);
        }
    }
    showGroups();
}

/// What is wrong stays visible in a closed group.
void VariantsEditor::fold(const Row& row, bool isWrong)
{
    const bool isShown = isWrong || m_groups[static_cast<std::size_t>(row.group)].isOpen;
    row.place->setVisible(isShown);
    for (QLineEdit* edit : row.cells) {
        if (edit != nullptr) {
            edit->setVisible(isShown);
        }
    }
}

void VariantsEditor::retranslate()
{
    for (std::size_t column = 0; column < m_headers.size(); ++column) {
        const experiment::Parameter& parameter = *m_model.variedNumbers()[column];
        m_headers[column]->setText(translatedLabel(parameter));
        m_headers[column]->setToolTip(translatedHelp(parameter));
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (QLineEdit* edit = m_rows[i].cells[column]) {
                describe(*edit, tr("%1 of %2").arg(translatedLabel(parameter), m_model.variants()[i].name),
                    translatedHelp(parameter));
            }
        }
    }
    for (GroupRow& group : m_groups) {
        const QString title = titleOf(group.name);
        describe(*group.title, title, tr("Shows or hides the variants of this group."));
        describe(*group.tick, title, tr("Whether Run trains all variants of this group."));
    }
    showGroups();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const QString& name = m_model.variants()[i].name;
        describe(*m_rows[i].tick, name, tr("Whether Run trains %1.").arg(name));
    }
}

void VariantsEditor::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

bool VariantsEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn) {
        const std::string name = watched->property("parameter").toString().toStdString();
        if (const experiment::Parameter* parameter = experiment::findParameter(name)) {
            Q_EMIT helpAvailable(translatedHelp(*parameter));
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lockstep::ui
