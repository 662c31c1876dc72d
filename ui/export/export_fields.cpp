#include "ui/export/export_fields.h"

#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSettings>
#include <QSignalBlocker>

namespace lockstep::ui {

namespace {

// The columns of a page as journals have them.
constexpr double OneColumnMm = 89.0;
constexpr double TwoColumnsMm = 183.0;

QDoubleSpinBox* number(
    double low, double high, double value, const QString& unit, const QString& name, const QString& help)
{
    auto* box = new QDoubleSpinBox;
    box->setRange(low, high);
    box->setDecimals(value == static_cast<int>(value) ? 0 : 1);
    box->setValue(value);
    box->setSuffix(u' ' + unit);
    describe(*box, name, help);
    return box;
}

/// Empty: fitted to the data.
std::optional<double> endOf(const QLineEdit& field)
{
    bool isNumber = false;
    const double value = QLocale::c().toDouble(field.text().trimmed(), &isNumber);
    return isNumber ? std::optional(value) : std::nullopt;
}

} // namespace

ExportFields::ExportFields(Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
    , m_format(new QComboBox(this))
    , m_column(new QComboBox(this))
    , m_colors(new QComboBox(this))
    , m_language(new QComboBox(this))
    , m_legend(new QComboBox(this))
    , m_markers(new QCheckBox(tr("Markers on the lines"), this))
    , m_raw(new QCheckBox(tr("Raw curves behind smoothed ones"), this))
    , m_greyPreview(new QCheckBox(tr("Greyscale preview"), this))
{
    makeFields();
    layOut();
    wire();
    restore();
}

void ExportFields::makeFields()
{
    for (const PaperFormat each : PaperFormats) {
        if (each != PaperFormat::Pgfplots || m_kind == Kind::Charts) {
            m_format->addItem(nameOf(each));
        }
    }
    describe(*m_format, tr("Format"),
        tr("Vector formats stay sharp at any size; the resolution sets the number of pixels of a PNG."));
    m_column->addItems({tr("Two columns (183 mm)"), tr("One column (89 mm)"), tr("Custom size")});
    describe(*m_column, tr("Size"),
        tr("Size of the whole figure on paper; for a custom size, set the width and the height."));
    m_width = number(30, 1000, TwoColumnsMm, QStringLiteral("mm"), tr("Width"), tr("Size of the figure on paper."));
    m_height = number(20, 1000, 110, QStringLiteral("mm"), tr("Height"), tr("Size of the figure on paper."));
    m_font = number(4, 36, 8, QStringLiteral("pt"), tr("Font size"), tr("Size of all text in the figure."));
    m_dpi = number(
        50, 1200, 300, QStringLiteral("dpi"), tr("Resolution"), tr("Resolution of a PNG, in dots per inch of paper."));
    m_colors->addItems({tr("As on screen"), tr("Vibrant"), tr("High contrast"), tr("Greyscale")});
    describe(*m_colors, tr("Colours"), tr("The palette of the curves on paper."));
    // Each language by its own name, whatever the window's is.
    m_language->addItems({tr("As in the window"), QStringLiteral("English"), QStringLiteral("中文")});
    describe(*m_language, tr("Language"), tr("The language of the texts in the figure."));
    m_legend->addItems({tr("Above"), tr("Below"), tr("Top right"), tr("Bottom right"), tr("None")});
    describe(*m_legend, tr("Legend"), tr("Where the names of the curves are."));
    const std::array names{tr("x axis from"), tr("x axis to"), tr("y axis from"), tr("y axis to")};
    for (std::size_t i = 0; i < m_ends.size(); ++i) {
        m_ends[i] = new QLineEdit(this);
        describe(*m_ends[i], names[i], tr("A number; empty fits the axis to the data."));
        m_ends[i]->setPlaceholderText(tr("auto"));
        m_ends[i]->setMaximumWidth(90);
    }
    describe(*m_markers, m_markers->text(), tr("Shapes on the curves distinguish them without colour."));
    describe(*m_raw, m_raw->text(), tr("Draws the raw values in a pale colour behind each smoothed curve."));
    describe(*m_greyPreview, m_greyPreview->text(), tr("Shows the figure as a black-and-white printer prints it."));
    m_markers->setChecked(true);
    m_raw->setChecked(true);
    m_width->setEnabled(false);
    m_height->setEnabled(false);
    m_dpi->setEnabled(false);
}

void ExportFields::layOut()
{
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setLabelAlignment(Qt::AlignRight);
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Size"), m_column);
    form->addRow(tr("Width"), m_width);
    form->addRow(tr("Height"), m_height);
    form->addRow(tr("Font size"), m_font);
    form->addRow(tr("Resolution"), m_dpi);
    form->addRow(tr("Colours"), m_colors);
    form->addRow(tr("Language"), m_language);
    if (m_kind == Kind::Charts) {
        layOutAxes(*form);
    }
    form->addRow(QString(), m_greyPreview);
    for (QWidget* each : std::initializer_list<QWidget*>{m_legend, m_markers, m_raw}) {
        each->setVisible(m_kind == Kind::Charts);
    }
    for (QLineEdit* end : m_ends) {
        end->setVisible(m_kind == Kind::Charts);
    }
}

void ExportFields::layOutAxes(QFormLayout& form)
{
    form.addRow(tr("Legend"), m_legend);
    const std::array names{tr("x axis"), tr("y axis")};
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
        auto* ends = new QHBoxLayout;
        addAll(*ends, {m_ends[2 * axis], plainLabel(tr("to")), m_ends[2 * axis + 1], FreeRoom});
        form.addRow(names[axis], ends);
    }
    form.addRow(QString(), m_markers);
    form.addRow(QString(), m_raw);
}

void ExportFields::wire()
{
    for (QDoubleSpinBox* box : {m_width, m_height, m_font}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportFields::changed);
    }
    for (QComboBox* box : {m_colors, m_legend}) {
        connect(box, &QComboBox::currentIndexChanged, this, &ExportFields::changed);
    }
    for (QCheckBox* box : {m_markers, m_raw, m_greyPreview}) {
        connect(box, &QCheckBox::toggled, this, &ExportFields::changed);
    }
    for (QLineEdit* end : m_ends) {
        connect(end, &QLineEdit::textChanged, this, &ExportFields::changed);
    }
    connect(m_language, &QComboBox::currentIndexChanged, this, &ExportFields::languageChosen);
    connect(m_column, &QComboBox::currentIndexChanged, this, &ExportFields::chooseSize);
    connect(
        m_format, &QComboBox::currentIndexChanged, this, [this] { m_dpi->setEnabled(format() == PaperFormat::Png); });
}

void ExportFields::chooseSize(int index)
{
    if (index < 2) {
        m_width->setValue(index == 0 ? TwoColumnsMm : OneColumnMm);
        m_height->setValue(index == 0 ? 110.0 : 65.0);
    }
    m_width->setEnabled(index == 2);
    m_height->setEnabled(index == 2);
}

PaperFormat ExportFields::format() const
{
    return formatFromName(m_format->currentText()).value_or(PaperFormat::Pdf);
}

int ExportFields::language() const
{
    return m_language->currentIndex();
}

bool ExportFields::isGreyPreview() const
{
    return m_greyPreview->isChecked();
}

QString ExportFields::problem() const
{
    for (const QLineEdit* each : m_ends) {
        if (!each->text().trimmed().isEmpty() && !endOf(*each)) {
            return tr("%1: “%2” is not a number; leave it empty to fit the axis to the data.")
                .arg(each->accessibleName(), each->text().trimmed());
        }
    }
    return {};
}

void ExportFields::setHeight(double mm)
{
    m_column->setCurrentIndex(2);
    m_height->setValue(mm);
}

PaperOptions ExportFields::options() const
{
    PaperOptions options;
    options.widthMm = m_width->value();
    options.heightMm = m_height->value();
    options.fontPt = m_font->value();
    options.dpi = static_cast<int>(m_dpi->value());
    options.colors = static_cast<PaperOptions::Colors>(m_colors->currentIndex());
    options.markers = m_markers->isChecked() ? PaperOptions::Markers::Sparse : PaperOptions::Markers::None;
    options.rawTraces = m_raw->isChecked() ? PaperOptions::RawTraces::Drawn : PaperOptions::RawTraces::LeftOut;
    options.legend = static_cast<LegendPlace>(m_legend->currentIndex());
    options.x = {endOf(*m_ends[0]), endOf(*m_ends[1])};
    options.y = {endOf(*m_ends[2]), endOf(*m_ends[3])};
    return options;
}

/// Not the ends of axes: those belong to one chart.
void ExportFields::remember() const
{
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    settings.setValue(QStringLiteral("format"), m_format->currentText());
    settings.setValue(QStringLiteral("column"), m_column->currentIndex());
    settings.setValue(QStringLiteral("width"), m_width->value());
    settings.setValue(QStringLiteral("height"), m_height->value());
    settings.setValue(QStringLiteral("font"), m_font->value());
    settings.setValue(QStringLiteral("dpi"), m_dpi->value());
    settings.setValue(QStringLiteral("colors"), m_colors->currentIndex());
    settings.setValue(QStringLiteral("language"), m_language->currentIndex());
    settings.setValue(QStringLiteral("legend"), m_legend->currentIndex());
    settings.setValue(QStringLiteral("markers"), m_markers->isChecked());
    settings.setValue(QStringLiteral("raw"), m_raw->isChecked());
}

/// The last export's settings; the fields clip values that do not fit.
void ExportFields::restore()
{
    const QSignalBlocker quiet(this);
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    const auto choose = [&](QComboBox* box, const char* key) {
        const int index = settings.value(QLatin1String(key), 0).toInt();
        box->setCurrentIndex(index >= 0 && index < box->count() ? index : 0);
    };
    m_format->setCurrentIndex(std::max(0, m_format->findText(settings.value(QStringLiteral("format")).toString())));
    choose(m_column, "column");
    choose(m_colors, "colors");
    choose(m_language, "language");
    choose(m_legend, "legend");
    for (const auto& [box, key] :
        {std::pair{m_width, "width"}, {m_height, "height"}, {m_font, "font"}, {m_dpi, "dpi"}}) {
        box->setValue(settings.value(QLatin1String(key), box->value()).toDouble());
    }
    m_markers->setChecked(settings.value(QStringLiteral("markers"), true).toBool());
    m_raw->setChecked(settings.value(QStringLiteral("raw"), true).toBool());
}

PaperOptions ExportFields::remembered()
{
    return ExportFields(Kind::Charts).options();
}

} // namespace lockstep::ui
