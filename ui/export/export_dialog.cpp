#include "ui/export/export_dialog.h"

#include "session/export/series_csv.h"

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

/// What the last export had; values of another version that do not fit are clipped by the fields.
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
    d.preview = new QLabel;
    d.preview->setAlignment(Qt::AlignCenter);
    d.preview->setFixedSize(PreviewWidth + 24, PreviewHeight + 24);
    d.preview->setAccessibleName(tr("Preview"));
    d.column = new QComboBox;
    d.column->addItems({tr("Two columns (183 mm)"), tr("One column (89 mm)"), tr("Custom size")});
    d.column->setAccessibleName(tr("Size"));
    d.width = number(30, 1000, TwoColumnsMm, QStringLiteral("mm"), tr("Width"));
    d.height = number(20, 1000, 110, QStringLiteral("mm"), tr("Height"));
    d.font = number(4, 36, 8, QStringLiteral("pt"), tr("Font size"));
    d.dpi = number(50, 1200, 300, QStringLiteral("dpi"), tr("Resolution"));
    d.colors = new QComboBox;
    d.colors->addItems({tr("As on screen"), tr("Vibrant"), tr("High contrast"), tr("Greyscale")});
    d.colors->setAccessibleName(tr("Colours"));
    d.format = new QComboBox;
    for (const PaperFormat each : {PaperFormat::Pdf, PaperFormat::Svg, PaperFormat::Png, PaperFormat::Csv}) {
        d.format->addItem(suffixOf(each).toUpper());
    }
    d.format->setAccessibleName(tr("Format"));
    d.markers = new QCheckBox(tr("Markers on the lines"));
    d.markers->setChecked(true);
    d.greyPreview = new QCheckBox(tr("Greyscale preview"));
    d.message = new QLabel;
    d.message->setWordWrap(true);
    d.message->hide();

    auto* form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignRight);
    form->addRow(tr("Format"), d.format);
    form->addRow(tr("Size"), d.column);
    form->addRow(tr("Width"), d.width);
    form->addRow(tr("Height"), d.height);
    form->addRow(tr("Font size"), d.font);
    form->addRow(tr("Resolution"), d.dpi);
    form->addRow(tr("Colours"), d.colors);
    form->addRow(QString(), d.markers);
    form->addRow(QString(), d.greyPreview);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    auto* side = new QVBoxLayout;
    side->addLayout(form);
    side->addStretch(1);
    side->addWidget(d.message);
    side->addWidget(buttons);
    auto* page = new QHBoxLayout(this);
    page->addWidget(d.preview);
    page->addLayout(side);

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
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
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
    });
    d.restore();
    d.draw(options());
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
    const auto bytes
        = std::visit([this](const auto& each) { return ui::render(each, format(), options()); }, m_private->what);
    const auto written = bytes ? session::writeFile(path, *bytes) : Result<void>(bytes.error());
    m_private->message->setVisible(!written);
    if (!written) {
        m_private->message->setText(QString::fromStdString(written.error().message));
    }
    return written.isOk();
}

} // namespace lockstep::ui
