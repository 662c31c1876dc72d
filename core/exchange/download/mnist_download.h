// Fetches the four files of MNIST, checks their SHA-256 and puts them into a folder.
#pragma once

#include <QCryptographicHash>
#include <QList>
#include <QNetworkAccessManager>
#include <QObject>
#include <QSaveFile>
#include <QString>
#include <QUrl>

#include <memory>

class QNetworkReply;

namespace lockstep::exchange {

struct DownloadFile {
    QString name; ///< "train-images-idx3-ubyte.gz"
    QByteArray sha256; ///< 64 hexadecimal digits
    qint64 bytes = 0;
};

struct DownloadPlan {
    QList<QUrl> mirrors; ///< folders, tried in order for each file
    QList<DownloadFile> files;
    int silenceMs = 20'000; ///< without a byte, the next mirror is tried

    [[nodiscard]] static DownloadPlan mnist();
};

/// One download at a time. GUI or main thread; nothing blocks.
class MnistDownload : public QObject {
    Q_OBJECT

public:
    explicit MnistDownload(DownloadPlan plan = DownloadPlan::mnist(), QObject* parent = nullptr);
    ~MnistDownload() override;

    /// Keeps existing files that are valid.
    void start(const QString& folder);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

Q_SIGNALS:
    void progressChanged(qint64 received, qint64 total);
    /// Once, at the end: empty if all files exist, else one line that says what went wrong and what to do.
    void ended(const QString& error);

private:
    void nextFile();
    void tryMirror();
    void readSome();
    void replyFinished();
    void failMirror(const QString& why);
    /// Ends what is being fetched.
    void dropFile();
    void end(const QString& error);
    [[nodiscard]] bool isThere(const DownloadFile& file) const;
    [[nodiscard]] const DownloadFile& file() const { return m_plan.files[m_file]; }

    DownloadPlan m_plan;
    QNetworkAccessManager m_network;
    QNetworkReply* m_reply = nullptr;
    std::unique_ptr<QSaveFile> m_output;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    QString m_folder;
    QString m_lastFailure;
    qsizetype m_file = 0;
    qsizetype m_mirror = 0;
    qint64 m_doneBytes = 0;
    qint64 m_fileBytes = 0;
    bool m_isRunning = false;
};

} // namespace lockstep::exchange
