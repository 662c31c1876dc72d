#include "ui/export/export_dialog.h"

#include "language/language.h"
#include "ui/export/export_fields.h"
#include "ui/export/figure_boxes.h"
#include "ui/export/paper_files.h"
#include "ui/models/form/error_text.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTimer>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

constexpr int PreviewWidth = 560;
constexpr int PreviewHeight = 400;
constexpr int ListHeight = 110;

} // namespace

class ExportDialog::Private {
public:
    std::vector<ChartSource> charts; ///< or `drawing`
    std::function<std::optional<Drawing>()> drawing;
    Picture picture;
    bool isFixed = false; ///< a value that cannot be made again
    QLabel* preview = nullptr;
    QLabel* message = nullptr;
    ExportFields* fields = nullptr;
    QListWidget* panels = nullptr; ///< null: nothing to add
    QSpinBox* columns = nullptr;
    QTimer redraw;

    [[nodiscard]] std::unique_ptr<language::TextsIn> language() const;
    void make();
    void addPanels(QVBoxLayout& side);
    void draw() const;
};

/// The figure's language; null: the window's.
std::unique_ptr<language::TextsIn> ExportDialog::Private::language() const
{
    const int chosen = isFixed ? 0 : fields->language();
    return chosen == 0 ? nullptr
                       : std::make_unique<language::TextsIn>(
                           chosen == 1 ? language::TextLanguage::English : language::TextLanguage::Chinese);
}

/// From its sources, in the figure's language.
void ExportDialog::Private::make()
{
    if (isFixed) {
        return;
    }
    const auto texts = language();
    if (drawing) {
        if (auto made = drawing()) { // else what it was made of is gone
            picture = *std::move(made);
        }
        return;
    }
    std::vector<ChartSpec> chosen{charts.front().chart()};
    for (int i = 0; panels != nullptr && i < panels->count(); ++i) {
        if (panels->item(i)->checkState() == Qt::Checked) {
            chosen.push_back(charts[static_cast<std::size_t>(i) + 1].chart());
        }
    }
    if (chosen.size() == 1) {
        picture = std::move(chosen.front());
    } else {
        picture = panelsOf(std::move(chosen), columns->value());
    }
}

void ExportDialog::Private::addPanels(QVBoxLayout& side)
{
    if (charts.size() < 2) {
        return;
    }
    panels = new QListWidget;
    describe(
        *panels, ExportDialog::tr("More panels"), ExportDialog::tr("Charts that the figure shows beside this one."));
    panels->setMaximumHeight(ListHeight);
    for (auto chart = charts.begin() + 1; chart != charts.end(); ++chart) {
        auto* item = new QListWidgetItem(chart->name, panels);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(Qt::Unchecked);
    }
    columns = new QSpinBox;
    columns->setRange(1, 4);
    columns->setValue(2);
    describe(*columns, ExportDialog::tr("Panels per row"), ExportDialog::tr("Number of panels in each row."));
    auto* line = new QHBoxLayout;
    addAll(*line, {plainLabel(ExportDialog::tr("Panels per row")), columns, FreeRoom});
    addAll(side, {plainLabel(ExportDialog::tr("More panels in this figure")), panels, line});
}

void ExportDialog::Private::draw() const
{
    const PaperOptions options = fields->options();
    const double inches = options.widthMm / 25.4;
    const double high = options.heightMm / 25.4;
    const qreal ratio = preview->devicePixelRatioF();
    const int fitting = static_cast<int>(std::min(PreviewWidth / inches, PreviewHeight / high) * ratio);
    const auto texts = language();
    QImage image = renderImage(picture, options, std::max(24, fitting));
    if (fields->isGreyPreview()) {
        image = image.convertToFormat(QImage::Format_Grayscale8);
    }
    image.setDevicePixelRatio(ratio);
    preview->setPixmap(QPixmap::fromImage(image));
}

ExportDialog::ExportDialog(ChartSpec chart, QWidget* parent)
    : QDialog(parent)
    , m_private(std::make_unique<Private>())
{
    m_private->picture = std::move(chart);
    m_private->isFixed = true;
    build();
}

ExportDialog::ExportDialog(std::vector<ChartSource> charts, QWidget* parent)
    : QDialog(parent)
    , m_private(std::make_unique<Private>())
{
    m_private->charts = std::move(charts);
    build();
}

ExportDialog::ExportDialog(std::function<std::optional<Drawing>()> drawing, QWidget* parent)
    : QDialog(parent)
    , m_private(std::make_unique<Private>())
{
    m_private->drawing = std::move(drawing);
    build();
}

void ExportDialog::build()
{
    Private& d = *m_private;
    d.preview = plainLabel();
    d.preview->setAlignment(Qt::AlignCenter);
    d.preview->setFixedSize(PreviewWidth + 24, PreviewHeight + 24);
    d.preview->setAccessibleName(tr("Preview"));
    d.message = plainLabel();
    d.message->setWordWrap(true);
    d.message->hide();
    d.fields = new ExportFields(d.drawing ? ExportFields::Kind::Drawing : ExportFields::Kind::Charts);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    auto* side = new QVBoxLayout;
    side->addWidget(d.fields);
    d.addPanels(*side);
    addAll(*side, {FreeRoom, d.message, buttons});
    auto* page = new QHBoxLayout(this);
    page->addWidget(d.preview);
    page->addLayout(side);
    const auto makeAgain = [this] {
        m_private->make();
        m_private->redraw.start();
    };
    if (d.panels != nullptr) {
        connect(d.panels, &QListWidget::itemChanged, this, makeAgain);
        connect(d.columns, &QSpinBox::valueChanged, this, makeAgain);
    }
    connect(d.fields, &ExportFields::languageChosen, this, makeAgain);
    connect(d.fields, &ExportFields::changed, this, [this] { m_private->redraw.start(); });
    d.redraw.setSingleShot(true);
    d.redraw.setInterval(60);
    connect(&d.redraw, &QTimer::timeout, this, [this] {
        showProblem(m_private->fields->problem());
        m_private->draw();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::choosePath);
    d.make();
    setWindowTitle(tr("Export: %1").arg(titleText(titleOf(d.picture))));
    if (const auto* drawing = std::get_if<Drawing>(&d.picture); drawing != nullptr && drawing->fittingHeight) {
        const PaperOptions options = d.fields->options();
        d.fields->setHeight(drawing->fittingHeight(options.widthMm, options.fontPt));
    }
    d.draw();
}

void ExportDialog::choosePath()
{
    QSettings settings;
    const QString folder = settings
                               .value(QStringLiteral("export/folder"),
                                   QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                               .toString();
    const QString suffix = suffixOf(format());
    const QString path = QFileDialog::getSaveFileName(this, windowTitle(),
        QDir(folder).filePath(idOf(m_private->picture) + u'.' + suffix), QStringLiteral("*.") + suffix);
    if (!path.isEmpty() && saveTo(path)) {
        settings.setValue(QStringLiteral("export/folder"), QFileInfo(path).absolutePath());
        m_private->fields->remember();
        accept();
        Q_EMIT saved(path);
    }
}

ExportDialog::~ExportDialog() = default;

PaperFormat ExportDialog::format() const
{
    return m_private->fields->format();
}

const Picture& ExportDialog::picture() const
{
    return m_private->picture;
}

PaperOptions ExportDialog::options() const
{
    PaperOptions options = m_private->fields->options();
    options.specJson = specOf(m_private->picture);
    return options;
}

void ExportDialog::showProblem(const QString& text)
{
    m_private->message->setText(text);
    m_private->message->setVisible(!text.isEmpty());
}

bool ExportDialog::saveTo(const QString& path)
{
    if (const QString problem = m_private->fields->problem(); !problem.isEmpty()) {
        showProblem(problem);
        return false;
    }
    const auto written = [&]() -> Result<QStringList> {
        const auto texts = m_private->language();
        const MendedPaper paper = showsPicture(format()) ? mended(m_private->picture, options())
                                                         : MendedPaper{m_private->picture, options(), {}, {}};
        LOCKSTEP_TRY_ASSIGN(
            const auto files, renderFiles(paper.picture, format(), paper.options, QFileInfo(path).completeBaseName()));
        return writePaperFiles(path, files);
    }();
    showProblem(written ? QString() : titledErrorText(written.error()));
    return written.isOk();
}

} // namespace lockstep::ui
