// What the window remembers, each entry declared once with its default. Stored by QSettings. GUI thread only.
#pragma once

#include "launch/machine/host_file.h"
#include "ui/models/palette.h"

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QVariant>

#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep::ui {

enum class Theme { System, Light, Dark };
enum class Language { System, English, Chinese };

template <typename T>
struct Setting {
    const char* key;
    T standard;

    [[nodiscard]] T read() const
    {
        const QVariant stored = QSettings().value(QLatin1String(key));
        if (!stored.isValid()) {
            return standard;
        }
        if constexpr (std::is_enum_v<T>) {
            return static_cast<T>(stored.toInt());
        } else {
            return stored.template value<T>();
        }
    }

    void write(const T& value) const
    {
        if constexpr (std::is_enum_v<T>) {
            QSettings().setValue(QLatin1String(key), static_cast<int>(value));
        } else {
            QSettings().setValue(QLatin1String(key), QVariant::fromValue(value));
        }
    }
};

namespace settings {

inline const Setting<Theme> theme{"ui/theme", Theme::System};
inline const Setting<Language> language{"ui/language", Language::System};
inline const Setting<PaletteName> palette{"ui/palette", PaletteName::Vibrant};
inline const Setting<QByteArray> geometry{"window/geometry", {}};
inline const Setting<QByteArray> verticalSplit{"window/vertical_split", {}};
inline const Setting<QByteArray> upperSplit{"window/upper_split", {}};
inline const Setting<QByteArray> lowerSplit{"window/lower_split_of_three", {}};
inline const Setting<QByteArray> runsHeader{"window/runs_header", {}};
inline const Setting<bool> galleryShown{"window/gallery_shown", true};
inline const Setting<bool> formShown{"window/form_shown", true};
inline const Setting<bool> tableShown{"window/table_shown", false};
inline const Setting<bool> logShown{"window/log_shown", false};
inline const Setting<bool> queueShown{"window/queue_shown", false};
inline const Setting<QString> form{"window/form", {}}; ///< as LastSession keeps it
inline const Setting<QString> interruptedOffered{"runs/interrupted_offered", {}}; ///< the id of the last one
inline const Setting<bool> interferedIncluded{"charts/interfered_included", false};
inline const Setting<QString> view{"window/view", {}}; ///< a chart's id, or net, timeline, ring, findings
inline const Setting<QString> hosts{"hosts/list", {}}; ///< as in a file of hosts; one that can be read
inline const Setting<bool> hostsUsed{"hosts/used", false}; ///< runs start there
inline const Setting<bool> timelineByMicroBatch{"timeline/by_micro_batch", true};

/// Where experiments that begin now are, in whichever window; empty: on this machine.
[[nodiscard]] inline std::vector<rendezvous::Host> chosenHosts()
{
    auto chosen = launch::parseHostFile(hosts.read().toUtf8());
    return hostsUsed.read() && chosen ? std::move(*chosen) : std::vector<rendezvous::Host>();
}

} // namespace settings

} // namespace lockstep::ui
