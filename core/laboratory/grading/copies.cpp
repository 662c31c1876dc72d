#include "laboratory/grading/copies.h"

#include "analysis/plain_text.h"
#include "base/translate.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QString>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::laboratory::grading {

using namespace Qt::StringLiterals;

namespace {

/// Shorter texts and programs are equal by chance; in characters, of code in tokens.
constexpr qsizetype LeastText = 30;
constexpr qsizetype LeastTokens = 30;
constexpr std::size_t LongestShown = 20'000; ///< of a file, in bytes
constexpr std::size_t MostInPairs = 3; ///< hand-ins with one code or text
constexpr std::size_t LongestCode = 1u << 18u; ///< that is compared, in bytes

const QSet<QString>& keywords()
{
    static const QSet<QString> Words{u"False"_s, u"None"_s, u"True"_s, u"and"_s, u"as"_s, u"assert"_s, u"async"_s,
        u"await"_s, u"break"_s, u"class"_s, u"continue"_s, u"def"_s, u"del"_s, u"elif"_s, u"else"_s, u"except"_s,
        u"finally"_s, u"for"_s, u"from"_s, u"global"_s, u"if"_s, u"import"_s, u"in"_s, u"is"_s, u"lambda"_s,
        u"nonlocal"_s, u"not"_s, u"or"_s, u"pass"_s, u"raise"_s, u"return"_s, u"try"_s, u"while"_s, u"with"_s,
        u"yield"_s};
    return Words;
}

/// What the student wrote freely in this step.
std::string textOf(const Step& step, const WorkState& state)
{
    std::string text;
    if (const auto* question = step.as<QuestionStep>(); question != nullptr && question->form == QuestionForm::Text) {
        text = state.answerOf(step.id).text;
    } else if (const SealedPrediction* sealed = state.sealOf(step.id)) {
        text = sealed->prediction.reason;
    }
    for (const MadeClaim& made : state.claimsOf(step.id)) {
        text += made.claim.text;
    }
    return text;
}

template <typename Map>
std::size_t equalIn(const Map& some, const Map& others)
{
    return static_cast<std::size_t>(std::ranges::count_if(some, [&others](const auto& each) {
        const auto found = others.find(each.first);
        return found != others.end() && found->second == each.second;
    }));
}

using Parts = std::map<std::string, std::string>;

Text equalCode(const std::string& step)
{
    return {LS_TR("Messages", "%1: equal code but for names, comments and spacing"), {verbatim(step)}};
}

Text equalText(const std::string& step)
{
    return {LS_TR("Messages", "%1: equal text"), {verbatim(step)}};
}

/// Adds one entry for each code or text that many have, and forgets it.
void takeCommon(std::vector<WorkTraces>& works, Parts WorkTraces::*parts, Text (*say)(const std::string& step),
    std::vector<Copy>& copies)
{
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> holders;
    for (std::size_t work = 0; work < works.size(); ++work) {
        for (const auto& part : works[work].*parts) {
            holders[part].push_back(work);
        }
    }
    for (const auto& [part, holding] : holders) {
        if (holding.size() > MostInPairs) {
            copies.push_back({holding, {say(part.first)}});
            for (const std::size_t work : holding) {
                (works[work].*parts).erase(part.first);
            }
        }
    }
}

std::vector<Text> equalParts(const WorkTraces& some, const WorkTraces& others)
{
    std::vector<Text> what;
    if (const std::size_t runs = equalIn(some.runs, others.runs); runs > 0) {
        what.emplace_back(LS_TR("Messages", "%1 runs with equal ids and start times"), std::vector<Text>{runs});
    }
    for (const auto& [step, code] : some.code) {
        if (const auto found = others.code.find(step); found != others.code.end() && found->second == code) {
            what.push_back(equalCode(step));
        }
    }
    for (const auto& [step, text] : some.texts) {
        if (const auto found = others.texts.find(step); found != others.texts.end() && found->second == text) {
            what.push_back(equalText(step));
        }
    }
    return what;
}

} // namespace

WorkTraces tracesOf(const Laboratory& laboratory, const ReadWork& work)
{
    WorkTraces traces{work.handIn.state.students(), work.file, {}, {}, {}};
    for (const analysis::RunRecord& run : work.runs) {
        traces.runs[run.id.text] = run.createdNs;
    }
    for (const Step& step : laboratory.steps) {
        if (std::string text = normalizedText(textOf(step, work.handIn.state));
            QString::fromStdString(text).size() >= LeastText) {
            traces.texts[step.id] = std::move(text);
        }
    }
    for (const auto& [id, code] : work.handIn.code) {
        const Step* step = laboratory.find(id);
        const auto* content = step == nullptr ? nullptr : step->as<CodeStep>();
        const std::string written = normalizedCode(code.toStdString());
        traces.files[id] = analysis::shortened(code.toStdString(), LongestShown);
        const bool isLong = std::ranges::count(written, ' ') >= LeastTokens;
        if (content != nullptr && isLong && written != normalizedCode(content->templateText)) {
            traces.code[id] = written;
        }
    }
    return traces;
}

std::vector<Copy> copiesIn(std::vector<WorkTraces> works)
{
    std::vector<Copy> common;
    takeCommon(works, &WorkTraces::code, equalCode, common);
    takeCommon(works, &WorkTraces::texts, equalText, common);
    std::vector<Copy> copies;
    for (std::size_t first = 0; first < works.size(); ++first) {
        for (std::size_t second = first + 1; second < works.size(); ++second) {
            if (shareStudents(works[first].students, works[second].students)) {
                continue;
            }
            if (auto what = equalParts(works[first], works[second]); !what.empty()) {
                copies.push_back({{first, second}, std::move(what)});
            }
        }
    }
    std::ranges::move(common, std::back_inserter(copies));
    return copies;
}

std::string normalizedCode(std::string_view code)
{
    // A text without its end is one token to the end of its line, and nothing is tried twice: time grows with length.
    static const QRegularExpression Token(
        uR"((?<comment>#[^\n]*)|)"
        uR"((?<text>"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?)|)"
        uR"((?<name>[^\W\d]\w*)|(?<other>\d[\w.]*|\S))"_s,
        QRegularExpression::UseUnicodePropertiesOption);
    const QString source
        = QString::fromUtf8(code.data(), static_cast<qsizetype>(std::min<std::size_t>(code.size(), LongestCode)));
    QHash<QString, int> names;
    QString normalized;
    for (auto tokens = Token.globalMatch(source); tokens.hasNext();) {
        const auto token = tokens.next();
        const QString name = token.captured(u"name"_s);
        if (!token.captured(u"comment"_s).isEmpty()) {
            continue;
        }
        if (!name.isEmpty() && !keywords().contains(name)) {
            const int number = names.value(name, static_cast<int>(names.size()));
            names.insert(name, number);
            normalized += u'n' + QString::number(number);
        } else {
            normalized += token.captured();
        }
        normalized += u' ';
    }
    return normalized.toStdString();
}

std::string normalizedText(std::string_view text)
{
    const QString given = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))
                              .normalized(QString::NormalizationForm_KC)
                              .toCaseFolded();
    QString normalized;
    std::ranges::copy_if(given, std::back_inserter(normalized), [](QChar letter) { return letter.isLetterOrNumber(); });
    return normalized.toStdString();
}

} // namespace lockstep::laboratory::grading
