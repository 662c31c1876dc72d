#include "exchange/download/mnist_download.h"

#include <QDir>
#include <QFile>
#include <QNetworkReply>

#include <algorithm>
#include <numeric>

namespace lockstep::exchange {

using namespace Qt::StringLiterals;

DownloadPlan DownloadPlan::mnist()
{
    return {{QUrl(u"https://ossci-datasets.s3.amazonaws.com/mnist/"_s),
                QUrl(u"https://storage.googleapis.com/cvdf-datasets/mnist/"_s)},
        {{u"train-images-idx3-ubyte.gz"_s, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609", 9912422},
            {u"train-labels-idx1-ubyte.gz"_s, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
                28881},
            {u"t10k-images-idx3-ubyte.gz"_s, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
                1648877},
            {u"t10k-labels-idx1-ubyte.gz"_s, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
                4542}}};
}

MnistDownload::MnistDownload(DownloadPlan plan, QObject* parent)
    : QObject(parent)
    , m_plan(std::move(plan))
{ }

MnistDownload::~MnistDownload()
{
    dropFile();
}

void MnistDownload::dropFile()
{
    if (m_reply != nullptr) {
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
        m_reply = nullptr;
    }
    m_output.reset(); // uncommitted, it leaves nothing behind
}

bool MnistDownload::isThere(const DownloadFile& wanted) const
{
    QFile there(m_folder + u'/' + wanted.name);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return there.size() == wanted.bytes && there.open(QIODevice::ReadOnly) && hash.addData(&there)
        && hash.result().toHex() == wanted.sha256;
}

void MnistDownload::start(const QString& folder)
{
    if (m_isRunning) {
        return;
    }
    m_folder = folder;
    m_isRunning = true;
    m_file = -1;
    m_doneBytes = 0;
    if (!QDir().mkpath(folder)) {
        end(tr("Cannot create the folder %1.").arg(folder));
        return;
    }
    nextFile();
}

void MnistDownload::nextFile()
{
    while (++m_file < m_plan.files.size() && isThere(file())) {
        m_doneBytes += file().bytes;
    }
    if (m_file == m_plan.files.size()) {
        end({});
        return;
    }
    m_mirror = 0;
    tryMirror();
}

void MnistDownload::tryMirror()
{
    if (m_mirror == m_plan.mirrors.size()) {
        end(tr("Cannot download %1: %2. Check the network and try again, or put the four files into %3 yourself.")
                .arg(file().name, m_lastFailure, m_folder));
        return;
    }
    m_hash.reset();
    m_fileBytes = 0;
    m_output = std::make_unique<QSaveFile>(m_folder + u'/' + file().name);
    if (!m_output->open(QIODevice::WriteOnly)) {
        end(tr("Cannot write %1: %2.").arg(m_output->fileName(), m_output->errorString()));
        return;
    }
    QUrl url = m_plan.mirrors[m_mirror];
    url.setPath(url.path() + file().name);
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::NoLessSafeRedirectPolicy);
    request.setRawHeader("Accept-Encoding", "identity");
    request.setTransferTimeout(m_plan.silenceMs);
    m_reply = m_network.get(request);
    connect(m_reply, &QNetworkReply::readyRead, this, &MnistDownload::readSome);
    connect(m_reply, &QNetworkReply::finished, this, &MnistDownload::replyFinished);
}

void MnistDownload::readSome()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status != 200) {
        return; // an error page, or a redirection on its way: finished() decides
    }
    const QByteArray bytes = m_reply->readAll();
    m_fileBytes += bytes.size();
    if (m_fileBytes > file().bytes) {
        failMirror(tr("it is larger than expected"));
        return;
    }
    m_hash.addData(bytes);
    if (m_output->write(bytes) != bytes.size()) {
        end(tr("Cannot write %1: %2.").arg(m_output->fileName(), m_output->errorString()));
        return;
    }
    const qint64 total = std::accumulate(m_plan.files.begin(), m_plan.files.end(), qint64{0},
        [](qint64 sum, const DownloadFile& each) { return sum + each.bytes; });
    Q_EMIT progressChanged(m_doneBytes + m_fileBytes, total);
}

void MnistDownload::replyFinished()
{
    if (m_reply->error() != QNetworkReply::NoError) {
        failMirror(m_reply->errorString());
        return;
    }
    readSome();
    if (!m_isRunning || m_reply == nullptr || !m_reply->isFinished()) {
        return; // readSome has ended it or moved to another mirror
    }
    if (m_fileBytes < file().bytes) {
        failMirror(tr("it ended after %1 of %2 bytes").arg(m_fileBytes).arg(file().bytes));
        return;
    }
    if (m_hash.result().toHex() != file().sha256) {
        failMirror(tr("its SHA-256 does not match that of MNIST"));
        return;
    }
    if (!m_output->commit()) {
        end(tr("Cannot write %1: %2.").arg(m_output->fileName(), m_output->errorString()));
        return;
    }
    m_reply->deleteLater();
    m_reply = nullptr;
    m_doneBytes += m_fileBytes;
    nextFile();
}

void MnistDownload::failMirror(const QString& why)
{
    m_lastFailure = m_plan.mirrors[m_mirror].host() + u": "_s + why;
    dropFile();
    ++m_mirror;
    tryMirror();
}

void MnistDownload::cancel()
{
    if (m_isRunning) {
        end(tr("The download was cancelled."));
    }
}

void MnistDownload::end(const QString& error)
{
    dropFile();
    m_isRunning = false;
    Q_EMIT ended(error);
}

} // namespace lockstep::exchange
