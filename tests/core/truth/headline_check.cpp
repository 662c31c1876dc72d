#include "core/truth/headline_check.h"

#include "experiment/parameter.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockstep::tests {

namespace {

using namespace Qt::StringLiterals;
using language::TextLanguage;

/// Any of these is enough.
struct Words {
    const char16_t* english;
    const char16_t* chinese;

    [[nodiscard]] bool areIn(const QString& text, TextLanguage language) const
    {
        const char16_t* pattern = language == TextLanguage::English ? english : chinese;
        return text.contains(
            QRegularExpression(QString::fromUtf16(pattern), QRegularExpression::CaseInsensitiveOption));
    }
};

constexpr Words Unsure{
    u"cannot be told|cannot tell|not told|no (measurable )?difference|not apart|chance|one seed|ran once",
    u"无法区分|无法判断|看不出|未见|不能确定|偶然|只有一个|只运行了一次"};
constexpr Words NoEffect{u"no (measurable )?(effect|difference)|does not|do not|hardly|cannot be told",
    u"没有影响|无影响|没有(值得一提的|明显)差异|几乎|不变|看不出|未见|无法"};
constexpr Words Falls{u"falls?|lower|decreas|smaller|fewer|less", u"降|减|更低|更小|更少|越小|越低"};
constexpr Words Rises{u"rises?|higher|increas|larger|grows?|more", u"升|增|更高|更大|更多|越大|越高"};
constexpr Words DidNotLearn{u"(not|never) learn|did not learn|learned nothing", u"没有学|未学|没学|未能学"};
constexpr Words Diverged{u"diverge|NaN", u"发散|NaN"};
constexpr Words LeftOut{
    u"left out|did not finish|not counted|without|only", u"未计入|不计|排除|未完成|除外|只有|不参与"};
constexpr Words Busy{u"busy|other (process|program|load)", u"繁忙|其他(进程|程序|负载|工作)"};
constexpr Words Impossible{
    u"impossible|cannot be|more than|above|exceed|faster than .* allow", u"不可能|不可信|超过|超出|多于"};

QString text(std::string_view name)
{
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

bool namesParameter(const QString& sentence, std::string_view name)
{
    const experiment::Parameter* row = experiment::findParameter(name);
    const QString label = QString::fromStdString(language::translated("Parameters", row->label));
    return sentence.contains(label, Qt::CaseInsensitive) || sentence.contains(text(name));
}

class Reader {
public:
    explicit Reader(const Headline& headline)
        : m_of(headline)
        , m_truth(headline.row.truth)
        , m_first(firstSentence(headline.text))
    { }

    QStringList wrong()
    {
        checkAnswer();
        checkSettings();
        const auto inAll = [this](const Words& words) { return words.areIn(m_of.text, m_of.language); };
        mustName(m_truth.never);
        mustName(m_truth.diverged);
        must(m_truth.never.empty() || inAll(DidNotLearn), u"does not say what learned nothing"_s);
        must(m_truth.diverged.empty() || inAll(Diverged), u"does not say what diverged"_s);
        must(m_truth.leftOut.empty() || inAll(LeftOut), u"does not say that runs are left out"_s);
        must(!m_truth.isBusy || inAll(Busy), u"does not say that the machine was busy"_s);
        must(!m_truth.isImpossible || inAll(Impossible), u"believes an impossible speed-up"_s);
        const QRegularExpression rank(
            u"rank\\s*%1\\b|%1 号"_s.arg(m_truth.slowRank), QRegularExpression::CaseInsensitiveOption);
        must(m_truth.slowRank < 0 || m_of.text.contains(rank), u"does not name the slow rank"_s);
        return m_wrong;
    }

private:
    /// A best one is named alone and for sure if it is told; else nothing is named as the best.
    void checkAnswer()
    {
        if (m_truth.figure.empty() || m_truth.isImpossible) {
            return;
        }
        const bool isUnsure = Unsure.areIn(m_first, m_of.language);
        const auto named = namedIn(m_first, m_of.variants);
        const bool hasNames = m_truth.best.find_first_not_of("0123456789") != std::string_view::npos;
        if (m_truth.isTold) {
            must(!isUnsure, u"doubts what is told"_s);
            must(!hasNames || std::ranges::find(named, m_truth.best) != named.end(), u"does not name the best"_s);
            return;
        }
        const bool namesOne = named.size() == 1 && named.front() != m_truth.worst;
        must(!namesOne || (isUnsure && named.front() == m_truth.best), u"names a winner that is not told"_s);
        must(isUnsure || NoEffect.areIn(m_first, m_of.language) || !m_truth.worst.empty() || !m_truth.matters.empty()
                || m_truth.slowRank >= 0 || m_truth.isBusy,
            u"does not say that nothing is told"_s);
        if (!m_truth.worst.empty()) {
            mustName({m_truth.worst});
        }
    }

    void checkSettings()
    {
        must(m_truth.matters.empty() || namesParameter(m_first, m_truth.matters), u"does not name what matters"_s);
        if (m_truth.direction == Direction::None) {
            return;
        }
        must(namesParameter(m_of.text, m_truth.parameter), u"does not name the parameter"_s);
        const Words& words = m_truth.direction == Direction::Falls ? Falls
            : m_truth.direction == Direction::Rises                ? Rises
                                                                   : NoEffect;
        must(words.areIn(m_of.text, m_of.language), u"does not say the direction"_s);
    }

    void mustName(const std::vector<std::string_view>& variants)
    {
        const auto named = namedIn(m_of.text, m_of.variants);
        for (const std::string_view variant : variants) {
            must(std::ranges::find(named, variant) != named.end(), u"does not name "_s + text(variant));
        }
    }

    void must(bool holds, const QString& what)
    {
        if (!holds) {
            m_wrong += text(m_of.row.name) + u": "_s + what;
        }
    }

    const Headline& m_of;
    const Truth& m_truth;
    QString m_first;
    QStringList m_wrong;
};

} // namespace

QStringList wrongIn(const Headline& headline)
{
    return Reader(headline).wrong();
}

std::vector<std::string> variantsOf(const std::vector<TruthRun>& runs)
{
    std::vector<std::string> names;
    for (const TruthRun& run : runs) {
        if (std::ranges::find(names, run.record.spec.name) == names.end()) {
            names.push_back(run.record.spec.name);
        }
    }
    return names;
}

QString firstSentence(const QString& text)
{
    static const QRegularExpression End(u"[.!?](?=\\s|$)|[。！？]"_s);
    const auto match = End.match(text);
    return match.hasMatch() ? text.left(match.capturedEnd()) : text;
}

std::vector<std::string> namedIn(QString text, std::vector<std::string> variants)
{
    std::ranges::stable_sort(variants, std::ranges::greater(), &std::string::size);
    std::vector<std::string> named;
    for (const std::string& variant : variants) {
        const QString name = QString::fromStdString(variant);
        const QRegularExpression whole(
            u"(?<![A-Za-z0-9_=-])%1(?![A-Za-z0-9_=-]|\\.[0-9])"_s.arg(QRegularExpression::escape(name)));
        bool isNumber = false;
        static_cast<void>(name.toInt(&isNumber));
        if (!isNumber && text.contains(whole)) {
            named.push_back(variant);
            text.remove(whole);
        }
    }
    return named;
}

} // namespace lockstep::tests
