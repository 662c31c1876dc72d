#include "base/translate.h"
#include "exchange/export/file_set.h"
#include "laboratory/format/field_table.h"
#include "laboratory/format/laboratory_files.h"
#include "laboratory/read_laboratory.h"

#include <QFileInfo>

#include <algorithm>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

/// A step of the folder to start from, with its text in both languages.
struct Draft {
    FieldJson json;
    std::string english;
    std::string chinese;
};

FieldJson wording(const std::string& english, const std::string& chinese)
{
    return {{"en", english}, {"zh", chinese}};
}

FieldJson stepJson(const char* id, const char* kind, const char* english, const char* chinese)
{
    return {{"id", id}, {"kind", kind}, {"title", wording(english, chinese)}};
}

/// One against another, where there are two variants; else a number with a range.
Draft predictionDraft(const experiment::Spec& spec)
{
    std::vector<std::string> names;
    for (const experiment::Variant& each : spec.variants) {
        if (each.isEnabled) {
            names.push_back(each.name);
        }
    }
    const bool isSweep = std::ranges::any_of(
        *experiment::expand(spec), [](const experiment::RunSpec& run) { return experiment::isSweep(run); });
    Draft draft{stepJson("guess", "prediction", "Predict", "预测"),
        "Will the figure of the first variant be lower or higher than that of the other, or the same?\n\nSay why.",
        "第一个变体的指标会比另一个低、高，还是相同？\n\n说明理由。"};
    draft.json["form"] = names.size() >= 2 ? "direction" : "number";
    draft.json["of"] = {{"step", "run"}, {"figure", isSweep ? "bytes_per_step" : "final_loss"},
        {"variant", names.empty() ? spec.experiment : names.front()}};
    if (names.size() >= 2) {
        draft.json["of"]["against"] = names[1];
    } else {
        draft.english = "Which value do you expect? Give a range that you are sure of.";
        draft.chinese = "你预计是多少？给出一个你有把握的范围。";
    }
    return draft;
}

std::vector<Draft> draftsOf(const experiment::Spec& spec, const std::string& preset)
{
    Draft run{stepJson("run", "experiment", "Run", "运行"), {}, {}};
    if (preset.empty()) {
        run.json["experiment"] = FieldJson::parse(experiment::toJson(spec));
    } else {
        run.json["preset"] = preset;
    }
    run.json["seed"] = "number";
    Draft why{stepJson("why", "question", "Explain", "解释"), "What do the charts show? Explain it in a few sentences.",
        "图表说明了什么？用几句话解释。"};
    why.json["form"] = "text";
    why.json["about"] = {{"step", "run"}};
    Draft claim{stepJson("claim", "claim", "Claim", "论断"), "Claim what these runs show, with an amount.",
        "写出这些运行所证明的论断，并给出数量。"};
    claim.json["about"] = {{"step", "run"}};
    return {{stepJson("start", "text", "Introduction", "引言"), "What this laboratory is about.", "本实验的内容。"},
        predictionDraft(spec), std::move(run), std::move(why), std::move(claim)};
}

/// An id made of the folder's name.
std::string idOf(const QString& folder)
{
    std::string id;
    for (const QChar each : QFileInfo(folder).fileName().toLower()) {
        const bool isKept = (each >= u'a' && each <= u'z') || (each >= u'0' && each <= u'9');
        if (isKept || (!id.empty() && id.back() != '-')) {
            id += isKept ? each.toLatin1() : '-';
        }
    }
    while (id.ends_with('-')) {
        id.pop_back();
    }
    constexpr std::size_t Longest = 60;
    return id.empty() ? "laboratory" : id.substr(0, Longest);
}

} // namespace

Result<void> writeNewLaboratory(const experiment::Spec& spec, const std::string& preset, const QString& folder)
{
    if (QFileInfo::exists(folder)) {
        return failure(LS_TR("Messages", "%1 already exists; name a new folder"), {verbatim(folder.toStdString())});
    }
    LOCKSTEP_TRY(experiment::expand(spec));
    const std::string id = idOf(folder);
    const std::string& english = spec.about.title.en.empty() ? id : spec.about.title.en;
    FieldJson json{{"version", LaboratoryVersion}, {"id", id}, {"revision", 1}, {"minutes", 60},
        {"title", wording(english, spec.about.title.zh.empty() ? english : spec.about.title.zh)},
        {"aim", wording("What the student finds out.", "学生要弄清什么。")}, {"steps", FieldJson::array()}};
    std::vector<exchange::NewFile> files;
    for (const Draft& draft : draftsOf(spec, preset)) {
        json["steps"].push_back(draft.json);
        const std::string step = draft.json["id"];
        for (const auto& [language, text] : {std::pair("en", &draft.english), std::pair("zh", &draft.chinese)}) {
            if (!text->empty()) {
                files.push_back(
                    {QString::fromStdString(textFileOf(step, language)), QByteArray::fromStdString(*text + "\n")});
            }
        }
    }
    const FieldJson key{{"version", LaboratoryVersion}, {"laboratory", id}, {"revision", 1},
        {"steps",
            {{"why",
                {{"points", 4},
                    {"rubric",
                        wording("What a good answer has, and the points of each part.",
                            "好答案的要点及各部分的分值。")}}}}}};
    files.push_back({QString::fromLatin1(DescriptionName), QByteArray::fromStdString(json.dump(4) + "\n")});
    files.push_back({QString::fromLatin1(KeyName), QByteArray::fromStdString(key.dump(4) + "\n")});
    return exchange::writeFiles(folder, files, exchange::Existing::Refuse);
}

} // namespace lockstep::laboratory
