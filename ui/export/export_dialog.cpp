#include "ui/export/export_dialog.h"

#include "ui/export/paper_files.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>
#include <QVBoxLayout>

#include <variant>

namespace lockstep::ui {

namespace {

constexpr int PreviewWidth = 560;
constexpr int PreviewHeight = 400;

// The columns of a page as journals have them.
constexpr double OneColumnMm = 89.0;
constexpr double TwoColumnsMm = 183.0;

QDoubleSpinBox* number(double low, double high, double value, const QString& unit, const QString& name)
{
    auto* box = new QDoubleSpinBox;
    box->setRange(low, high);
    box->setDecimals(value == static_cast<int>(value) ? 0 : 1);
    box->setValue(value);
    box->setSuffix(u' ' + unit);
    box->setAccessibleName(name);
    return box;
}

} // namespace

class ExportDialog::Private {
public:
    std::variant<ChartSpec, Drawing> what;
    QString id;
    QString title;
    QString specJson;
    QLabel* preview = nullptr;
    QLabel* message = nullptr;
    QComboBox* column = nullptr;
    QDoubleSpinBox* width = nullptr;
    QDoubleSpinBox* height = nullptr;
    QDoubleSpinBox* font = nullptr;
    QDoubleSpinBox* dpi = nullptr;
    QComboBox* colors = nullptr;
    QComboBox* format = nullptr;
    QCheckBox* markers = nullptr;
    QCheckBox* greyPreview = nullptr;
    QTimer redraw;

    void makeFields();
    [[nodiscard]] QFormLayout* makeForm() const;
    void draw(const PaperOptions& options) const;
    void remember() const;
    void restore();
};

void ExportDialog::Private::remember() const
{
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    settings.setValue(QStringLiteral("format"), format->currentIndex());
    settings.setValue(QStringLiteral("column"), column->currentIndex());
    settings.setValue(QStringLiteral("width"), width->value());
    settings.setValue(QStringLiteral("height"), height->value());
    settings.setValue(QStringLiteral("font"), font->value());
    settings.setValue(QStringLiteral("dpi"), dpi->value());
    settings.setValue(QStringLiteral("colors"), colors->currentIndex());
    settings.setValue(QStringLiteral("markers"), markers->isChecked());
}

/// The last export's settings; the fields clip values that do not fit.
void ExportDialog::Private::restore()
{
    QSettings settings;
    settings.beginGroup(QStringLiteral("export"));
    const auto choose = [&](QComboBox* box, const char* key) {
        const int index = settings.value(QLatin1String(key), 0).toInt();
        box->setCurrentIndex(index >= 0 && index < box->count() ? index : 0);
    };
    choose(format, "format");
    choose(column, "column");
    choose(colors, "colors");
    for (const auto& [box, key] : {std::pair{width, "width"}, {height, "height"}, {font, "font"}, {dpi, "dpi"}}) {
        box->setValue(settings.value(QLatin1String(key), box->value()).toDouble());
    }
    markers->setChecked(settings.value(QStringLiteral("markers"), true).toBool());
}

void ExportDialog::Private::draw(const PaperOptions& options) const
{
    const double inches = options.widthMm / 25.4;
    const double high = options.heightMm / 25.4;
    const qreal ratio = preview->devicePixelRatioF();
    const int fitting = static_cast<int>(std::min(PreviewWidth / inches, PreviewHeight / high) * ratio);
    QImage image
        = std::visit([&](const auto& each) { return renderImage(each, options, std::max(24, fitting)); }, what);
    if (greyPreview->isChecked()) {
        image = image.convertToFormat(QImage::Format_Grayscale8);
    }
    image.setDevicePixelRatio(ratio);
    preview->setPixmap(QPixmap::fromImage(image));
}

ExportDialog::ExportDialog(ChartSpec chart, QWidget* parent)
    : QDialog(parent)
    , m_private(std::make_unique<Private>())
{
    m_private->what = std::move(chart);
    build();
}

ExportDialog::ExportDialog(Drawing drawing, QWidget* parent)
    : QDialog(parent)
    , m_private(std::make_unique<Private>())
{
    m_private->what = std::move(drawing);
    build();
    m_private->markers->hide(); // it has no lines
}

void ExportDialog::Private::makeFields()
{
    preview = new QLabel;
    preview->setAlignment(Qt::AlignCenter);
    preview->setFixedSize(PreviewWidth + 24, PreviewHeight + 24);
    preview->setAccessibleName(ExportDialog::tr("Preview"));
    column = new QComboBox;
    column->addItems({ExportDialog::tr("Two columns (183 mm)"), ExportDialog::tr("One column (89 mm)"),
        ExportDialog::tr("Custom size")});
    column->setAccessibleName(ExportDialog::tr("Size"));
    width = number(30, 1000, TwoColumnsMm, QStringLiteral("mm"), ExportDialog::tr("Width"));
    height = number(20, 1000, 110, QStringLiteral("mm"), ExportDialog::tr("Height"));
    font = number(4, 36, 8, QStringLiteral("pt"), ExportDialog::tr("Font size"));
    dpi = number(50, 1200, 300, QStringLiteral("dpi"), ExportDialog::tr("Resolution"));
    colors = new QComboBox;
    colors->addItems({ExportDialog::tr("As on screen"), ExportDialog::tr("Vibrant"), ExportDialog::tr("High contrast"),
        ExportDialog::tr("Greyscale")});
    colors->setAccessibleName(ExportDialog::tr("Colours"));
    format = new QComboBox;
    for (const PaperFormat each : PaperFormats) {
        if (each != PaperFormat::Pgfplots || std::holds_alternative<ChartSpec>(what)) {
            format->addItem(nameOf(each));
        }
    }
    format->setAccessibleName(ExportDialog::tr("Format"));
    markers = new QCheckBox(ExportDialog::tr("Markers on the lines"));
    markers->setChecked(true);
    greyPreview = new QCheckBox(ExportDialog::tr("Greyscale preview"));
    message = new QLabel;
    message->setWordWrap(true);
    message->hide();
}

QFormLayout* ExportDialog::Private::makeForm() const
{
    auto* form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignRight);
    form->addRow(ExportDialog::tr("Format"), format);
    form->addRow(ExportDialog::tr("Size"), column);
    form->addRow(ExportDialog::tr("Width"), width);
    form->addRow(ExportDialog::tr("Height"), height);
    form->addRow(ExportDialog::tr("Font size"), font);
    form->addRow(ExportDialog::tr("Resolution"), dpi);
    form->addRow(ExportDialog::tr("Colours"), colors);
    form->addRow(QString(), markers);
    form->addRow(QString(), greyPreview);
    return form;
}

void ExportDialog::build()
{
    Private& d = *m_private;
    std::visit(
        [&d](const auto& each) {
            d.id = each.id;
            d.title = each.title;
            d.specJson = each.specJson;
        },
        d.what);
    setWindowTitle(tr("Export: %1").arg(d.title));
    d.makeFields();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    auto* side = new QVBoxLayout;
    side->addLayout(d.makeForm());
    side->addStretch(1);
    side->addWidget(d.message);
    side->addWidget(buttons);
    auto* page = new QHBoxLayout(this);
    page->addWidget(d.preview);
    page->addLayout(side);
    wire();
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::choosePath);
    d.restore();
    d.draw(options());
}

void ExportDialog::wire()
{
    Private& d = *m_private;
    d.redraw.setSingleShot(true);
    d.redraw.setInterval(60);
    connect(&d.redraw, &QTimer::timeout, this, [this] { m_private->draw(options()); });
    const auto again = [this] { m_private->redraw.start(); };
    for (QDoubleSpinBox* box : {d.width, d.height, d.font}) {
        connect(box, &QDoubleSpinBox::valueChanged, this, again);
    }
    connect(d.colors, &QComboBox::currentIndexChanged, this, again);
    connect(d.markers, &QCheckBox::toggled, this, again);
    connect(d.greyPreview, &QCheckBox::toggled, this, again);
    connect(d.column, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index < 2) {
            m_private->width->setValue(index == 0 ? TwoColumnsMm : OneColumnMm);
            m_private->height->setValue(index == 0 ? 110.0 : 65.0);
        }
        m_private->width->setEnabled(index == 2);
        m_private->height->setEnabled(index == 2);
    });
    d.width->setEnabled(false);
    d.height->setEnabled(false);
    d.dpi->setEnabled(false);
    connect(d.format, &QComboBox::currentIndexChanged, this,
        [this] { m_private->dpi->setEnabled(format() == PaperFormat::Png); });
}

void ExportDialog::choosePath()
{
    QSettings settings;
    const QString folder = settings
                               .value(QStringLiteral("export/folder"),
                                   QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                               .toString();
    const QString suffix = suffixOf(format());
    const QString path = QFileDialog::getSaveFileName(
        this, windowTitle(), QDir(folder).filePath(m_private->id + u'.' + suffix), QStringLiteral("*.") + suffix);
    if (!path.isEmpty() && saveTo(path)) {
        settings.setValue(QStringLiteral("export/folder"), QFileInfo(path).absolutePath());
        m_private->remember();
        accept();
        Q_EMIT saved(path);
    }
}

ExportDialog::~ExportDialog() = default;

PaperFormat ExportDialog::format() const
{
    return static_cast<PaperFormat>(m_private->format->currentIndex());
}

PaperOptions ExportDialog::options() const
{
    const Private& d = *m_private;
    PaperOptions options;
    options.widthMm = d.width->value();
    options.heightMm = d.height->value();
    options.fontPt = d.font->value();
    options.dpi = static_cast<int>(d.dpi->value());
    options.colors = static_cast<PaperOptions::Colors>(d.colors->currentIndex());
    options.markers = d.markers->isChecked() ? PaperOptions::Markers::Sparse : PaperOptions::Markers::None;
    options.specJson = d.specJson;
    return options;
}

bool ExportDialog::saveTo(const QString& path)
{
    const QString name = QFileInfo(path).completeBaseName();
    const auto written = [&]() -> Result<QStringList> {
        LOCKSTEP_TRY_ASSIGN(const auto files,
            std::visit(
                [&](const auto& each) { return renderFiles(each, format(), options(), name); }, m_private->what));
        return writePaperFiles(path, files);
    }();
    m_private->message->setVisible(!written);
    if (!written) {
        m_private->message->setText(QString::fromStdString(written.error().message));
    }
    return written.isOk();
}

} // namespace lockstep::ui
