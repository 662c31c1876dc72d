#include "cli/pages/verb_usage.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>
#include <QString>

#include <utility>

namespace lockstep::cli {

namespace {

thread_local UsageCollector* s_active = nullptr;
constexpr qsizetype HelpColumn = 20;

} // namespace

UsageCollector::UsageCollector()
{
    s_active = this;
}

UsageCollector::~UsageCollector()
{
    s_active = nullptr;
}

UsageCollector* UsageCollector::active()
{
    return s_active;
}

void UsageCollector::add(VerbUsage usage)
{
    // A page is the same for every user. Without HOME, as in some builds, it is the root folder.
    if (QDir::homePath() != QDir::rootPath()) {
        usage.text = QString::fromStdString(usage.text).replace(QDir::homePath(), QStringLiteral("~")).toStdString();
    }
    m_usages.push_back(std::move(usage));
}

VerbUsage rankUsage(const std::string& help)
{
    static const QRegularExpression OptionPattern(
        QStringLiteral("(--[a-z-]+)(?: ([A-Z-]{1,}|[a-z]+(?:\\|[a-z]+)+)(?=\\s))?"));
    VerbUsage usage;
    usage.summary = "one rank of a training run";
    usage.text = help;
    QSet<QString> known;
    for (const QString& line : QString::fromStdString(help).split(u'\n')) {
        // The calls and their options are indented; explanations stand far to the right, and sentences at the margin.
        const qsizetype indent = line.indexOf(QRegularExpression(QStringLiteral("\\S")));
        if (indent < 2 || indent >= HelpColumn) {
            continue;
        }
        const qsizetype helpAt = line.indexOf(QRegularExpression(QStringLiteral("\\S {2,}\\S")), 2);
        const QString left = helpAt < 0 ? line + u' ' : line.left(helpAt + 2);
        for (const auto& found : OptionPattern.globalMatch(left)) {
            if (!known.contains(found.captured(1))) {
                known.insert(found.captured(1));
                usage.options.push_back({found.captured(1).toStdString(), found.captured(2).toStdString(), {}});
            }
        }
    }
    return usage;
}

} // namespace lockstep::cli
