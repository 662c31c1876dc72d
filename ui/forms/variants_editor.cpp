#include "ui/forms/variants_editor.h"

#include "ui/forms/parameter_field.h"
#include "ui/models/form_model.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>

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
    m_rows.clear();
    addHeader();
    for (std::size_t variant = 0; variant < m_model.variants().size(); ++variant) {
        addRow(variant);
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

void VariantsEditor::addRow(std::size_t variant)
{
    const VariantRow& source = m_model.variants()[variant];
    const int line = 1 + 2 * static_cast<int>(variant);
    Row row;
    row.tick = new QCheckBox(source.name, this);
    row.tick->setObjectName(QStringLiteral("variant:") + source.name);
    row.tick->setIconSize(QSize(14, 14));
    connect(row.tick, &QCheckBox::toggled, this, [this, variant](bool on) { m_model.setVariantEnabled(variant, on); });
    m_grid->addWidget(row.tick, line, 0);
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
        row.error->setVisible(!error.isEmpty() && source.isEnabled);
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
