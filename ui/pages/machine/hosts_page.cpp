#include "ui/pages/machine/hosts_page.h"

#include "language/language.h"
#include "language/wording.h"
#include "ui/models/shown_text.h"
#include "ui/theme/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

using Hosts = std::vector<rendezvous::Host>;

constexpr int LeastLines = 4;
constexpr int MostLines = 8;
constexpr int MostLinesOfATable = 20;

Result<Hosts> parsed(const QString& text)
{
    return text.trimmed().isEmpty() ? Result<Hosts>(Hosts()) : launch::parseHostFile(text.toUtf8());
}

/// As high as its rows, so that the page scrolls and not the table, unless there are many.
class FittingTable final : public QTableView {
public:
    using QTableView::QTableView;

    QSize sizeHint() const override
    {
        const bool isWide = horizontalHeader()->length() > viewport()->width();
        return {QTableView::sizeHint().width(),
            2 * frameWidth() + horizontalHeader()->height() + verticalHeader()->length()
                + (isWide ? horizontalScrollBar()->sizeHint().height() : 0)};
    }

protected:
    void updateGeometries() override
    {
        QTableView::updateGeometries();
        if (std::min(sizeHint().height(), maximumHeight()) != height()) {
            updateGeometry();
        }
    }
};

void prepare(QTableView& table, QAbstractItemModel& model)
{
    table.setModel(&model);
    table.setSelectionMode(QAbstractItemView::NoSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setWordWrap(true);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    table.setMaximumHeight(MostLinesOfATable * table.fontMetrics().lineSpacing());
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

} // namespace

HostsPage::HostsPage(QWidget* parent)
    : Translated(parent)
    , m_lockstep(QCoreApplication::applicationFilePath())
    , m_hosts(new HostsTableModel(this))
    , m_links(new HostLinksModel(this))
    , m_heading(plainLabel(this))
    , m_where(new ElidedLabel(this))
    , m_close(new QPushButton(this))
    , m_help(plainLabel(this))
    , m_list(new QPlainTextEdit(this))
    , m_problem(plainLabel(this))
    , m_use(new QCheckBox(this))
    , m_check(new QPushButton(this))
    , m_measure(new QPushButton(this))
    , m_stop(new QPushButton(this))
    , m_progress(new QProgressBar(this))
    , m_empty(plainLabel(this))
    , m_hostsTable(new FittingTable(this))
    , m_linksTitle(plainLabel(this))
    , m_linksTable(new FittingTable(this))
{
    layOut();
    setFocusProxy(m_list);
    connectControls();
    readSettings();
    retranslate();
}

HostsPage::~HostsPage()
{
    m_process.disconnect(this);
    m_process.kill(); // its relays end with it
    m_process.waitForFinished(1000);
}

void HostsPage::connectControls()
{
    connect(m_list, &QPlainTextEdit::textChanged, this, &HostsPage::onEdited);
    connect(m_use, &QCheckBox::toggled, this, &HostsPage::onEdited);
    connect(m_check, &QPushButton::clicked, this, [this] { ask(false); });
    connect(m_measure, &QPushButton::clicked, this, [this] { ask(true); });
    connect(m_stop, &QPushButton::clicked, this, &HostsPage::stop);
    connect(m_close, &QPushButton::clicked, this, &HostsPage::closeRequested);
    connect(&m_process, &QProcess::finished, this, &HostsPage::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            onFinished();
        }
    });
}

void HostsPage::layOut()
{
    styleHeading(*m_heading);
    m_where->setObjectName(QStringLiteral("where"));
    m_close->setObjectName(QStringLiteral("closeHosts"));
    m_measure->setObjectName(QStringLiteral("measure"));
    m_close->setAutoDefault(true);
    auto* bar = new QHBoxLayout;
    addAll(*bar, {14, 6, 8, 4}, 12, {m_heading, {m_where, 1}, m_close});
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* contents = new QWidget(area);
    auto* page = new QVBoxLayout(contents);
    page->setContentsMargins(14, 4, 14, 10);
    fill(*page);
    area->setWidget(contents);
    auto* whole = new QVBoxLayout(this);
    addAll(*whole, {}, 0, {bar, {area, 1}});
}

void HostsPage::fill(QVBoxLayout& page)
{
    m_list->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_list->setTabChangesFocus(true);
    m_list->setMinimumHeight(LeastLines * m_list->fontMetrics().lineSpacing());
    m_list->setMaximumHeight(MostLines * m_list->fontMetrics().lineSpacing());
    m_problem->setObjectName(QStringLiteral("problem"));
    for (QLabel* label : {m_help, m_problem, m_empty, m_linksTitle}) {
        label->setWordWrap(true);
    }
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(120);
    prepare(*m_hostsTable, *m_hosts);
    prepare(*m_linksTable, *m_links);
    m_hostsTable->verticalHeader()->hide();
    auto* buttons = new QHBoxLayout;
    addAll(*buttons, {m_check, m_measure, m_stop, m_progress, FreeRoom});
    addAll(page,
        {m_help, {m_list, 4}, m_use, buttons, m_problem, m_empty, m_hostsTable, m_linksTitle, m_linksTable, FreeRoom});
}

void HostsPage::readSettings()
{
    const QSignalBlocker quietList(m_list);
    const QSignalBlocker quietUse(m_use);
    if (const QString kept = settings::hosts.read(); kept != m_list->toPlainText()) {
        m_list->setPlainText(kept);
    }
    m_use->setChecked(settings::hostsUsed.read());
    m_parsed = parsed(m_list->toPlainText());
}

void HostsPage::onEdited()
{
    m_parsed = parsed(m_list->toPlainText());
    m_failure.clear();
    if (m_parsed) {
        settings::hosts.write(m_list->toPlainText());
        settings::hostsUsed.write(m_use->isChecked() && !m_parsed->empty());
        Q_EMIT whereChanged();
    }
    showState();
}

void HostsPage::ask(bool measures)
{
    if (isAsking()) {
        return;
    }
    m_failure.clear();
    m_isMeasuring = measures;
    m_file = std::make_unique<QTemporaryFile>();
    if (!m_file->open() || m_file->write(m_list->toPlainText().toUtf8()) < 0 || !m_file->flush()) {
        m_failure = tr("The list cannot be written to a temporary file: %1").arg(m_file->errorString());
        showState();
        Q_EMIT asked();
        return;
    }
    QStringList words{QStringLiteral("hosts"), QStringLiteral("--hosts"), m_file->fileName(), QStringLiteral("--json")};
    if (measures) {
        words += QStringLiteral("--measure");
    }
    m_process.start(m_lockstep, words);
    showState();
}

void HostsPage::stop()
{
    m_process.kill();
}

void HostsPage::onFinished()
{
    m_file.reset();
    const bool isStopped = m_process.exitStatus() == QProcess::CrashExit && m_process.error() == QProcess::Crashed;
    const auto survey = readHostSurvey(m_process.readAllStandardOutput());
    if (survey) {
        m_hosts->setSurvey(*survey);
        m_links->setSurvey(*survey);
    } else if (!isStopped) {
        const QString line = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
        m_failure = tr("The hosts could not be queried: %1").arg(line.isEmpty() ? m_process.errorString() : line);
    }
    showState();
    Q_EMIT asked();
}

void HostsPage::showState()
{
    const std::size_t count = m_parsed ? m_parsed->size() : 0;
    m_progress->setVisible(isAsking());
    m_stop->setVisible(isAsking());
    m_check->setEnabled(count > 0 && !isAsking());
    m_measure->setEnabled(count > 1 && !isAsking());
    m_use->setEnabled(count > 0);
    m_empty->setVisible(m_hosts->rowCount() == 0 && !isAsking());
    m_hostsTable->setVisible(m_hosts->rowCount() > 0);
    m_linksTable->setVisible(m_links->rowCount() > 0);
    m_linksTitle->setVisible(m_links->rowCount() > 0);
    const QString problem = m_parsed
        ? m_failure
        : tr("%1. The previous list is still used.").arg(QString::fromStdString(language::worded(m_parsed.error())));
    const QString hint = isAsking()
        ? (m_isMeasuring ? tr("Measuring the pairs of hosts one after the other, a few seconds per pair…")
                         : tr("Querying the hosts over ssh…"))
        : QString();
    m_problem->setText(problem.isEmpty() ? hint : problem);
    m_problem->setVisible(!m_problem->text().isEmpty());
    showWhere();
}

/// In a list that cannot be read, these are not the hosts that it has now.
void HostsPage::showWhere()
{
    QStringList names;
    for (const rendezvous::Host& host : settings::chosenHosts()) {
        names << shownName(host.name);
    }
    m_where->setWholeText(names.isEmpty() ? tr("Runs start on this machine.")
                                          : tr("Runs start on these hosts: %1").arg(names.join(tr(", "))));
    QFont font = m_use->font();
    font.setBold(!names.isEmpty());
    m_where->setFont(font);
}

void HostsPage::retranslate()
{
    m_heading->setText(tr("HOSTS"));
    m_help->setText(
        tr("Hosts that ssh reaches without a password, one per line: NAME slots=N program=/PATH/lockstep-rank "
           "address=ADDRESS. Only the name is required."));
    m_list->setPlaceholderText(QStringLiteral("n1 slots=2\nada@n2 slots=4 program=/opt/lockstep/lockstep-rank"));
    m_linksTitle->setText(tr(
        "Links between the hosts: bandwidth of all-reduces of 4 MiB (upper right), latency of a message (lower left)"));
    m_check->setText(tr("Check"));
    m_measure->setText(tr("Measure links"));
    m_stop->setText(tr("Stop"));
    m_empty->setText(
        tr("Check shows what each host has. Measure links also shows the latency and bandwidth between them."));
    describe(*m_list, tr("Hosts"), m_help->text());
    labelButton(*m_use, tr("Start runs on these hosts"),
        tr("If unticked, runs start on this machine. Applies to experiments that start from now on."));
    describe(*m_check, tr("Check the hosts"), tr("Checks what each host has and whether ranks can start there."));
    describe(*m_measure, tr("Measure links between the hosts"),
        tr("Measures latency and bandwidth between each pair of hosts."));
    describe(*m_stop, tr("Stop querying the hosts"), tr("Stops querying or measuring the hosts."));
    labelButton(*m_close, tr("Back to the runs"),
        tr("Shows the runs again (Escape). A query or measurement in progress continues."));
    describe(*m_progress, tr("Progress"), tr("The hosts are being queried or measured."));
    describe(*m_hostsTable, tr("Hosts and what they have"), tr("A row for each host."));
    describe(*m_linksTable, tr("Links between the hosts"), m_linksTitle->text());
    Q_EMIT m_hosts->headerDataChanged(Qt::Horizontal, 0, HostsTableModel::ColumnCount - 1);
    showState();
}

void HostsPage::showEvent(QShowEvent* event)
{
    if (m_parsed) { // else the user is still writing
        readSettings();
        showState();
        Q_EMIT whereChanged();
    }
    QWidget::showEvent(event);
}

} // namespace lockstep::ui
