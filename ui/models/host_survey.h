// The hosts that runs may use, from `lockstep hosts --json`: a table of the hosts and one of the links
// between them.
#pragma once

#include "base/text.h"

#include <QAbstractTableModel>
#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::ui {

struct SurveyedHost {
    QString name{};
    std::int64_t slots = 0;
    bool hasAnswered = false; ///< else only `error` says more
    QString hostname{};
    QString address{}; ///< at which ssh came there
    std::int64_t cores = 0;
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
    QStringList gpus{};
    QString version{};
    double roundTripMs = 0.0;
    double clockAheadMs = 0.0;
    double clockErrorMs = 0.0;
    Text error{}; ///< why it cannot be used; empty: it can
};

/// Between two hosts.
struct SurveyedLink {
    QString first{};
    QString second{};
    bool isMeasured = false;
    double latencyUs = 0.0;
    double megabytesPerSecond = 0.0;
    Text error{}; ///< why it is not measured
};

struct HostSurvey {
    std::vector<SurveyedHost> hosts{};
    std::vector<SurveyedLink> links{}; ///< empty: they were not measured
};

/// Nothing where it is something else.
[[nodiscard]] std::optional<HostSurvey> readHostSurvey(const QByteArray& json);

class HostsTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, State, Version, Slots, Cores, Memory, Gpus, Address, RoundTrip, Clock, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setSurvey(const HostSurvey& survey);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<SurveyedHost> m_hosts;
};

/// Hosts down and across: bandwidth above the diagonal, latency below it.
class HostLinksModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setSurvey(const HostSurvey& survey);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_names;
    std::vector<SurveyedLink> m_links;
};

} // namespace lockstep::ui
