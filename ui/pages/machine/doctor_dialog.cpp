#include "ui/pages/machine/doctor_dialog.h"

#include "language/language.h"
#include "ui/models/backend_table_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>
#include <QThread>
#include <QVBoxLayout>

#include <memory>

namespace lockstep::ui {

DoctorDialog::DoctorDialog(std::function<launch::MachineReport()> examine, QWidget* parent)
    : Translated(parent)
    , m_examine(std::move(examine))
    , m_model(new BackendTableModel(this))
    , m_state(plainLabel(this))
    , m_progress(new QProgressBar(this))
    , m_table(new QTableView(this))
    , m_words(new QTextBrowser(this))
    , m_again(new QPushButton(this))
    , m_copy(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    layOut();
    connect(m_again, &QPushButton::clicked, this, &DoctorDialog::examine);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::accept);
    retranslate();
}

DoctorDialog::~DoctorDialog() = default;

void DoctorDialog::layOut()
{
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_words->setFrameShape(QFrame::NoFrame);
    m_words->setOpenLinks(false);
    m_progress->setRange(0, 0); // how long rank programs take to start is not known
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(120);
    m_progress->hide();
    m_state->setWordWrap(true);
    auto* line = new QHBoxLayout;
    line->addWidget(m_state, 1);
    line->addWidget(m_progress);
    auto* buttons = new QHBoxLayout;
    addAll(*buttons, {m_again, m_copy, FreeRoom, m_close});
    auto* page = new QVBoxLayout(this);
    addAll(*page, {line, {m_table, 1}, {m_words, 1}, buttons});
    resize(760, 700);
}

bool DoctorDialog::isExamining() const
{
    return m_thread != nullptr;
}

void DoctorDialog::examine()
{
    if (isExamining()) {
        return;
    }
    // The thread owns all it needs: closing the dialog leaves it to end by itself.
    const auto report = std::make_shared<launch::MachineReport>();
    const language::TextLanguage language = language::textLanguage();
    m_thread = QThread::create([run = m_examine, report, language] {
        const language::TextsIn texts(language);
        *report = run();
    });
    connect(m_thread, &QThread::finished, this, [this, report] {
        m_thread = nullptr;
        showReport(*report);
    });
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread->start();
    retranslate();
}

void DoctorDialog::showReport(const launch::MachineReport& report)
{
    m_report = report;
    m_model->setTried(report.tried);
    retranslate();
    Q_EMIT examined();
}

QString DoctorDialog::text() const
{
    return QString::fromStdString(launch::reportText(m_report));
}

QString DoctorDialog::reportHtml() const
{
    QString html;
    if (!m_report.lines.empty()) {
        html += QStringLiteral("<h3>%1</h3>").arg(m_report.advice.empty() ? tr("Everything works") : tr("What to do"));
        html += QStringLiteral("<ul>");
        for (const std::string& each : m_report.advice) {
            html += QStringLiteral("<li>%1</li>").arg(QString::fromStdString(each).toHtmlEscaped());
        }
        html += QStringLiteral("</ul>");
    }
    html += QStringLiteral("<h3>%1</h3>%2").arg(tr("Which backend to choose"), backendGuide());
    if (!m_report.lines.empty()) {
        html += QStringLiteral("<h3>%1</h3><table cellspacing='0'>").arg(tr("This machine"));
        for (const launch::MachineLine& each : m_report.lines) {
            html += QStringLiteral("<tr><td style='padding:2px 12px 2px 0'>%1</td><td>%2</td></tr>")
                        .arg(QString::fromStdString(each.topic).trimmed().toHtmlEscaped(),
                            QString::fromStdString(each.text).toHtmlEscaped());
        }
        html += QStringLiteral("</table>");
    }
    return html;
}

void DoctorDialog::retranslate()
{
    setWindowTitle(tr("This machine"));
    m_progress->setVisible(isExamining());
    m_again->setEnabled(!isExamining());
    m_copy->setEnabled(!m_report.lines.empty());
    m_table->setVisible(m_model->rowCount() > 0);
    m_state->setText(isExamining()   ? tr("Rank programs are trying every backend…")
            : m_report.lines.empty() ? QString()
            : m_report.tried.empty() ? tr("No backend could be tried: see below what is missing.")
                                     : tr("What each backend can do here, tried just now with small arrays:"));
    m_table->setAccessibleName(tr("Operations by backend and device"));
    m_words->setAccessibleName(tr("Advice and facts"));
    m_words->setHtml(reportHtml());
    labelButton(*m_again, tr("Try again"), tr("Checks this machine again."));
    labelButton(*m_copy, tr("Copy as text"), tr("Copies the whole report, to paste into a message or an issue."));
    labelButton(*m_close, tr("Close"), tr("Closes this window."));
    describe(*m_progress, tr("Progress"), tr("This machine is being examined."));
    m_table->setAccessibleDescription(tr("Which operation works on which device."));
}

} // namespace lockstep::ui
