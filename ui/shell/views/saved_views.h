// What a user looks at, kept under a name: the chart, a second one beside it, the drawn runs, and how the charts are
// shown. Each view is a file of the run store, in its folder `views`. No widgets.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "ui/models/charts/chart_kind.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>
#include <vector>

namespace lockstep::ui {

struct SavedView {
    QString name;
    QString opening; ///< what is shown: a chart's id, or net, timeline, ring, findings, report
    QString second; ///< id of the chart beside it; empty: none
    std::vector<RunId> runs; ///< in drawing order
    std::map<QString, ChartOptions> charts; ///< by id; without `interfered`, which holds for the whole window

    bool operator==(const SavedView&) const = default;
};

/// The same view gives the same bytes.
[[nodiscard]] QByteArray viewAsJson(const SavedView& view);
/// Error: not JSON, of a newer version, or an entry that is missing, unknown or out of its range, by name.
[[nodiscard]] Result<SavedView> viewFromJson(const QByteArray& text);

class SavedViews {
public:
    /// `folder` is the run store's.
    explicit SavedViews(const QString& folder);

    struct Listed {
        std::vector<SavedView> views; ///< by name
        std::vector<Error> unreadable; ///< files that are no views
    };
    [[nodiscard]] Listed list() const;
    /// In the place of the view of that name. Error: it cannot be written; what was there is unchanged.
    [[nodiscard]] Result<void> save(const SavedView& view) const;
    [[nodiscard]] Result<void> remove(const QString& name) const;

private:
    QString m_store;
};

} // namespace lockstep::ui
