#include "exchange/report/edits.h"

#include "exchange/report/escape.h"
#include "exchange/report/format_writers.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep::report {

namespace {

void setText(Block& block, const std::string& text)
{
    std::visit(Overloaded{[&](Heading& heading) { heading.text = text; },
                   [&](Paragraph& paragraph) {
                       paragraph = {text, {}};
                   },
                   [&](Sentences& sentences) {
                       sentences.list.clear();
                       for (const std::string& line : paragraphsOf(text)) {
                           sentences.list.push_back({"edited", line, {}, {}});
                       }
                   },
                   [&](Chart& chart) { chart.caption = text; }, [&](Table& table) { table.caption = text; },
                   [&](Question& question) { question.answer = text; }, [&](Listing& listing) { listing.text = text; }},
        block.content);
}

bool isUnanswered(const Block& block)
{
    const auto* question = std::get_if<Question>(&block.content);
    return question != nullptr && question->answer.empty();
}

} // namespace

std::string textOf(const Block& block)
{
    return std::visit(
        Overloaded{[](const Heading& heading) { return heading.text; },
            [](const Paragraph& paragraph) { return paragraph.text; },
            [](const Sentences& sentences) { return listed(sentences.list, &Sentence::text, "\n"); },
            [](const Chart& chart) { return chart.caption; }, [](const Table& table) { return table.caption; },
            [](const Question& question) { return question.answer; },
            [](const Listing& listing) { return listing.text; }},
        block.content);
}

std::vector<Block> arranged(const Report& report, const Edits& edits)
{
    const auto placeOf = [&](const std::string& key) { return std::ranges::find(edits.order, key); };
    // A block that is new keeps its neighbour: it belongs to the place of the last one before it that has one.
    std::vector<std::pair<std::ptrdiff_t, Block>> placed;
    std::ptrdiff_t place = -1;
    for (Block block : report.blocks) {
        if (const auto found = placeOf(block.key); found != edits.order.end()) {
            place = found - edits.order.begin();
        }
        if (const auto text = edits.texts.find(block.key); text != edits.texts.end()) {
            setText(block, text->second);
        }
        placed.emplace_back(place, std::move(block));
    }
    std::ranges::stable_sort(placed, {}, &std::pair<std::ptrdiff_t, Block>::first);
    std::vector<Block> blocks;
    for (auto& each : placed) {
        blocks.push_back(std::move(each.second));
    }
    return blocks;
}

Report edited(const Report& report, const Edits& edits)
{
    Report made = report;
    made.blocks = arranged(report, edits);
    std::erase_if(made.blocks, [&](const Block& block) { return edits.leftOut.contains(block.key); });
    for (std::size_t i = 0; i < made.titleLines.size() && i < 2; ++i) {
        const std::string& own = i == 0 ? edits.author : edits.number;
        made.titleLines[i].text = own.empty() ? made.titleLines[i].text : own;
    }
    return made;
}

int unansweredIn(const Report& report)
{
    return static_cast<int>(std::ranges::count_if(report.blocks, isUnanswered));
}

void dropUnanswered(Report& report)
{
    std::erase_if(report.blocks, isUnanswered);
    dropEmptySections(report);
}

void dropEmptySections(Report& report)
{
    for (std::size_t i = report.blocks.size(); i-- > 0;) {
        const auto* heading = std::get_if<Heading>(&report.blocks[i].content);
        if (heading == nullptr) {
            continue;
        }
        const auto* next = i + 1 < report.blocks.size() ? std::get_if<Heading>(&report.blocks[i + 1].content) : nullptr;
        if (i + 1 == report.blocks.size() || (next != nullptr && next->level <= heading->level)) {
            report.blocks.erase(report.blocks.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

Template withAdded(Template which, const std::vector<std::string>& added)
{
    const auto asks = [](const Section& section) {
        return std::ranges::any_of(section.content, [](const Item& item) { return item.kind == ItemKind::Question; });
    };
    auto place = std::ranges::find_if(which.sections, asks);
    for (const std::string& text : added) {
        if (auto section = parseSection(text)) {
            place = which.sections.insert(place, std::move(*section)) + 1;
        }
    }
    return which;
}

std::string toJson(const Edits& edits)
{
    return nlohmann::json{{"version", 1}, {"order", edits.order}, {"left_out", edits.leftOut}, {"texts", edits.texts},
        {"added", edits.added}, {"author", edits.author}, {"number", edits.number}}
        .dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<Edits> parseEdits(std::string_view json)
{
    const nlohmann::json value = nlohmann::json::parse(json, nullptr, false);
    if (!value.is_object() || value.value("version", 0) != 1) {
        return failure(LS_TR("Messages", "these are not changes to a report that this version understands"));
    }
    Edits edits;
    try {
        value.at("order").get_to(edits.order);
        value.at("left_out").get_to(edits.leftOut);
        value.at("texts").get_to(edits.texts);
        edits.added = value.value("added", std::vector<std::string>()); // version 1 had none at first
        value.at("author").get_to(edits.author);
        value.at("number").get_to(edits.number);
    } catch (const nlohmann::json::exception& failed) {
        return failure(LS_TR("Messages", "these are not changes to a report: %1"), {verbatim(failed.what())});
    }
    return edits;
}

} // namespace lockstep::report
