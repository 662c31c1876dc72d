#include "laboratory/code/optimizer_topics.h"

#include "base/translate.h"
#include "laboratory/code/rank_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace lockstep::laboratory {

namespace {

/// The first parameter that takes no part in some step.
std::size_t firstAbsent(const OptimizerCase& given)
{
    std::size_t first = given.shapes.size();
    for (const TensorValues& gradients : given.gradients) {
        const auto found = std::ranges::find_if(gradients, &std::vector<double>::empty);
        first = std::min(first, static_cast<std::size_t>(found - gradients.begin()));
    }
    return first;
}

} // namespace

Error duringTopic(const Error& fault, const OptimizerCase& given, std::size_t object, std::span<const SettingRow> taken)
{
    std::string made;
    for (const SettingRow& row : taken) {
        made += fmt::format("{}{} = {}", made.empty() ? "" : ", ", row.key, given.settingsOf(object).*row.member);
    }
    switch (given.topic) {
    case CaseTopic::Usual:
        break;
    case CaseTopic::Objects:
        if (object == 1 && !made.empty()) {
            return during({LS_TR("Messages", "made with %1"), {verbatim(made)}}, fault);
        }
        return during(object < 2 ? Text(LS_TR("Messages", "with two objects of the class side by side"))
                                 : Text(LS_TR("Messages", "with a second object for the same parameters")),
            fault);
    case CaseTopic::Unusual:
    case CaseTopic::RateOfZero:
    case CaseTopic::OthersOfZero:
        return made.empty() ? fault : during({LS_TR("Messages", "made with %1"), {verbatim(made)}}, fault);
    case CaseTopic::Sizes:
        return during(LS_TR("Messages", "where some gradients are large and some tiny"), fault);
    case CaseTopic::ZeroGradients:
        return during(LS_TR("Messages", "where some gradients are 0"), fault);
    case CaseTopic::NoGradient:
        return during({LS_TR("Messages", "where parameter %1 has no gradient"), {firstAbsent(given) + 1}}, fault);
    case CaseTopic::LateGradients:
        return during(
            {LS_TR("Messages", "where parameter %1 has no gradient in some steps"), {firstAbsent(given) + 1}}, fault);
    case CaseTopic::EqualWeights:
        return during({LS_TR("Messages", "where parameters %1 and %2 start equal"), {1, given.shapes.size()}}, fault);
    case CaseTopic::Calls:
        return during(
            LS_TR("Messages", "where zero_grad and backward are called never, once or more often before a step"),
            fault);
    case CaseTopic::Strided:
        return during(LS_TR("Messages", "where parameters are not contiguous"), fault);
    case CaseTopic::NotFinite:
        return during(LS_TR("Messages", "where gradients are inf or nan"), fault);
    }
    return fault;
}

CodeVerdict ofTopic(CodeVerdict verdict, CaseTopic topic)
{
    switch (topic) {
    case CaseTopic::Objects:
        return withKnown(std::move(verdict), "state_of_class",
            LS_TR("Messages",
                "an object's state or settings are those of another object too: they are kept on the class, in a "
                "global or on the parameter"),
            "self.state = ...");
    case CaseTopic::RateOfZero:
    case CaseTopic::OthersOfZero:
        return withKnown(std::move(verdict), "zero_replaced",
            LS_TR("Messages", "an argument of 0 is taken for a missing one, or is refused"), "momentum or 0.9");
    case CaseTopic::Sizes:
        return withKnown(std::move(verdict), "size_limited",
            LS_TR("Messages", "large gradients are clipped, or tiny ones are taken for 0"));
    case CaseTopic::NoGradient:
    case CaseTopic::LateGradients:
        return withKnown(std::move(verdict), "late_gradient",
            LS_TR("Messages",
                "where a grad is None, the state goes wrong: it belongs to its parameter, begins with its first "
                "gradient and waits where there is none"));
    case CaseTopic::EqualWeights:
        return withKnown(std::move(verdict), "told_by_values",
            LS_TR("Messages", "parameters are told apart by their values: equal ones are still two"), "self.state[i]");
    case CaseTopic::Calls:
        return withKnown(std::move(verdict), "counted_elsewhere",
            LS_TR("Messages",
                "t or the state depends on how often zero_grad or backward is called, or on the tensor in grad: it "
                "changes in step alone"));
    case CaseTopic::Strided:
        return withKnown(std::move(verdict), "copy_changed",
            LS_TR("Messages",
                "reshape, flatten and contiguous copy a parameter that is not contiguous, and view fails: change the "
                "parameter itself"),
            "param -= ...");
    case CaseTopic::NotFinite:
        return withKnown(std::move(verdict), "not_finite_replaced",
            LS_TR("Messages", "gradients of inf or nan are skipped or replaced: the weights must show them"));
    default:
        return verdict;
    }
}

CodeVerdict brokenByTopic(CodeVerdict broken, CaseTopic topic)
{
    const bool isOfNone = broken.fault->text().find("NoneType") != std::string::npos;
    if (topic == CaseTopic::NoGradient && isOfNone) {
        return withKnown(std::move(broken), "grad_is_none",
            LS_TR("Messages", "the grad of a parameter that took no part in the loss is None: skip it"));
    }
    const bool isElsewhere = topic == CaseTopic::Sizes || topic == CaseTopic::ZeroGradients;
    return isElsewhere ? broken : ofTopic(std::move(broken), topic);
}

} // namespace lockstep::laboratory
