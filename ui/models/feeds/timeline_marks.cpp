#include "ui/models/feeds/timeline_marks.h"

#include "ui/models/feeds/run_feed.h"

#include <QCoreApplication>

namespace lockstep::ui {

namespace {

class TimelineMarksTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelineMarks)

public:
    static QString what(const Intervention& each)
    {
        using wire::Command;
        const QString value = QString::number(each.value, 'g', 4);
        switch (each.command) {
        case Command::Pause:
            return tr("paused");
        case Command::Resume:
            return tr("resumed");
        case Command::Stop:
            return tr("stopped");
        case Command::Checkpoint:
            return tr("checkpoint");
        case Command::SetStraggler:
            return tr("+%1 ms per step").arg(value);
        case Command::SetStragglerFactor:
            return tr("computation × %1").arg(value);
        case Command::SetLink:
            return tr("+%1 µs per message").arg(value);
        case Command::SetLinkBandwidth:
            return each.value > 0.0 ? tr("link %1 Mbit/s").arg(value) : tr("link without limit");
        case Command::RunSteps: // turns are no interventions
            break;
        }
        return {};
    }

    static QString whole(const Intervention& each)
    {
        return each.rank < 0 ? what(each) : tr("rank %1: %2").arg(each.rank).arg(what(each));
    }
};

} // namespace

QString interventionText(const Intervention& intervention)
{
    return TimelineMarksTexts::whole(intervention);
}

std::vector<TimelineMark> timelineMarks(const RunFeed& feed)
{
    std::vector<TimelineMark> marks;
    for (const Intervention& each : feed.interventions()) {
        marks.push_back({each.timeNs, TimelineMarksTexts::whole(each)});
    }
    return marks;
}

} // namespace lockstep::ui
