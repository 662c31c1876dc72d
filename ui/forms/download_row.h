// "Download MNIST", under the data set's field while its files are missing: progress, cancel, errors. GUI thread only;
// nothing blocks.
#pragma once

#include "exchange/download/mnist_download.h"
#include "ui/widgets/translated.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lockstep::ui {

class DownloadRow : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit DownloadRow(exchange::DownloadPlan plan = exchange::DownloadPlan::mnist(), QWidget* parent = nullptr);

    /// Whether a file of the data set is missing in the folder where it belongs.
    [[nodiscard]] bool isNeeded() const;
    [[nodiscard]] bool isRunning() const { return m_download.isRunning(); }

Q_SIGNALS:
    /// All files are there.
    void downloaded();

private:
    void toggle();
    void showProgress(qint64 received, qint64 total);
    void ended(const QString& error);
    void retranslate() final;

    exchange::DownloadPlan m_plan;
    exchange::MnistDownload m_download;
    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_button;
};

} // namespace lockstep::ui
