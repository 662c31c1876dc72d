#include "exchange/reference/reference_builder.h"

#include "base/translate.h"
#include "wire/messages.h"

namespace lockstep::exchange {

Result<void> openReference(QFile& file)
{
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "cannot be read: %1"), {verbatim(file.errorString().toStdString())});
    }
    if (file.size() > MaxReferenceBytes) {
        return refusal({}, LS_TR("Refusals", "it has more than %1 bytes"), {MaxReferenceBytes});
    }
    return {};
}

Result<void> ReferenceBuilder::add(const std::string& name, std::int64_t step, double wallSeconds, double value)
{
    if (step < 0) {
        return refusal(name, LS_TR("Refusals", "step %1 is negative"), {step});
    }
    if (name.size() > wire::MaxMetricNameBytes) {
        return refusal(
            name.substr(0, 40), LS_TR("Refusals", "the name has more than %1 bytes"), {wire::MaxMetricNameBytes});
    }
    const auto [curve, isNewCurve] = m_curves.try_emplace(name);
    if (isNewCurve && m_curves.size() > MaxReferenceCurves) {
        return refusal(name, LS_TR("Refusals", "there are more than %1 curves"), {MaxReferenceCurves});
    }
    ++m_added;
    m_points += curve->second.insert_or_assign(step, Point{wallSeconds, value}).second ? 1 : 0;
    if (m_points > MaxReferencePoints) {
        return refusal(name, LS_TR("Refusals", "there are more than %1 points"), {MaxReferencePoints});
    }
    return {};
}

ReferenceCurves ReferenceBuilder::curves(bool hasTime, const Text& damage) const
{
    ReferenceCurves read{{}, damage, m_added - m_points, m_added};
    for (const auto& [name, points] : m_curves) {
        ReferenceCurve curve{name, {}, {}, {}};
        for (const auto& [step, point] : points) {
            curve.step.push_back(step);
            curve.value.push_back(point.value);
            if (hasTime) {
                curve.wallSeconds.push_back(point.wallSeconds);
            }
        }
        read.curves.push_back(std::move(curve));
    }
    return read;
}

} // namespace lockstep::exchange
