#include "analysis/table/filter.h"

#include "analysis/table/filter_node.h"
#include "base/translate.h"
#include "base/typed.h"

#include <algorithm>
#include <array>
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
constexpr std::string_view Structure = " \t\n()\"'=<>~";

Error refused(std::string_view pattern, std::vector<Text> arguments = {})
{
    return refusal("filter", pattern, std::move(arguments));
}

/// The text with ASCII in the place of typed signs that are more than a part of a word; what is quoted stays.
std::string withAsciiStructure(std::string_view text)
{
    std::string ascii;
    char quote = 0;
    while (!text.empty()) {
        const AsciiTwin twin = asciiTwin(text);
        const std::string_view rest = text.substr(twin.size);
        const bool isMark = twin.ascii == "\"" || twin.ascii == "'";
        const bool isNegation
            = twin.ascii == "!" && !rest.empty() && (asciiTwin(rest).ascii == "=" || asciiTwin(rest).ascii == "~");
        const bool isStructure = twin.ascii.find_first_of(Structure) != std::string_view::npos || isNegation;
        const bool stays = quote != 0 ? !isMark || twin.ascii.front() != quote : !isStructure;
        if (isMark && (quote == 0 || quote == twin.ascii.front())) {
            quote = quote == 0 ? twin.ascii.front() : '\0';
        }
        ascii += stays ? text.substr(0, twin.size) : twin.ascii;
        text = rest;
    }
    return ascii;
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
    while (end < text.size() && Structure.find(text[end]) == std::string_view::npos
        && !text.substr(end).starts_with("!=") && !text.substr(end).starts_with("!~")) {
        ++end;
    }
    return take(Token::Kind::Word, end);
}

enum class Joint { None, And, Or, Not };

/// The word that joins conditions, in English or Chinese.
Joint jointOf(const Token& token)
{
    static constexpr std::array<std::pair<std::string_view, Joint>, 8> Joints{
        {{"and", Joint::And}, {"or", Joint::Or}, {"not", Joint::Not}, {"且", Joint::And}, {"并且", Joint::And},
            {"或", Joint::Or}, {"或者", Joint::Or}, {"非", Joint::Not}}};
    if (token.kind != Token::Kind::Word) {
        return Joint::None;
    }
    const auto* const found
        = std::ranges::find(Joints, lowerCase(token.text), &std::pair<std::string_view, Joint>::first);
    return found == Joints.end() ? Joint::None : found->second;
}

/// Words before an operator that are a column's label together: one token of them, the longest.
void joinLabel(std::vector<Token>& tokens, const ShownWords& words)
{
    std::string label;
    std::size_t taken = 0;
    std::string best;
    for (std::size_t count = 1; count <= tokens.size(); ++count) {
        const Token& word = tokens[tokens.size() - count];
        if (word.kind != Token::Kind::Word || jointOf(word) != Joint::None) {
            break;
        }
        label = word.text + (label.empty() ? "" : " ") + label;
        if (const Column* column = words.columnLabelled(label); column != nullptr && count > 1) {
            taken = count;
            best = column->name;
        }
    }
    if (taken > 0) {
        tokens.resize(tokens.size() - taken);
        tokens.push_back({Token::Kind::Word, best});
    }
}

Result<std::vector<Token>> tokensOf(std::string_view text, const ShownWords& words)
{
    std::vector<Token> tokens;
    while (tokens.empty() || tokens.back().kind != Token::Kind::End) {
        auto token = nextToken(text);
        if (!token) {
            return token.error();
        }
        const bool isAfterWord = !tokens.empty() && tokens.back().kind == Token::Kind::Word;
        if (token->kind == Token::Kind::Word && isAfterWord && withAsciiTwins(token->text) == "%") {
            tokens.back().text += '%'; // `94 %` is one value
            continue;
        }
        if (token->kind == Token::Kind::Operator) {
            joinLabel(tokens, words);
        }
        tokens.push_back(*std::move(token));
    }
    return tokens;
}

/// Recursive descent over the grammar in filter.h.
class Parser {
public:
    Parser(std::span<const Token> tokens, const FilterReading& reading)
        : m_tokens(tokens)
        , m_reading(reading)
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
    bool isJoint(Joint joint) const { return jointOf(next()) == joint; }
    bool startsOne() const
    {
        return next().kind != Token::Kind::End && next().kind != Token::Kind::Close && !isJoint(Joint::Or);
    }

    Result<Node> any()
    {
        LOCKSTEP_TRY_ASSIGN(auto first, all());
        Node node{.kind = Node::Kind::Or, .parts = {std::move(first)}};
        while (isJoint(Joint::Or)) {
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
            if (isJoint(Joint::And)) {
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
        if (isJoint(Joint::Not)) {
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
        case Token::Kind::Word:
            return isJoint(Joint::And) || isJoint(Joint::Or) ? Result<Node>(nothingBefore(next().text))
                                                             : termOf(take().text);
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
        LOCKSTEP_TRY_ASSIGN(const Column* column, filterColumn(word, m_reading.words));
        const std::string value = take().text;
        if (next().kind == Token::Kind::Word && column->isNumber()
            && m_reading.words.isUnitOf(*column, lowerCase(next().text))) {
            take(); // `3 ms`
        }
        return comparisonOf(*column, compare, value, m_reading);
    }

    std::span<const Token> m_tokens;
    const FilterReading& m_reading;
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

Result<Filter> Filter::parse(std::string_view text, std::int64_t nowNs, const ShownAs& shown)
{
    const ShownWords words(shown);
    LOCKSTEP_TRY_ASSIGN(const auto tokens, tokensOf(withAsciiStructure(text), words));
    Filter filter;
    if (tokens.size() > 1) {
        LOCKSTEP_TRY_ASSIGN(auto root, Parser(tokens, {words, nowNs}).parse());
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
