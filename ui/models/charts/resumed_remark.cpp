#include "ui/models/charts/resumed_remark.h"

#include "store/account/run_account.h"

#include <QCoreApplication>

namespace lockstep::ui {

namespace {

class ResumedTexts {
    Q_DECLARE_TR_FUNCTIONS(ChartModel)
};

} // namespace

bool isTimeUnknown(const RunFeed& feed)
{
    return !feed.account().clock().knowsTime();
}

QString resumedRemark(const Feeds& visible, XAxis axis)
{
    QStringList said;
    for (const RunFeed* feed : visible) {
        const wire::Prepared& facts = feed->facts();
        if (facts.scheduledSteps > 0) {
            said += ResumedTexts::tr("%1 continues after step %2 with a schedule recomputed for %3 steps instead of %4")
                        .arg(feed->displayName())
                        .arg(facts.resumedStep)
                        .arg(facts.totalSteps)
                        .arg(facts.scheduledSteps);
        }
        if (axis == XAxis::Seconds && isTimeUnknown(*feed)) {
            said += ResumedTexts::tr("%1 is left out: its checkpoint does not say how long the steps before took")
                        .arg(feed->displayName());
        }
    }
    return said.join(QStringLiteral(" · "));
}

} // namespace lockstep::ui
