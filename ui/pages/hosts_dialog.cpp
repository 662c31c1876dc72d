#include "ui/pages/hosts_dialog.h"

#include "session/language.h"
#include "session/messages.h"
#include "ui/theme/settings.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

using Hosts = std::vector<rendezvous::Host>;

Result<Hosts> parsed(const QString& text)
{
    return text.trimmed().isEmpty() ? Result<Hosts>(Hosts()) : session::parseHostFile(text.toUtf8());
}

void prepare(QTableView& table, QAbstractItemModel& model)
{
    table.setModel(&model);
    table.setSelectionMode(QAbstractItemView::NoSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setWordWrap(true);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

} // namespace

HostsDialog::HostsDialog(QString lockstep, QWidget* parent)
    : QDialog(parent)
    , m_lockstep(std::move(lockstep))
    , m_hosts(new HostsTableModel(this))
    , m_links(new HostLinksModel(this))
    , m_help(new QLabel(this))
    , m_list(new QPlainTextEdit(this))
    , m_problem(new QLabel(this))
    , m_use(new QCheckBox(this))
    , m_progress(new QProgressBar(this))
    , m_hostsTable(new QTableView(this))
    , m_linksTitle(new QLabel(this))
    , m_linksTable(new QTableView(this))
    , m_check(new QPushButton(this))
    , m_measure(new QPushButton(this))
    , m_stop(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    m_list->setPlainText(settings::hosts.read());
    m_use->setChecked(settings::hostsUsed.read());
    m_parsed = parsed(m_list->toPlainText());
    layOut();
    connect(m_list, &QPlainTextEdit::textChanged, this, &HostsDialog::onEdited);
    connect(m_use, &QCheckBox::toggled, this, &HostsDialog::onEdited);
    connect(m_check, &QPushButton::clicked, this, [this] { ask(false); });
    connect(m_measure, &QPushButton::clicked, this, [this] { ask(true); });
    connect(m_stop, &QPushButton::clicked, this, &HostsDialog::stop);
    connect(m_close, &QPushButton::clicked, this, &QDialog::accept);
    connect(&m_process, &QProcess::finished, this, &HostsDialog::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            onFinished();
        }
    });
    retranslate();
}

HostsDialog::~HostsDialog()
{
    m_process.disconnect(this);
    m_process.kill(); // its relays end with it
    m_process.waitForFinished(1000);
}

void HostsDialog::layOut()
{
    m_help->setWordWrap(true);
    m_help->setTextFormat(Qt::PlainText);
    m_list->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_list->setTabChangesFocus(true);
    m_list->setMinimumHeight(4 * m_list->fontMetrics().lineSpacing());
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(120);
    m_linksTitle->setWordWrap(true);
    prepare(*m_hostsTable, *m_hosts);
    prepare(*m_linksTable, *m_links);
    m_hostsTable->verticalHeader()->hide();
    auto* buttons = new QHBoxLayout;
    for (QWidget* each : std::initializer_list<QWidget*>{m_check, m_measure, m_stop, m_progress}) {
        buttons->addWidget(each);
    }
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    auto* page = new QVBoxLayout(this);
    page->addWidget(m_help);
    page->addWidget(m_list, 1);
    page->addWidget(m_use);
    page->addWidget(m_problem);
    page->addWidget(m_hostsTable, 2);
    page->addWidget(m_linksTitle);
    page->addWidget(m_linksTable, 2);
    page->addLayout(buttons);
    resize(920, 560);
}

void HostsDialog::onEdited()
{
    m_parsed = parsed(m_list->toPlainText());
    m_failure.clear();
    if (m_parsed) {
        settings::hosts.write(m_list->toPlainText());
        settings::hostsUsed.write(m_use->isChecked() && !m_parsed->empty());
    }
    showState();
}

void HostsDialog::ask(bool measures)
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

void HostsDialog::stop()
{
    m_process.kill();
}

void HostsDialog::onFinished()
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

void HostsDialog::showState()
{
    const std::size_t count = m_parsed ? m_parsed->size() : 0;
    m_progress->setVisible(isAsking());
    m_stop->setVisible(isAsking());
    m_check->setEnabled(count > 0 && !isAsking());
    m_measure->setEnabled(count > 1 && !isAsking());
    m_use->setEnabled(count > 0);
    m_hostsTable->setVisible(m_hosts->rowCount() > 0);
    m_linksTable->setVisible(m_links->rowCount() > 0);
    m_linksTitle->setVisible(m_links->rowCount() > 0);
    const QString problem = m_parsed ? m_failure
                                     : tr("%1. The previous list is still used.")
                                           .arg(QString::fromStdString(session::worded(m_parsed.error().text())));
    const QString hint = isAsking()
        ? (m_isMeasuring ? tr("Measuring the pairs of hosts one after the other, a few seconds per pair…")
                         : tr("Querying the hosts over ssh…"))
        : QString();
    m_problem->setText(problem.isEmpty() ? hint : problem);
    m_problem->setVisible(!m_problem->text().isEmpty());
}

void HostsDialog::retranslate()
{
    setWindowTitle(tr("Hosts"));
    m_help->setText(
        tr("Hosts that ssh reaches without a password, one per line: NAME slots=N program=/PATH/lockstep-rank "
           "address=ADDRESS. Only the name is required."));
    m_list->setPlaceholderText(QStringLiteral("n1 slots=2\nada@n2 slots=4 program=/opt/lockstep/lockstep-rank"));
    m_use->setText(tr("Start runs on these hosts"));
    m_linksTitle->setText(tr(
        "Links between the hosts: bandwidth of all-reduces of 4 MiB (upper right), latency of a message (lower left)"));
    m_check->setText(tr("Check"));
    m_measure->setText(tr("Measure links"));
    m_stop->setText(tr("Stop"));
    m_close->setText(tr("Close"));
    describe(*m_list, tr("Hosts"), m_help->text());
    describe(*m_use, m_use->text(),
        tr("If unticked, runs start on this machine. Applies to experiments that start from now on."));
    describe(*m_check, m_check->text(), tr("Checks what each host has and whether ranks can start there."));
    describe(*m_measure, m_measure->text(), tr("Measures latency and bandwidth between each pair of hosts."));
    describe(*m_stop, m_stop->text(), tr("Stops querying or measuring the hosts."));
    describe(*m_close, m_close->text(), tr("Closes this window."));
    describe(*m_progress, tr("Progress"), tr("The hosts are being queried or measured."));
    describe(*m_hostsTable, tr("Hosts and what they have"), tr("A row for each host."));
    describe(*m_linksTable, tr("Links between the hosts"), m_linksTitle->text());
    Q_EMIT m_hosts->headerDataChanged(Qt::Horizontal, 0, HostsTableModel::ColumnCount - 1);
    showState();
}

void HostsDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

} // namespace lockstep::ui
