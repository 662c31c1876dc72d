#include "launch/ranks/packaged_ranks.h"

#include "base/translate.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <QVersionNumber>

#include <algorithm>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

const QVersionNumber OldestTorch(2, 7); // older ones were built with the ABI of GCC 4

struct InstalledTorch {
    QString version{}; ///< `2.11.0+cpu`; empty: not installed
    QString cuda{}; ///< `13.0`; empty: without CUDA
};

/// From the file that `torch.version` is, since starting Python and importing torch takes seconds.
InstalledTorch torchIn(const QDir& sitePackages)
{
    QFile file(sitePackages.filePath(u"torch/version.py"_s));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QString text = QString::fromUtf8(file.readAll());
    const auto valueOf = [&text](const QString& name) {
        const QRegularExpression assignment(
            u"^%1(?:\\s*:[^=]*)?\\s*=\\s*'([^']+)'"_s.arg(name), QRegularExpression::MultilineOption);
        return assignment.match(text).captured(1);
    };
    return {valueOf(u"__version__"_s), valueOf(u"cuda"_s)};
}

/// Of the ranks there are, oldest first: `2.11`.
QStringList minorsIn(const QDir& ranks)
{
    QStringList minors = ranks.entryList({u"*.*"_s}, QDir::Dirs | QDir::NoDotAndDotDot);
    std::sort(minors.begin(), minors.end(), [](const QString& one, const QString& other) {
        return QVersionNumber::fromString(one) < QVersionNumber::fromString(other);
    });
    return minors;
}

/// `minors` is not empty.
Text whyNoneFits(const InstalledTorch& torch, const QStringList& minors)
{
    const Text newest = verbatim(minors.back().toStdString());
    const Text version = verbatim(torch.version.toStdString());
    if (torch.version.isEmpty()) {
        return {LS_TR("Messages",
                    "training needs torch in this environment; run: pip install 'torch==%1.*', with --index-url "
                    "https://download.pytorch.org/whl/cpu for the CPU only"),
            {newest}};
    }
    if (QVersionNumber::fromString(torch.version) < OldestTorch) {
        return {LS_TR("Messages",
                    "torch %1 is not supported: torch 2.6 and older have another C++ ABI; run: pip install "
                    "'torch==%2.*'"),
            {version, newest}};
    }
    return {LS_TR("Messages",
                "no rank program of this package fits torch %1, only torch %2; run: pip install 'torch==%3.*'"),
        {version, verbatim(minors.join(u", "_s).toStdString()), newest}};
}

/// `2.11` of `2.11.0+cpu`
QString minorOf(const QString& version)
{
    const QVersionNumber number = QVersionNumber::fromString(version);
    return u"%1.%2"_s.arg(number.majorVersion()).arg(number.minorVersion());
}

Text whyNoCuda(const InstalledTorch& torch, const QDir& fitting)
{
    const Text version = verbatim(torch.version.toStdString());
    const QStringList others = fitting.entryList({u"lockstep-rank-cuda*"_s}, QDir::Files);
    if (others.isEmpty()) {
        return {LS_TR("Messages", "this package has no rank program for CUDA with torch %1"), {version}};
    }
    const Text needed = verbatim(QString(others.back()).remove(u"lockstep-rank-cuda"_s).toStdString());
    return torch.cuda.isEmpty()
        ? Text(LS_TR("Messages", "torch %1 has no CUDA; run: pip install --force-reinstall 'torch==%2.*'"),
            {version, verbatim(minorOf(torch.version).toStdString())})
        : Text(LS_TR("Messages", "torch %1 has CUDA %2, but the rank program of this package needs CUDA %3"),
            {version, verbatim(torch.cuda.toStdString()), needed});
}

/// Its path if it is a program.
QString programAt(const QString& path)
{
    const QFileInfo file(path);
    return file.isFile() && file.isExecutable() ? file.canonicalFilePath() : QString();
}

} // namespace

std::optional<PackagedRanks> packagedRanks(const QString& folder)
{
    const QDir package(QDir::cleanPath(folder + u"/.."_s));
    if (!package.exists(u"__init__.py"_s)) {
        return std::nullopt;
    }
    const QDir ranks(package.filePath(u"ranks"_s));
    const QStringList minors = minorsIn(ranks);
    PackagedRanks found;
    if (minors.isEmpty()) {
        found.problem = LS_TR("Messages", "this package has no rank programs, so it cannot train: set LOCKSTEP_RANK");
        found.cudaProblem = found.problem;
        return found;
    }
    const InstalledTorch torch = torchIn(QDir(package.filePath(u".."_s)));
    const QDir fitting(ranks.filePath(minorOf(torch.version)));
    found.cpu = torch.version.isEmpty() ? QString() : programAt(fitting.filePath(u"lockstep-rank"_s));
    if (found.cpu.isEmpty()) {
        found.problem = whyNoneFits(torch, minors);
        found.cudaProblem = found.problem;
        return found;
    }
    if (!torch.cuda.isEmpty()) {
        found.cuda = programAt(fitting.filePath(u"lockstep-rank-cuda"_s + torch.cuda.section(u'.', 0, 0)));
    }
    if (found.cuda.isEmpty()) {
        found.cudaProblem = whyNoCuda(torch, fitting);
    }
    return found;
}

} // namespace lockstep::launch
