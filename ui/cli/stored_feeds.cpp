#include "ui/cli/stored_feeds.h"

#include "launch/collect/live_feed.h"
#include "store/run_store.h"
#include "ui/models/runs/variant_looks.h"

#include <algorithm>
#include <iterator>

namespace lockstep::ui {

Result<std::vector<std::unique_ptr<RunFeed>>> storedFeeds(
    const QString& folder, const std::vector<analysis::RunRecord>& runs)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    std::vector<std::unique_ptr<RunFeed>> feeds;
    std::vector<const analysis::RunRecord*> records;
    std::ranges::transform(runs, std::back_inserter(records), [](const analysis::RunRecord& run) { return &run; });
    const std::vector<Look> looks = looksOf(records, PaletteName::Vibrant);
    for (const analysis::RunRecord& record : runs) {
        const auto deltas = std::make_shared<launch::LiveFeed>();
        LOCKSTEP_TRY(store->replay(record.id, [&](const store::Delta& each) {
            deltas->publish(std::make_shared<store::Delta>(each));
            return true;
        }));
        auto feed = std::make_unique<RunFeed>(record, launch::sourceOf(deltas));
        feed->setLook(looks[feeds.size()]);
        feed->pull();
        feeds.push_back(std::move(feed));
    }
    return feeds;
}

} // namespace lockstep::ui
