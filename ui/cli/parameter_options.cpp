#include "ui/cli/parameter_options.h"

#include "analysis/study/parameter_study.h"

#include <QCommandLineParser>

#include <algorithm>

namespace lockstep::ui {

namespace {

QString figureName(const analysis::Figure* figure)
{
    return QString::fromUtf8(figure->name);
}

template <typename List, typename NameOf>
std::string joinedNames(const List& list, NameOf name)
{
    QStringList names;
    for (const auto& each : list) {
        names += name(each);
    }
    return names.join(QStringLiteral(", ")).toStdString();
}

} // namespace

QList<QCommandLineOption> parameterOptions()
{
    return {{QStringLiteral("summary"),
                QStringLiteral("of the charts parameter and heat-map, one file each: ")
                    + QString::fromStdString(joinedNames(analysis::studyFigures(), figureName))
                    + QStringLiteral(" (several with commas; all that the runs have, if left out)"),
                QStringLiteral("FIGURES")},
        {QStringLiteral("against"),
            QStringLiteral(
                "of the same charts: the parameter on the horizontal axis, and after a comma the one that makes "
                "lines or rows, such as train.batch,optimizer.momentum; chosen, if left out"),
            QStringLiteral("PARAMETERS")}};
}

Result<ParameterOptions> readParameterOptions(
    const QCommandLineParser& parser, const std::vector<const ChartKind*>& charts)
{
    const bool hasChart
        = std::ranges::any_of(charts, [](const ChartKind* kind) { return kind->parameters != nullptr; });
    for (const char* option : {"summary", "against"}) {
        if (parser.isSet(QLatin1String(option)) && !hasChart) {
            return failure(
                LS_TR("Messages", "--%1: only for --chart parameter and --chart heat-map"), {verbatim(option)});
        }
    }
    ParameterOptions options;
    options.figures = parser.value(QStringLiteral("summary")).split(u',', Qt::SkipEmptyParts);
    for (const QString& name : options.figures) {
        if (analysis::findStudyFigure(name.toStdString()) == nullptr) {
            return refusal("--summary", LS_TR("Messages", "%1 is not a figure; allowed: %2"),
                {verbatim(name.toStdString()), verbatim(joinedNames(analysis::studyFigures(), figureName))});
        }
    }
    const QStringList names = parser.value(QStringLiteral("against")).split(u',', Qt::SkipEmptyParts);
    if (names.size() > 2) {
        return refusal("--against", LS_TR("Messages", "takes one parameter or two, not %1"), {names.size()});
    }
    if (names.size() == 2 && names[0] == names[1]) {
        return refusal("--against", LS_TR("Messages", "%1 is given twice"), {verbatim(names[0].toStdString())});
    }
    options.first = names.value(0);
    options.second = names.value(1);
    return options;
}

Result<void> applyParameterOptions(ChartModel& model, const ParameterOptions& options)
{
    const std::vector<ParameterChoice> offered = model.parameters().offered;
    for (const QString& name : {options.first, options.second}) {
        if (!name.isEmpty() && std::ranges::find(offered, name, &ParameterChoice::name) == offered.end()) {
            const Text given = verbatim(name.toStdString());
            return offered.empty()
                ? refusal("--against", LS_TR("Messages", "these runs do not differ in %1, nor in any other parameter"),
                    {given})
                : refusal("--against", LS_TR("Messages", "these runs do not differ in %1; they differ in %2"),
                    {given, verbatim(joinedNames(offered, [](const auto& each) { return each.name; }))});
        }
    }
    ChartOptions changed = model.options();
    changed.first = options.first;
    changed.second = options.second;
    model.setOptions(changed);
    return {};
}

Result<std::vector<ChartChoice>> wantedChoices(const ChartModel& model, const ParameterOptions& options)
{
    const std::vector<ChartChoice> choices = model.choices();
    if (model.kind().parameters == nullptr || options.figures.empty()) {
        return choices;
    }
    const auto figures = analysis::studyFigures();
    std::vector<ChartChoice> wanted;
    for (const QString& name : options.figures) {
        const auto found = std::ranges::find_if(choices, [&](const ChartChoice& choice) {
            return figureName(figures[static_cast<std::size_t>(choice.value)]) == name;
        });
        if (found == choices.end()) {
            return refusal("--summary", LS_TR("Messages", "none of these runs has %1; they have %2"),
                {verbatim(name.toStdString()), verbatim(joinedNames(choices, [&](const ChartChoice& choice) {
                     return figureName(figures[static_cast<std::size_t>(choice.value)]);
                 }))});
        }
        wanted.push_back(*found);
    }
    return wanted;
}

} // namespace lockstep::ui
