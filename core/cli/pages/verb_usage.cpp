#include "cli/pages/verb_usage.h"

#include <QRegularExpression>
#include <QSet>
#include <QString>

namespace lockstep::cli {

namespace {

thread_local UsageCollector* s_active = nullptr;

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

VerbUsage rankUsage(const std::string& help)
{
    static const QRegularExpression OptionPattern(
        QStringLiteral("(--[a-z-]+)(?: ([A-Z-]{1,}|[a-z]+(?:\\|[a-z]+)+)(?=\\s))?"));
    VerbUsage usage;
    usage.summary = "one rank of a training run";
    usage.text = help;
    QSet<QString> known;
    for (const QString& line : QString::fromStdString(help).split(u'\n')) {
        // The synopsis is indented; the sentences below it only mention options.
        if (!line.startsWith(QStringLiteral("  "))) {
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
