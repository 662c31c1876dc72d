#include "session/launch/trust.h"

#include "session/session.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>
#include <array>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array RiskyParameters{"rank.program", "checkpoint.path", "checkpoint.from"};

std::string riskHash(const Risk& risk)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const std::string text = risk.parameter + '\n' + risk.value;
    hash.addData(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
    return hash.result().toHex().toStdString();
}

bool isWrittenByOwnerOnly(const QString& file)
{
    return (QFile::permissions(file) & (QFile::WriteGroup | QFile::WriteOther)) == QFile::Permissions();
}

} // namespace

QString Risk::shown() const
{
    QString text;
    for (const QChar c : QString::fromStdString(value)) {
        const bool isSeen = c.isPrint() || c.isSurrogate();
        text += isSeen && c != QChar::LineSeparator && c != QChar::ParagraphSeparator
            ? QString(c)
            : u"\\u{%1}"_s.arg(c.unicode(), 0, 16);
    }
    return text;
}

std::string Risk::text() const
{
    const char* consequence = parameter == "rank.program" ? " would be started"
        : parameter == "checkpoint.path"                  ? " would be written to"
                                                          : " would be resumed from";
    return parameter + ": \"" + shown().toStdString() + '"' + consequence;
}

std::vector<Risk> risksOf(std::span<const experiment::RunSpec> runs)
{
    std::vector<Risk> risks;
    for (const experiment::RunSpec& each : runs) {
        const experiment::RunSpec run = withAbsolutePaths(each);
        for (const char* parameter : RiskyParameters) {
            const auto found = run.settings.find(parameter);
            if (found == run.settings.end()) {
                continue;
            }
            std::string value = experiment::toText(found->second);
            if (!value.empty() && parameter != RiskyParameters.front()) {
                value = QDir::cleanPath(QFileInfo(QString::fromStdString(value)).absoluteFilePath()).toStdString();
            }
            const Risk risk{parameter, std::move(value)};
            if (!risk.value.empty() && std::ranges::find(risks, risk) == risks.end()) {
                risks.push_back(risk);
            }
        }
    }
    return risks;
}

Result<OwnProgram> confirmedProgram(const experiment::RunSpec& run)
{
    if (run.isConfirmed) {
        return ownProgram(run);
    }
    const std::vector<Risk> risks = risksOf({&run, 1});
    return Error{(risks.empty() ? std::string("rank.program: nothing") : risks.front().text())
        + ", but you have not confirmed it; start it from the window or with lockstep run --trust"};
}

Trust::Trust(QString file)
    : m_file(std::move(file))
{
    if (m_file.isEmpty()) {
        m_file = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/lockstep/trusted"_s;
    }
    QFile present(m_file);
    if (present.exists() && isWrittenByOwnerOnly(m_file) && present.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : present.readAll().split('\n')) {
            m_hashes.insert(line.trimmed().toStdString());
        }
    }
}

bool Trust::covers(const Risk& risk) const
{
    return m_hashes.contains(riskHash(risk));
}

std::vector<Risk> Trust::uncovered(std::span<const experiment::RunSpec> runs) const
{
    std::vector<Risk> risks = risksOf(runs);
    std::erase_if(risks, [this](const Risk& risk) { return covers(risk); });
    return risks;
}

Result<void> Trust::add(std::span<const Risk> risks)
{
    const std::size_t before = m_hashes.size();
    for (const Risk& risk : risks) {
        m_hashes.insert(riskHash(risk));
    }
    if (m_hashes.size() == before) {
        return {};
    }
    QByteArray text;
    for (const std::string& hash : m_hashes) {
        text += hash.empty() ? QByteArray() : QByteArray::fromStdString(hash) + '\n';
    }
    QSaveFile file(m_file);
    const bool isWritten = QDir().mkpath(QFileInfo(m_file).absolutePath()) && file.open(QIODevice::WriteOnly)
        && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) && file.write(text) == text.size()
        && file.commit();
    return isWritten ? Result<void>()
                     : Error{m_file.toStdString() + ": cannot be written: " + file.errorString().toStdString()};
}

void confirm(std::span<experiment::RunSpec> runs)
{
    for (experiment::RunSpec& run : runs) {
        run.isConfirmed = true;
    }
}

} // namespace lockstep::session
