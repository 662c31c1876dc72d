#include "ui/models/host_survey.h"

#include "language/wording.h"
#include "ui/models/number_text.h"
#include "ui/models/shown_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockstep::ui {

namespace {

/// In the window's language.
QString said(const Text& error)
{
    return QString::fromStdString(language::worded(error));
}

/// The data are not there in what an earlier version says.
Text errorOf(const QJsonObject& entry)
{
    return unpacked(entry["error"].toString().toStdString(), entry["error_data"].toString().toStdString());
}

SurveyedHost hostOf(const QJsonObject& entry)
{
    SurveyedHost host;
    host.name = entry["name"].toString();
    host.slots = entry["slots"].toInteger();
    host.error = errorOf(entry);
    host.hasAnswered = entry.contains("hostname");
    host.hostname = entry["hostname"].toString();
    host.address = entry["address"].toString();
    host.cores = entry["cores"].toInteger();
    host.memoryBytes = entry["memory_bytes"].toInteger();
    host.freeBytes = entry["free_bytes"].toInteger();
    for (const auto& gpu : entry["gpus"].toArray()) {
        host.gpus += gpu.toString();
    }
    host.version = entry["version"].toString();
    host.roundTripMs = entry["round_trip_ms"].toDouble();
    host.clockAheadMs = entry["clock_ahead_ms"].toDouble();
    host.clockErrorMs = entry["clock_error_ms"].toDouble();
    return host;
}

SurveyedLink linkOf(const QJsonObject& entry)
{
    return {.first = entry["hosts"][0].toString(),
        .second = entry["hosts"][1].toString(),
        .isMeasured = entry["ok"].toBool(),
        .latencyUs = entry["latency_us"].toDouble(),
        .megabytesPerSecond = entry["bandwidth_mb_per_s"].toDouble(),
        .error = errorOf(entry)};
}

} // namespace

std::optional<HostSurvey> readHostSurvey(const QByteArray& json)
{
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError || !document["hosts"].isArray()) {
        return std::nullopt;
    }
    HostSurvey survey;
    for (const auto& each : document["hosts"].toArray()) {
        survey.hosts.push_back(hostOf(each.toObject()));
    }
    for (const auto& each : document["links"].toArray()) {
        survey.links.push_back(linkOf(each.toObject()));
    }
    return survey;
}

void HostsTableModel::setSurvey(const HostSurvey& survey)
{
    beginResetModel();
    m_hosts = survey.hosts;
    endResetModel();
}

int HostsTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_hosts.size());
}

int HostsTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HostsTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const SurveyedHost& host = m_hosts.at(static_cast<std::size_t>(index.row()));
    const auto column = static_cast<Column>(index.column());
    const bool isText = column == Name || column == State || column == Gpus || column == Address || column == Version;
    if (role == Qt::TextAlignmentRole) {
        return int(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight));
    }
    if (role == Qt::ToolTipRole && column == State) {
        return tipText(said(host.error));
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) {
        return {};
    }
    if (column == Name) {
        return host.hasAnswered && host.hostname != host.name ? tr("%1 (%2)").arg(host.name, host.hostname) : host.name;
    }
    if (column == State) {
        return host.error.empty() ? tr("can be used") : said(host.error);
    }
    if (column == Slots) {
        return countText(host.slots);
    }
    if (!host.hasAnswered) {
        return QStringLiteral("–");
    }
    switch (column) {
    case Cores:
        return countText(host.cores);
    case Memory:
        return tr("%1 of %2").arg(bytesText(host.freeBytes), bytesText(host.memoryBytes));
    case Gpus:
        return host.gpus.isEmpty() ? tr("none") : host.gpus.join(QStringLiteral(", "));
    case Address:
        return host.address;
    case RoundTrip:
        return numberText(host.roundTripMs);
    case Clock:
        return tr("%1 ± %2").arg(numberText(host.clockAheadMs), numberText(host.clockErrorMs));
    default:
        return host.version;
    }
}

QVariant HostsTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation == Qt::Vertical) {
        return {};
    }
    switch (static_cast<Column>(section)) {
    case Name:
        return tr("Host");
    case State:
        return tr("State");
    case Slots:
        return tr("Slots");
    case Cores:
        return tr("Cores");
    case Memory:
        return tr("Free memory");
    case Gpus:
        return tr("GPUs");
    case Address:
        return tr("Address");
    case RoundTrip:
        return tr("Round trip, ms");
    case Clock:
        return tr("Clock ahead, ms");
    case Version:
    case ColumnCount:
        break;
    }
    return QStringLiteral("lockstep-rank");
}

void HostLinksModel::setSurvey(const HostSurvey& survey)
{
    beginResetModel();
    m_names.clear();
    m_links = survey.links;
    if (!m_links.empty()) {
        std::ranges::transform(
            survey.hosts, std::back_inserter(m_names), [](const SurveyedHost& host) { return host.name; });
    }
    endResetModel();
}

int HostLinksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_names.size());
}

int HostLinksModel::columnCount(const QModelIndex& parent) const
{
    return rowCount(parent);
}

QVariant HostLinksModel::data(const QModelIndex& index, int role) const
{
    if (role == Qt::TextAlignmentRole) {
        return int(Qt::AlignCenter);
    }
    if (!index.isValid() || index.row() == index.column()) {
        return {};
    }
    const QString& row = m_names.at(index.row());
    const QString& column = m_names.at(index.column());
    const auto link = std::ranges::find_if(m_links, [&](const SurveyedLink& each) {
        return (each.first == row && each.second == column) || (each.first == column && each.second == row);
    });
    if (link == m_links.end()) {
        return {};
    }
    if (role == Qt::ToolTipRole) {
        return tipText(link->isMeasured
                ? tr("%1 and %2: %3 µs per message; %4 MB/s for long messages, one in each direction at once")
                      .arg(link->first, link->second, numberText(link->latencyUs), numberText(link->megabytesPerSecond))
                : said(link->error));
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) {
        return {};
    }
    if (!link->isMeasured) {
        return tr("not measured");
    }
    return index.row() < index.column() ? tr("%1 MB/s").arg(numberText(link->megabytesPerSecond))
                                        : tr("%1 µs").arg(numberText(link->latencyUs));
}

QVariant HostLinksModel::headerData(int section, Qt::Orientation, int role) const
{
    return role == Qt::DisplayRole ? QVariant(m_names.at(section)) : QVariant();
}

} // namespace lockstep::ui
