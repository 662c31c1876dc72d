#include "ui/cli/stored_feeds.h"

#include "store/run_store.h"
#include "ui/models/palette.h"

#include <map>
#include <utility>

namespace lockstep::ui {

namespace {

/// A stored run as one Delta, so that the chart comes from the same code as on screen.
class StoredSource : public store::DeltaSource {
public:
    explicit StoredSource(store::DeltaPtr delta)
        : m_delta(std::move(delta))
    { }
    store::DeltaPtr take() override { return std::exchange(m_delta, nullptr); }

private:
    store::DeltaPtr m_delta;
};

} // namespace

Result<std::vector<std::unique_ptr<RunFeed>>> storedFeeds(
    const QString& folder, const std::vector<analysis::RunRecord>& runs)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    std::vector<std::unique_ptr<RunFeed>> feeds;
    const auto& colors = variantColors(PaletteName::Vibrant);
    std::map<std::string, QColor> colorOf; // one a variant, as in the window
    for (const analysis::RunRecord& record : runs) {
        auto delta = std::make_shared<store::Delta>();
        LOCKSTEP_TRY(store->replay(record.id, [&](const store::Delta& each) {
            delta->append(each);
            return true;
        }));
        auto feed = std::make_unique<RunFeed>(record, std::make_unique<StoredSource>(std::move(delta)));
        feed->setColor(colorOf.try_emplace(record.spec.name, colors[colorOf.size() % colors.size()]).first->second);
        feed->pull();
        feeds.push_back(std::move(feed));
    }
    return feeds;
}

} // namespace lockstep::ui
