// A laboratory with a step of each kind, written as a folder, for tests of its page.
#pragma once

#include <QDir>
#include <QFile>
#include <QString>

namespace lockstep::tests {

inline const QByteArray MadeUpLaboratory = R"({
    "version": 1, "id": "made-up", "revision": 1, "minutes": 20,
    "title": { "en": "Laboratory 0: Two rates", "zh": "实验零：两种学习率" },
    "course": { "en": "Distributed machine learning", "zh": "分布式机器学习" },
    "aim": { "en": "Compare two learning rates of SGD.", "zh": "比较 SGD 的两种学习率。" },
    "steps": [
        { "id": "start", "kind": "text", "title": { "en": "Learning rates", "zh": "学习率" } },
        { "id": "guess-way", "kind": "prediction", "form": "direction",
          "title": { "en": "Predict: which learns more", "zh": "预测：哪个学得更好" },
          "of": { "step": "rates", "figure": "final_loss", "variant": "large", "against": "small" } },
        { "id": "guess-accuracy", "kind": "prediction", "form": "number",
          "title": { "en": "Predict: the accuracy", "zh": "预测：准确率" },
          "of": { "step": "rates", "figure": "test_accuracy", "variant": "large" } },
        { "id": "guess-order", "kind": "prediction", "form": "order",
          "title": { "en": "Predict: the order", "zh": "预测：次序" },
          "of": { "step": "rates", "figure": "final_loss" } },
        { "id": "guess-curve", "kind": "prediction", "form": "curve",
          "title": { "en": "Predict: the loss", "zh": "预测：损失曲线" },
          "of": { "step": "rates", "chart": "loss", "x": "step", "variant": "large" } },
        { "id": "rates", "kind": "experiment", "title": { "en": "Run: two rates", "zh": "运行：两种学习率" },
          "experiment": { "version": 1, "experiment": "own",
            "title": { "en": "Two rates", "zh": "两种学习率" },
            "base": { "dataset.name": "digits", "net.name": "mlp", "optimizer.name": "sgd", "train.steps": 200 },
            "variants": [ { "name": "small", "optimizer.lr": 0.01 }, { "name": "large", "optimizer.lr": 0.1 } ],
            "repeats": 1 },
          "free": ["train.batch"], "seed": "number" },
        { "id": "why", "kind": "question", "form": "text", "title": { "en": "Why", "zh": "为什么" },
          "about": { "step": "rates" } },
        { "id": "updates", "kind": "question", "form": "number", "unit": { "en": "updates", "zh": "次" },
          "title": { "en": "Updates", "zh": "更新次数" }, "about": { "step": "rates" } },
        { "id": "reason", "kind": "question", "form": "choice", "title": { "en": "The reason", "zh": "原因" },
          "choices": [
            { "id": "small-steps", "text": {
                "en": "The small rate takes steps that are too small to get near the minimum in 200 updates.",
                "zh": "学习率小时步子太小，200 次更新到不了极小点附近。" } },
            { "id": "noise", "text": { "en": "Noise.", "zh": "噪声。" } } ],
          "about": { "step": "rates" } },
        { "id": "sorted", "kind": "question", "form": "order", "title": { "en": "Sort", "zh": "排序" },
          "choices": [
            { "id": "a", "text": { "en": "First", "zh": "甲" } },
            { "id": "b", "text": { "en": "Second", "zh": "乙" } } ] },
        { "id": "claim", "kind": "claim", "title": { "en": "Claim", "zh": "论断" }, "about": { "step": "rates" } }
    ] })";

/// Writes it below `folder`; gives the laboratory's own folder.
inline QString writeMadeUpLaboratory(const QString& folder)
{
    const QDir place(folder + QStringLiteral("/made-up"));
    place.mkpath(QStringLiteral("texts"));
    const auto write = [&](const QString& name, const QByteArray& bytes) {
        QFile file(place.filePath(name));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(bytes);
        }
    };
    write(QStringLiteral("laboratory.json"), MadeUpLaboratory);
    write(QStringLiteral("texts/start.en.md"),
        "SGD changes the weights by $w \\leftarrow w - \\eta \\nabla L$, with a rate $\\eta$ and $w_{t+1}$.\n\n"
        "- small: 0.01\n- large: 0.1\n\nText in `code_with_$dollar$` stays.\n");
    write(QStringLiteral("texts/start.zh.md"),
        "SGD 按 $w \\leftarrow w - \\eta \\nabla L$ 更新权重。\n\n- 小：0.01\n- 大：0.1\n");
    for (const char* name : {"guess-way", "guess-accuracy", "guess-order", "guess-curve", "rates", "why", "updates",
             "reason", "sorted", "claim"}) {
        write(QStringLiteral("texts/%1.en.md").arg(QLatin1String(name)), "Think of the size of a step.\n");
        write(QStringLiteral("texts/%1.zh.md").arg(QLatin1String(name)), "想一想每一步有多大。\n");
    }
    return place.path();
}

} // namespace lockstep::tests
