// The runs that are shown: which, in which order and colour, and which of them stay when a new experiment begins. The
// one place that says so; charts, findings, reports, exports and the table's ticks ask it. ShownFeeds alone changes it.
// GUI thread only.
#pragma once

#include "base/ids.h"
#include "ui/models/look.h"

#include <QObject>

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace lockstep::ui {

class ShownRuns : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// In the order in which they are drawn and listed, without those that are switched off.
    [[nodiscard]] std::vector<RunId> ids() const;
    /// ids(), and those that are switched off.
    [[nodiscard]] std::vector<RunId> inLegends() const;
    [[nodiscard]] std::map<RunId, Look> looks() const;
    [[nodiscard]] bool contains(const RunId& id) const { return lookOf(id).has_value(); }
    /// nullopt: it is not shown.
    [[nodiscard]] std::optional<Look> lookOf(const RunId& id) const;
    /// Those that stay when a new experiment begins.
    [[nodiscard]] std::vector<RunId> kept() const;

    /// In front of the run that has this place now; nothing if it is there already.
    void add(const RunId& id, const Look& look, std::size_t place);
    void remove(const RunId& id);
    void setLook(const RunId& id, const Look& look);
    /// In the legend of a chart, where it keeps its place.
    void setSwitchedOff(const RunId& id, bool isOff);
    /// Those that are shown now, beside those that are kept already, or none.
    void keepShown(bool isOn);
    /// Emits changed(): once for many changes.
    void tell() { Q_EMIT changed(); }

Q_SIGNALS:
    /// Other runs, another order, other looks or names, or others are kept.
    void changed();

private:
    struct Run {
        RunId id;
        Look look;
        bool isOff = false;
        bool isKept = false;
    };

    [[nodiscard]] const Run* find(const RunId& id) const;
    [[nodiscard]] Run* find(const RunId& id);

    std::vector<Run> m_runs;
};

} // namespace lockstep::ui
