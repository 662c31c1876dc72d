#include "core/laboratory/laboratory_fixture.h"

#include "experiment/spec.h"
#include "laboratory/read_laboratory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>

namespace lockstep::tests {

namespace {

LabJson both(const std::string& english, const std::string& chinese)
{
    return {{"en", english}, {"zh", chinese}};
}

LabJson stepOf(const char* id, const char* kind)
{
    return {{"id", id}, {"kind", kind}, {"title", both(std::string("Title of ") + id, std::string("标题 ") + id)}};
}

LabJson with(LabJson step, const LabJson& more)
{
    step.update(more);
    return step;
}

} // namespace

LabJson sampleDescription()
{
    const LabJson about{{"about", {{"step", "run"}}}};
    LabJson choices = LabJson::array();
    choices.push_back({{"id", "yes"}, {"text", both("Yes", "是")}});
    choices.push_back({{"id", "no"}, {"text", both("No", "否")}});
    return {{"version", 1}, {"id", "sample"}, {"revision", 2}, {"minutes", 40}, {"title", both("Sample", "示例")},
        {"course", both("Course", "课程")}, {"aim", both("To try.", "试一试。")},
        {"steps",
            {stepOf("start", "text"),
                with(stepOf("guess", "prediction"),
                    {{"form", "direction"},
                        {"of", {{"step", "run"}, {"figure", "final_loss"}, {"variant", "Adam"}, {"against", "SGD"}}}}),
                with(stepOf("amount", "prediction"),
                    {{"form", "number"}, {"of", {{"step", "run"}, {"figure", "final_loss"}, {"variant", "SGD"}}}}),
                with(stepOf("order", "prediction"),
                    {{"form", "order"}, {"of", {{"step", "run"}, {"figure", "final_loss"}}}}),
                with(stepOf("curve", "prediction"),
                    {{"form", "curve"}, {"of", {{"step", "run"}, {"chart", "loss"}, {"variant", "SGD"}}}}),
                with(stepOf("run", "experiment"),
                    {{"preset", "optimizers"}, {"seed", "number"}, {"free", {"train.batch"}}}),
                with(with(stepOf("why", "question"), {{"form", "text"}}), about),
                with(stepOf("pick", "question"), {{"form", "choice"}, {"choices", choices}}),
                with(stepOf("claim", "claim"), about),
                with(stepOf("ring", "code"),
                    {{"template", "code/ring.py"}, {"check", {{"kind", "optimizer"}, {"name", "sgd"}}}})}}};
}

LabFiles filesWith(const LabJson& description)
{
    LabFiles files{{QStringLiteral("laboratory.json"), QByteArray::fromStdString(description.dump(1))},
        {QStringLiteral("code/ring.py"), "def all_reduce(x):\n    return x\n"},
        {QStringLiteral("pictures/ring.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"}};
    for (const LabJson& step : description["steps"]) {
        if (step.value("kind", "") == "experiment") {
            continue;
        }
        for (const char* language : {"en", "zh"}) {
            const std::string id = step.value("id", "");
            files[QStringLiteral("texts/%1.%2.md").arg(QString::fromStdString(id), QLatin1String(language))]
                = "# Text\n\nOf **" + QByteArray::fromStdString(id)
                + "**: $a<b$ and `<b>`.\n\n![a ring](pictures/ring.svg)\n";
        }
    }
    return files;
}

LabFiles sampleFiles()
{
    return filesWith(sampleDescription());
}

void writeFolder(const LabFiles& files, const QString& folder)
{
    for (const auto& [name, content] : files) {
        const QString path = folder + u'/' + name;
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
            qFatal("%s cannot be written", qPrintable(path));
        }
    }
}

laboratory::Laboratory sampleLaboratory()
{
    const QTemporaryDir folder;
    writeFolder(sampleFiles(), folder.path());
    auto read = laboratory::readLaboratory(folder.path());
    if (!read) {
        qFatal("%s", read.error().text().c_str());
    }
    return *std::move(read);
}

std::vector<analysis::RunRecord> runsOf(const std::string& variant, const std::vector<double>& losses)
{
    const auto spec = experiment::preset("optimizers");
    const auto all = experiment::expand(*spec);
    const auto model = std::ranges::find(*all, variant, &experiment::RunSpec::name);
    std::vector<analysis::RunRecord> runs;
    for (const double loss : losses) {
        const auto number = static_cast<std::int64_t>(runs.size());
        analysis::RunRecord run;
        run.id = makeRunId(1'700'000'000 + number, static_cast<std::uint32_t>(std::hash<std::string>()(variant)));
        run.spec = *model;
        run.spec.settings.set(&experiment::TrainSettings::seed, number + 1);
        run.status = analysis::RunStatus::Finished;
        run.createdNs = number;
        run.summary.finalLoss = loss;
        run.summary.steps = 3;
        for (std::int64_t step = 1; step <= 3; ++step) {
            run.loss.step.push_back(step);
            run.loss.epoch.push_back(static_cast<double>(step));
            run.loss.seconds.push_back(static_cast<double>(step));
            run.loss.value.push_back(loss);
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

} // namespace lockstep::tests
