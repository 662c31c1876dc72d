#include "exchange/reference/curve_roles.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::exchange {

namespace {

using namespace Qt::StringLiterals;

enum class MeasuredOn { Unsaid, Training, Test };

/// What a curve's name says.
struct NamedCurve {
    MeasuredOn data = MeasuredOn::Unsaid;
    QString quantity; ///< `loss`, `acc`; empty if it is more than that
    QStringList words; ///< of the whole name
};

NamedCurve readName(const std::string& name)
{
    static const QRegularExpression gaps(u"[^a-z0-9]+"_s);
    static constexpr std::array<QLatin1StringView, 7> TestWords{QLatin1StringView("val"), QLatin1StringView("valid"),
        QLatin1StringView("validation"), QLatin1StringView("test"), QLatin1StringView("testing"),
        QLatin1StringView("eval"), QLatin1StringView("evaluation")};
    static constexpr std::array<QLatin1StringView, 4> Rates{QLatin1StringView("step"), QLatin1StringView("epoch"),
        QLatin1StringView("batch"), QLatin1StringView("iteration")};
    NamedCurve named;
    named.words = QString::fromStdString(name).toLower().split(gaps, Qt::SkipEmptyParts);
    for (const QString& word : std::as_const(named.words)) {
        if (std::ranges::find(TestWords, word) != TestWords.end()) {
            named.data = MeasuredOn::Test;
        } else if (word == u"train" || word == u"training") {
            named.data = named.data == MeasuredOn::Unsaid ? MeasuredOn::Training : named.data;
        } else if (std::ranges::find(Rates, word) == Rates.end()) {
            named.quantity = named.quantity.isEmpty() ? word : u"?"_s;
        }
    }
    return named;
}

/// Some programs call a percentage an accuracy.
bool isShare(const ReferenceCurve& curve)
{
    return std::ranges::all_of(curve.value, [](double value) { return !(value < 0.0) && !(value > 1.0); });
}

/// The curve with the shortest such name; of several, the first. None where two names have the same words, such as
/// `Loss/train` and `Loss-train`: neither says more than the other.
template <typename Fits>
const ReferenceCurve* shortestNamed(const std::vector<ReferenceCurve>& curves, Fits fits)
{
    const ReferenceCurve* found = nullptr;
    QStringList words;
    bool isAmbiguous = false;
    for (const ReferenceCurve& curve : curves) {
        const NamedCurve named = readName(curve.name);
        if (!fits(named, curve)) {
            continue;
        }
        isAmbiguous = isAmbiguous || (found != nullptr && named.words == words);
        if (found == nullptr || named.words.size() < words.size()) {
            found = &curve;
            words = named.words;
            isAmbiguous = false;
        }
    }
    return isAmbiguous ? nullptr : found;
}

} // namespace

CurveRoles rolesOf(const std::vector<ReferenceCurve>& curves)
{
    const auto isAccuracy = [](const NamedCurve& named, const ReferenceCurve& curve) {
        return (named.quantity == u"accuracy" || named.quantity == u"acc") && isShare(curve);
    };
    CurveRoles roles;
    roles.loss = shortestNamed(curves, [](const NamedCurve& named, const ReferenceCurve&) {
        return named.quantity == u"loss" && named.data != MeasuredOn::Test;
    });
    roles.testLoss = shortestNamed(curves, [](const NamedCurve& named, const ReferenceCurve&) {
        return named.quantity == u"loss" && named.data == MeasuredOn::Test;
    });
    roles.accuracy = shortestNamed(curves, [&](const NamedCurve& named, const ReferenceCurve& curve) {
        return isAccuracy(named, curve) && named.data == MeasuredOn::Test;
    });
    if (roles.accuracy == nullptr) {
        roles.accuracy = shortestNamed(curves, [&](const NamedCurve& named, const ReferenceCurve& curve) {
            return isAccuracy(named, curve) && named.data == MeasuredOn::Unsaid;
        });
    }
    return roles;
}

} // namespace lockstep::exchange
