#include "ui/cli/stored_feeds.h"

#include "launch/collect/live_feed.h"
#include "store/run_store.h"
#include "ui/models/palette.h"

#include <map>

namespace lockstep::ui {

Result<std::vector<std::unique_ptr<RunFeed>>> storedFeeds(
    const QString& folder, const std::vector<analysis::RunRecord>& runs)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    std::vector<std::unique_ptr<RunFeed>> feeds;
    const auto& colors = variantColors(PaletteName::Vibrant);
    std::map<std::string, QColor> colorOf; // one a variant, as in the window
    for (const analysis::RunRecord& record : runs) {
        const auto deltas = std::make_shared<launch::LiveFeed>();
        LOCKSTEP_TRY(store->replay(record.id, [&](const store::Delta& each) {
            deltas->publish(std::make_shared<store::Delta>(each));
            return true;
        }));
        auto feed = std::make_unique<RunFeed>(record, launch::sourceOf(deltas));
        feed->setColor(colorOf.try_emplace(record.spec.name, colors[colorOf.size() % colors.size()]).first->second);
        feed->pull();
        feeds.push_back(std::move(feed));
    }
    return feeds;
}

} // namespace lockstep::ui
