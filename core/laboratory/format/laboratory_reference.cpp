#include "analysis/figures/figure.h"
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/format/laboratory_fields.h"
#include "laboratory/read_laboratory.h"

#include <string>

namespace lockstep::laboratory {

namespace {

bool isStepKind(std::string_view table)
{
    const auto kinds = stepKinds();
    return std::ranges::find(kinds, table) != kinds.end();
}

FieldJson objectSchema(const FieldTable& table, const FieldTable* common)
{
    FieldJson properties = FieldJson::object();
    FieldJson required = FieldJson::array();
    const auto add = [&](const FieldTable& from) {
        for (const FieldInfo& field : from.fields) {
            properties[std::string(field.name)] = schemaOf(field.form);
            properties[std::string(field.name)]["description"] = std::string(field.help);
            if (field.isRequired) {
                required.push_back(std::string(field.name));
            }
        }
    };
    if (common != nullptr) {
        add(*common);
        properties["kind"] = {{"const", std::string(table.name)}};
    }
    add(table);
    return {{"type", "object"}, {"description", std::string(table.help)}, {"properties", properties},
        {"required", required}, {"additionalProperties", false}};
}

constexpr std::string_view Introduction = R"(# Laboratories: the format

A laboratory is a folder while it is written and a file `NAME.lab` when it is handed out: a zip archive of the same
content without the key.

```
laboratory.json          the steps, as described below
texts/STEP.en.md         the text of a step in English, Markdown
texts/STEP.zh.md         in Chinese; one of the two languages must be complete
pictures/*.png, *.svg    pictures that texts show, by Markdown as usual
code/*.py                templates of code steps
key.json                 answers, points and rubric; never in a .lab
```

`lockstep lab new PRESET` writes a folder to start from, `lockstep lab check FOLDER` names what is wrong, a line each,
and `lockstep lab hand-out FOLDER` writes `NAME.lab` and, beside it, `NAME.key`.

```json
{"version": 1, "id": "rates", "revision": 1, "minutes": 45,
 "title": {"en": "Learning rates"},
 "steps": [
  {"id": "start", "kind": "text", "title": {"en": "What a learning rate does"}},
  {"id": "guess", "kind": "prediction", "title": {"en": "Predict"}, "form": "direction",
   "of": {"step": "run", "figure": "final_loss", "variant": "Adam", "against": "SGD"}},
  {"id": "run", "kind": "experiment", "title": {"en": "Run"}, "preset": "optimizers", "seed": "number"},
  {"id": "why", "kind": "question", "title": {"en": "Why?"}, "form": "text", "about": {"step": "run"}},
  {"id": "claim", "kind": "claim", "title": {"en": "Claim"}, "about": {"step": "run"}}
 ]}
```

It needs `texts/start.en.md`, `texts/guess.en.md`, `texts/why.en.md` and `texts/claim.en.md`.

Texts are Markdown with headings, lists, emphasis, code, tables, pictures and formulas between `$` signs. HTML is
refused. A quotation (`> `) is a hint for the window: the report leaves it out. A prediction stands before its
experiment, which opens once its predictions are sealed. Times differ from
machine to machine, so numbers are predicted as the ratio of two variants. A laboratory starts nothing by itself, and
may not set `rank.program`, paths or interfaces.

A code step's `check` names an exercise by its `kind`. *Check* runs the student's file under the exercise's runner,
which writes raw numbers only; what is expected, the comparison and the verdict stay outside of that process. `lockstep
lab try FILE --lab LAB --step STEP` gives the same verdict.
)";

constexpr std::string_view Ending = R"(
## Seeds

With `"seed": "number"` the seed is made of the student's number: as text, in the Unicode form NFKC, without blanks at
the ends, so that `007` keeps its zeros; of its SHA-256 hash the first 8 bytes modulo 2^31. Repeats add to it.

## Formulas of a key

Numbers, `+ - * / ^`, brackets, `sqrt`, `log2`, `ceil`, `floor`, `min`, `max`; names of parameters such as `train.batch`; `n` is the
number of ranks, `parameters` that of the net, `bytes` is 4 times `parameters`. Settings are those of the variant that
the question's `about` names; without one, of the first variant of its experiment.

## Seals

A student's predictions are sealed: each entry of the journal `work.jsonl` has its time, the hash of the entry before
and its own. An entry that was changed, moved or removed is seen. Someone who computes the whole chain again is not
seen, unless the seal code, eight characters shown after sealing, was collected in class: `lockstep lab check
FILE.handin --code CODE` looks for it.

## Trying and reading

`lockstep --preview FILE.lab` (*Preview as a student…* in the window) opens a laboratory as a student meets it, in a
store that ends with the window. `lockstep FILE.handin` shows a hand-in in a window of its own; it is only read.
)";

constexpr std::string_view SpecExample = R"(
In an experiment step, `experiment` is the whole spec:

```json
{"id": "run", "kind": "experiment", "title": {"en": "Run: two ways on four ranks"}, "seed": "number",
 "free": ["train.batch"],
 "experiment": {"version": 1, "experiment": "own", "title": {"en": "Two ways"}, "charts": ["comm", "loss"],
  "base": {"strategy.name": "data", "world_size": 4, "train.steps": 200},
  "variants": [{"name": "ring", "aggregation.algorithm": "ring"}, {"name": "tree", "aggregation.algorithm": "tree"}],
  "repeats": 3}}
```

`lockstep run SPEC.json` runs a file with such a spec; `lockstep presets` lists the built-in ones. What a parameter may
be stands on the page of parameters (`lockstep parameters`), the ids of charts in `lockstep export --help`. Names of variants are words or `parameter=value`; the window shows the built-in names, such as `ring` and
`zero-1`, in the reader's language.
)";

constexpr std::string_view Examples = R"(
## Examples of steps

A ratio of times, a number with its unit, an order, a curve, a choice, and a step with code:

```json
{"id": "ratio", "kind": "prediction", "title": {"en": "Predict: tree against ring"}, "form": "number",
 "of": {"step": "run", "figure": "ms_per_step_typical", "variant": "tree", "against": "ring"}}
{"id": "sent", "kind": "prediction", "title": {"en": "Predict: what a rank sends"}, "form": "number",
 "of": {"step": "run", "figure": "bytes_per_step", "variant": "ring"}}
{"id": "order", "kind": "prediction", "title": {"en": "Predict: the order"}, "form": "order",
 "of": {"step": "run", "figure": "test_accuracy", "variants": ["ring", "tree"]}}
{"id": "curve", "kind": "prediction", "title": {"en": "Predict: the loss"}, "form": "curve",
 "of": {"step": "run", "chart": "loss", "x": "step", "variant": "ring"}}
{"id": "formula", "kind": "question", "title": {"en": "By formula"}, "form": "number", "unit": "kB",
 "about": {"step": "run", "variant": "ring"}}
{"id": "pick", "kind": "question", "title": {"en": "Choose"}, "form": "choice",
 "choices": [{"id": "yes", "text": {"en": "Yes"}}, {"id": "no", "text": {"en": "No"}}]}
{"id": "write", "kind": "code", "title": {"en": "Write: an all-reduce"}, "template": "code/ring.py",
 "check": {"kind": "all_reduce", "algorithm": "ring", "ranks": 3}}
```

Their key:

```json
{"laboratory": "rates", "revision": 1,
 "steps": {
  "formula": {"answer": "2*(n-1)/n*bytes/1000", "tolerance": 0.05, "points": 2},
  "pick": {"answer": "yes", "points": 1},
  "why": {"points": 3, "rubric": {"en": "1 point each: what was measured; its interval; the reason."}},
  "write": {"points": 4}
 }}
```

Predictions need no entry: that they were made is seen. A free text is marked by its rubric, code by its check.
)";

/// What each check object has.
FieldTable checkTable()
{
    return {"check", "", {{"kind", {FieldForm::Kind::Text}, true, "Which exercise: the sections below name them."}}};
}

/// The fields that experiment::fromJson() reads.
FieldTable specTable()
{
    using enum FieldForm::Kind;
    return {"spec", "What an experiment step runs, as a file for `lockstep run` has it.",
        {{"version", {Integer, {}, {}, 1.0}, true, "1."},
            {"experiment", {Text}, true, "A preset's name, whose names of variants are then shown, or `own`."},
            {"title", {TextOrWording}, false, "Of its runs, in tables and reports."},
            {"question", {TextOrWording}, false, "What its runs answer, on the page of findings."},
            {"charts", {Texts}, false, "Ids of the charts that it opens with: `loss`, `comm`, `memory`, `sweep`."},
            {"base", {Any, "parameters and their values"}, false, "Of all variants. What is left out has its default."},
            {"variants", {Objects, "variant"}, false, "What is compared. Without it: one run with the base."},
            {"repeats", {Integer, {}, {}, 1.0}, false,
                "Runs of each variant, up to 100, with seeds that follow each other. Intervals need at least 2, better "
                "3. Without it: 1."}}};
}

FieldTable variantTable()
{
    using enum FieldForm::Kind;
    return {"variant", "One variant of a spec: its fields, and beside them parameters with their values.",
        {{"name", {Text}, true, "By which predictions, questions and claims refer to it."},
            {"group", {Text}, false, "Of variants of one idea, which the form folds together."},
            {"enabled", {Flag}, false, "false: it only runs where someone switches it on."}}};
}

FieldTable tableOf(const Exercise& exercise)
{
    return {exercise.key, exercise.help, exercise.fields};
}

FieldJson checkSchema(FieldJson& definitions)
{
    const FieldTable common = checkTable();
    FieldJson kinds = FieldJson::array();
    for (const Exercise& exercise : exercises()) {
        const std::string name = "check " + std::string(exercise.key);
        definitions[name] = objectSchema(tableOf(exercise), &common);
        kinds.push_back({{"$ref", "#/$defs/" + name}});
    }
    return {{"oneOf", kinds}};
}

std::string cell(std::string text)
{
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
        text.insert(at, 1, '\\');
    }
    return text;
}

std::string sectionOf(const FieldTable& table, const std::string& title)
{
    std::string page = "\n## " + title + "\n\n" + std::string(table.help) + "\n";
    if (table.fields.empty()) {
        return page;
    }
    page += "\n| field | value | needed | meaning |\n| --- | --- | --- | --- |\n";
    for (const FieldInfo& field : table.fields) {
        page += "| `" + std::string(field.name) + "` | " + cell(formText(field.form).english) + " | "
            + (field.isRequired ? "yes" : "") + " | " + cell(std::string(field.help)) + " |\n";
    }
    return page;
}

/// `final_loss`, with its unit and what it is.
std::string figuresSection()
{
    std::string page
        = "\n## Figures\n\nWhat `figure` may be. Times and throughputs (ms, s, samples/s) are compared, never "
          "predicted alone. Shares are in percent.\n\n| figure | unit | what it is |\n| --- | --- | --- |\n";
    for (const analysis::Figure& figure : analysis::figures()) {
        if (!figure.label.empty()) {
            page += "| `" + std::string(figure.name) + "` | " + std::string(figure.unit) + " | "
                + cell(std::string(figure.label) + ". " + std::string(figure.help)) + " |\n";
        }
    }
    return page;
}

} // namespace

std::string laboratorySchema()
{
    const auto tables = fieldTables();
    const FieldTable& common = tables[1];
    FieldJson definitions = FieldJson::object();
    FieldJson kinds = FieldJson::array();
    FieldJson whole;
    for (const FieldTable& table : tables) {
        if (table.name == "laboratory") {
            whole = objectSchema(table, nullptr);
        } else if (table.name != common.name) {
            const std::string name = (isStepKind(table.name) ? "step " : "") + std::string(table.name);
            definitions[name] = objectSchema(table, isStepKind(table.name) ? &common : nullptr);
            if (isStepKind(table.name)) {
                kinds.push_back({{"$ref", "#/$defs/" + name}});
            }
        }
    }
    definitions[std::string(common.name)] = {{"oneOf", kinds}};
    definitions["check"] = checkSchema(definitions);
    definitions["wording"]
        = {{"type", "object"}, {"properties", {{"en", {{"type", "string"}}}, {"zh", {{"type", "string"}}}}},
            {"minProperties", 1}, {"additionalProperties", false}};
    FieldJson schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "laboratory.json"}};
    schema.update(whole);
    schema["$defs"] = definitions;
    return schema.dump(2) + "\n";
}

std::string laboratoryReference()
{
    std::string page(Introduction);
    for (const FieldTable& table : fieldTables()) {
        page += sectionOf(table, (isStepKind(table.name) ? "Step: " : "") + std::string(table.name));
    }
    page += sectionOf(specTable(), "spec") + std::string(SpecExample) + sectionOf(variantTable(), "variant");
    page += figuresSection() + std::string(Examples);
    for (const Exercise& exercise : exercises()) {
        page += sectionOf(tableOf(exercise), "Check: " + std::string(exercise.key));
    }
    return page + std::string(Ending);
}

} // namespace lockstep::laboratory
