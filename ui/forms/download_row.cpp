#include "ui/forms/download_row.h"

#include "experiment/dataset_folder.h"
#include "ui/models/number_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

namespace lockstep::ui {

DownloadRow::DownloadRow(exchange::DownloadPlan plan, QWidget* parent)
    : Translated(parent)
    , m_plan(plan)
    , m_download(std::move(plan))
    , m_text(plainLabel(this))
    , m_bar(new QProgressBar(this))
    , m_button(new QPushButton(this))
{
    m_text->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("download_text"));
    m_button->setObjectName(QStringLiteral("download"));
    m_button->setAutoDefault(true);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_bar->setRange(0, 1000);
    m_bar->hide();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 4, 0, 8);
    grid->setVerticalSpacing(4);
    grid->addWidget(m_text, 0, 0, 1, 2);
    grid->addWidget(m_bar, 1, 0);
    grid->addWidget(m_button, 1, 1, Qt::AlignRight);
    grid->setColumnStretch(0, 1);
    connect(m_button, &QPushButton::clicked, this, &DownloadRow::toggle);
    connect(&m_download, &exchange::MnistDownload::progressChanged, this, &DownloadRow::showProgress);
    connect(&m_download, &exchange::MnistDownload::ended, this, &DownloadRow::ended);
    retranslate();
}

bool DownloadRow::isNeeded() const
{
    const QDir folder(QString::fromStdString(experiment::standardFolder(experiment::DataSet::Mnist)));
    return std::any_of(m_plan.files.begin(), m_plan.files.end(), [&](const exchange::DownloadFile& file) {
        QString plain = file.name;
        plain.remove(QStringLiteral(".gz"));
        return !folder.exists(file.name) && !folder.exists(plain);
    });
}

void DownloadRow::toggle()
{
    if (m_download.isRunning()) {
        m_download.cancel();
        return;
    }
    m_text->setPalette({});
    m_bar->setValue(0);
    m_bar->show();
    m_download.start(QString::fromStdString(experiment::standardFolder(experiment::DataSet::Mnist)));
    retranslate();
}

void DownloadRow::showProgress(qint64 received, qint64 total)
{
    m_bar->setValue(total > 0 ? static_cast<int>(1000 * received / total) : 0);
    m_text->setText(tr("%1 of %2 received").arg(bytesText(received), bytesText(total)));
}

void DownloadRow::ended(const QString& error)
{
    m_bar->hide();
    retranslate();
    if (error.isEmpty()) {
        Q_EMIT downloaded();
        return;
    }
    QPalette wrong = palette();
    wrong.setColor(QPalette::WindowText, toneColor(Tone::Error, palette()));
    m_text->setPalette(wrong);
    m_text->setText(error);
}

void DownloadRow::retranslate()
{
    const bool isRunning = m_download.isRunning();
    m_text->setText(tr("MNIST is not on this machine yet."));
    m_button->setText(isRunning ? tr("Cancel") : tr("Download MNIST"));
    describe(*m_button, m_button->text(),
        isRunning ? tr("Cancels the download; incomplete files are not kept.")
                  : tr("Downloads the four files (11 MB), verifies them and keeps them for later runs."));
    describe(*m_bar, tr("Download"), tr("Download progress of MNIST."));
}

} // namespace lockstep::ui
