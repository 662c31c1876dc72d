// The words of a laboratory's report, in its language. Private to core/laboratory.
#pragma once

#include "analysis/finding.h"
#include "exchange/report/compose.h"
#include "laboratory/claim.h"
#include "laboratory/laboratory.h"
#include "laboratory/prediction.h"
#include "laboratory/work_state.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

/// Both outlive it.
class ReportWords {
public:
    ReportWords(const Laboratory& laboratory, const report::Source& source)
        : m_laboratory(laboratory)
        , m_source(source)
    { }

    [[nodiscard]] const std::string& inLanguage(const Wording& wording) const;
    /// `3`, of the third step.
    [[nodiscard]] std::string numberOf(std::string_view step) const;
    /// `Results of step 3; ...`: the caption of a table.
    [[nodiscard]] std::string resultsOf(std::string_view experiment) const;
    [[nodiscard]] std::string sentenceOf(const analysis::Finding& finding) const;
    /// The judgement before what was measured.
    [[nodiscard]] std::string judgedText(Judgement judgement, const analysis::Finding& finding) const;
    /// `holds`, ... in a table.
    [[nodiscard]] std::string wordOf(Judgement judgement) const;
    [[nodiscard]] std::string predictedText(const Prediction& prediction, const PredictionStep& step) const;
    /// `ring < tree`
    [[nodiscard]] std::string orderText(const std::vector<std::string>& variants, const Reference& of) const;
    [[nodiscard]] std::string checkedText(const std::vector<CheckedCode>& checks) const;

private:
    [[nodiscard]] std::string shownName(std::string_view step, const std::string& name) const;

    const Laboratory& m_laboratory;
    const report::Source& m_source;
};

} // namespace lockstep::laboratory
