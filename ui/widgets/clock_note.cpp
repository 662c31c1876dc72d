#include "ui/widgets/clock_note.h"

#include "store/account/run_account.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/models/host_clocks_text.h"
#include "ui/models/shown_text.h"

namespace lockstep::ui {

ClockNote::ClockNote(QWidget* parent)
    : Translated(parent)
{
    setObjectName(QStringLiteral("hostClocks"));
    setContentsMargins(8, 0, 8, 0);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setTextFormat(Qt::PlainText); // a host's name is not markup
    hide();
}

void ClockNote::setFeed(RunFeed* feed)
{
    if (m_feed != nullptr) {
        m_feed->disconnect(this);
    }
    m_feed = feed;
    if (feed != nullptr) {
        connect(feed, &RunFeed::advanced, this, [this](const store::DeltaPtr& delta) {
            if (delta == nullptr || !delta->clocks.empty() || !delta->hellos.empty() || !delta->gathered.empty()) {
                showClocks();
            }
        });
    }
    showClocks();
}

void ClockNote::showClocks()
{
    const auto clocks = m_feed != nullptr ? m_feed->account().clocks() : std::vector<analysis::HostClock>();
    setText(hostClocksText(clocks));
    setToolTip(tipText(hostClocksHelp(clocks)));
    setVisible(!clocks.empty());
}

} // namespace lockstep::ui
