// bundle.json, the first member of a bundle: what else is in it.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::exchange {

/// 2: with views; a bundle without any is of version 1.
inline constexpr int BundleVersion = 2;
inline const char* const ManifestName = "bundle.json";
inline const char* const EnvironmentName = "environment.json";

struct BundledRun {
    RunId id;
    std::string experiment;
    std::string name; ///< as in its table: the label, or the variant's name
    int repeat = 0;
    std::string status;
    std::int64_t steps = 0;

    [[nodiscard]] QString member() const { return QStringLiteral("runs/%1.run").arg(QString::fromStdString(id.text)); }
};

struct Manifest {
    std::vector<BundledRun> runs; ///< by id
    QStringList specs; ///< their members
    QStringList views; ///< their members
    bool hasNames = false; ///< of hosts and users

    /// Every member of the bundle, in its order.
    [[nodiscard]] QStringList members() const;
    [[nodiscard]] QByteArray toJson() const;
    /// Refuses a later version, and what toJson() never writes.
    [[nodiscard]] static Result<Manifest> fromJson(const QByteArray& json);
    /// The member of the spec at this place: `spec.json`, `spec-2.json`, ...
    [[nodiscard]] static QString specName(qsizetype place);
    /// `views/1.json`, ...
    [[nodiscard]] static QString viewName(qsizetype place);
};

} // namespace lockstep::exchange
