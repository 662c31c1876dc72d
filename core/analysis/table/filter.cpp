#include "analysis/table/filter.h"

#include "analysis/table/filter_node.h"
#include "base/translate.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace lockstep::analysis {

namespace {

using Node = Filter::Node;

struct Token {
    enum class Kind { Word, Quoted, Operator, Open, Close, End };
    Kind kind = Kind::End;
    std::string text{};
};

constexpr std::string_view Operators = "=<>~";
constexpr std::string_view Ends = " \t\n()\"'=<>~";

Error refused(std::string_view pattern, std::vector<Text> arguments = {})
{
    return refusal("filter", pattern, std::move(arguments));
}

/// Takes the next token off the text.
Result<Token> nextToken(std::string_view& text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
    if (text.empty()) {
        return Token{};
    }
    const auto take = [&text](Token::Kind kind, std::size_t size) {
        Token token{kind, std::string(text.substr(0, size))};
        text.remove_prefix(size);
        return token;
    };
    const char first = text.front();
    if (first == '(' || first == ')') {
        return take(first == '(' ? Token::Kind::Open : Token::Kind::Close, 1);
    }
    if (first == '"' || first == '\'') {
        const std::size_t end = text.find(first, 1);
        if (end == std::string_view::npos) {
            return refused(
                LS_TR("Refusals", "the quotation mark before \"%1\" is not closed"), {verbatim(text.substr(1))});
        }
        Token token{Token::Kind::Quoted, std::string(text.substr(1, end - 1))};
        text.remove_prefix(end + 1);
        return token;
    }
    const bool isNegated = text.starts_with("!=") || text.starts_with("!~");
    if (isNegated || Operators.find(first) != std::string_view::npos) {
        const bool isDouble = isNegated || text.starts_with("<=") || text.starts_with(">=") || text.starts_with("==")
            || text.starts_with("<>");
        return take(Token::Kind::Operator, isDouble ? 2 : 1);
    }
    std::size_t end = 1;
    while (end < text.size() && Ends.find(text[end]) == std::string_view::npos && !text.substr(end).starts_with("!=")
        && !text.substr(end).starts_with("!~")) {
        ++end;
    }
    return take(Token::Kind::Word, end);
}

Result<std::vector<Token>> tokensOf(std::string_view text)
{
    std::vector<Token> tokens;
    while (tokens.empty() || tokens.back().kind != Token::Kind::End) {
        auto token = nextToken(text);
        if (!token) {
            return token.error();
        }
        // `94 %` is one value.
        if (token->kind == Token::Kind::Word && token->text == "%" && !tokens.empty()
            && tokens.back().kind == Token::Kind::Word) {
            tokens.back().text += '%';
        } else {
            tokens.push_back(*std::move(token));
        }
    }
    return tokens;
}

/// Recursive descent over the grammar in filter.h.
class Parser {
public:
    Parser(std::span<const Token> tokens, std::int64_t nowNs)
        : m_tokens(tokens)
        , m_nowNs(nowNs)
    { }

    Result<Node> parse()
    {
        LOCKSTEP_TRY_ASSIGN(auto node, any());
        if (next().kind == Token::Kind::Close) {
            return refused(LS_TR("Refusals", "a \")\" has no \"(\" before it"));
        }
        return node;
    }

private:
    /// Nesting that no person writes, but a fuzzer does.
    static constexpr int DeepestNesting = 64;

    const Token& next() const { return m_tokens[m_place]; }
    const Token& take() { return m_tokens[m_place++]; }
    bool isWord(std::string_view word) const
    {
        return next().kind == Token::Kind::Word && lowerCase(next().text) == word;
    }
    bool startsOne() const
    {
        return next().kind != Token::Kind::End && next().kind != Token::Kind::Close && !isWord("or");
    }

    Result<Node> any()
    {
        LOCKSTEP_TRY_ASSIGN(auto first, all());
        Node node{.kind = Node::Kind::Or, .parts = {std::move(first)}};
        while (isWord("or")) {
            take();
            LOCKSTEP_TRY_ASSIGN(auto other, all());
            node.parts.push_back(std::move(other));
        }
        return node.parts.size() == 1 ? Result<Node>(std::move(node.parts.front())) : Result<Node>(std::move(node));
    }

    Result<Node> all()
    {
        LOCKSTEP_TRY_ASSIGN(auto first, one());
        Node node{.kind = Node::Kind::And, .parts = {std::move(first)}};
        while (startsOne()) {
            if (isWord("and")) {
                take();
            }
            LOCKSTEP_TRY_ASSIGN(auto other, one());
            node.parts.push_back(std::move(other));
        }
        return node.parts.size() == 1 ? Result<Node>(std::move(node.parts.front())) : Result<Node>(std::move(node));
    }

    Result<Node> one()
    {
        if (m_depth >= DeepestNesting) {
            return refused(LS_TR("Refusals", "brackets are nested more than %1 deep"), {m_depth});
        }
        ++m_depth;
        auto node = oneOfThese();
        --m_depth;
        return node;
    }

    Result<Node> oneOfThese()
    {
        if (isWord("not")) {
            take();
            LOCKSTEP_TRY_ASSIGN(auto what, one());
            return Node{.kind = Node::Kind::Not, .parts = {std::move(what)}};
        }
        switch (next().kind) {
        case Token::Kind::Open: {
            take();
            LOCKSTEP_TRY_ASSIGN(auto node, any());
            if (take().kind != Token::Kind::Close) {
                return refused(LS_TR("Refusals", "a \"(\" has no \")\" after it"));
            }
            return node;
        }
        case Token::Kind::Quoted:
            return Node{.kind = Node::Kind::Text, .text = lowerCase(take().text)};
        case Token::Kind::Word:
            return isWord("and") || isWord("or") ? Result<Node>(nothingBefore(next().text)) : termOf(take().text);
        case Token::Kind::Operator:
            return refused(
                LS_TR("Refusals", "\"%1\" needs a column before it, as in accuracy > 0.94"), {verbatim(next().text)});
        case Token::Kind::Close:
            return nothingBefore(next().text);
        case Token::Kind::End:
            break;
        }
        return refused(LS_TR("Refusals", "something is missing after \"%1\""),
            {verbatim(m_place == 0 ? std::string() : m_tokens[m_place - 1].text)});
    }

    static Error nothingBefore(const std::string& word)
    {
        return refused(LS_TR("Refusals", "something is missing before \"%1\""), {verbatim(word)});
    }

    Result<Node> termOf(const std::string& word)
    {
        if (next().kind != Token::Kind::Operator) {
            return Node{.kind = Node::Kind::Text, .text = lowerCase(word)};
        }
        const std::string compare = take().text;
        if (next().kind != Token::Kind::Word && next().kind != Token::Kind::Quoted) {
            return refused(LS_TR("Refusals", "\"%1\" needs a value after it, as in accuracy > 0.94"),
                {verbatim(word + " " + compare)});
        }
        return comparisonOf(word, compare, take().text, m_nowNs);
    }

    std::span<const Token> m_tokens;
    std::int64_t m_nowNs;
    std::size_t m_place = 0;
    int m_depth = 0;
};

template <typename T>
bool holds(Compare compare, const T& a, const T& b)
{
    switch (compare) {
    case Compare::Equal:
        return a == b;
    case Compare::NotEqual:
        return a != b;
    case Compare::Less:
        return a < b;
    case Compare::LessOrEqual:
        return a <= b;
    case Compare::Greater:
        return a > b;
    case Compare::GreaterOrEqual:
        return a >= b;
    case Compare::Contains:
    case Compare::ContainsNot:
        break;
    }
    return false;
}

bool isOneOfTags(const Node& node, const RunRecord& run)
{
    return std::any_of(run.marks.tags.begin(), run.marks.tags.end(),
        [&](const std::string& tag) { return lowerCase(tag) == node.text; });
}

bool isTrue(const Node& node, const RunRecord& run)
{
    const Cell cell = cellOf(*node.column, run);
    const bool isAbsent = std::holds_alternative<std::monostate>(cell);
    if (node.isNone) {
        return isAbsent == (node.compare == Compare::Equal);
    }
    if (isAbsent) {
        return false;
    }
    if (const auto* number = std::get_if<double>(&cell)) {
        return holds(node.compare, *number, node.number);
    }
    const std::string text = lowerCase(std::get<std::string>(cell));
    if (node.compare == Compare::Contains || node.compare == Compare::ContainsNot) {
        return (text.find(node.text) != std::string::npos) == (node.compare == Compare::Contains);
    }
    if (node.column->attribute == Attribute::Tags) {
        return isOneOfTags(node, run) == (node.compare == Compare::Equal);
    }
    // A date means the whole period that it leaves open.
    return node.column->kind == CellKind::Date ? holds(node.compare, text.substr(0, node.text.size()), node.text)
                                               : holds(node.compare, text, node.text);
}

bool isMatch(const Node& node, const RunRecord& run, std::string_view text)
{
    const auto part = [&](const Node& each) { return isMatch(each, run, text); };
    switch (node.kind) {
    case Node::Kind::And:
        return std::all_of(node.parts.begin(), node.parts.end(), part);
    case Node::Kind::Or:
        return std::any_of(node.parts.begin(), node.parts.end(), part);
    case Node::Kind::Not:
        return !part(node.parts.front());
    case Node::Kind::Comparison:
        return isTrue(node, run);
    case Node::Kind::Text:
        return text.find(node.text) != std::string_view::npos;
    }
    return false;
}

bool hasTextNode(const Node& node)
{
    return node.kind == Node::Kind::Text || std::any_of(node.parts.begin(), node.parts.end(), hasTextNode);
}

} // namespace

Result<Filter> Filter::parse(std::string_view text, std::int64_t nowNs)
{
    LOCKSTEP_TRY_ASSIGN(const auto tokens, tokensOf(text));
    Filter filter;
    if (tokens.size() > 1) {
        LOCKSTEP_TRY_ASSIGN(auto root, Parser(tokens, nowNs).parse());
        filter.m_root = std::make_shared<const Node>(std::move(root));
    }
    return filter;
}

bool Filter::matches(const RunRecord& run) const
{
    return matches(run, looksForText() ? searchText(run) : std::string());
}

bool Filter::matches(const RunRecord& run, std::string_view text) const
{
    return m_root == nullptr || isMatch(*m_root, run, text);
}

bool Filter::looksForText() const
{
    return m_root != nullptr && hasTextNode(*m_root);
}

std::string searchText(const RunRecord& run)
{
    static const std::vector<const Column*> searched = [] {
        std::vector<const Column*> found;
        for (const std::string_view name : std::initializer_list<std::string_view>{"id", "name", "experiment", "status",
                 "tags", "note", nameOf(&experiment::DatasetSettings::name), nameOf(&experiment::NetSettings::name),
                 nameOf(&experiment::OptimizerSettings::name)}) {
            found.push_back(findColumn(name));
        }
        return found;
    }();
    std::string text;
    for (const Column* column : searched) {
        text += rawText(cellOf(*column, run)) + '\n';
    }
    return lowerCase(text);
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(
        lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

} // namespace lockstep::analysis
