// `lockstep bench collectives`: runs the preset of that name, like nccl-tests.
#include "cli/pages/verb_usage.h"
#include "cli/verbs.h"

#include <algorithm>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr const char* Help
    = "lockstep bench collectives [options]\n\n"
      "Measures a collective size by size, checks its results, and fits the alpha-beta model to its times.\n"
      "The variants are algorithms of all_reduce; another collective has only the backend's own.\n\n"
      "  lockstep bench collectives --set world_size=4\n"
      "  lockstep bench collectives --only ring,tree --set sweep.max_bytes=1048576 --json\n"
      "  lockstep bench collectives --set collective.name=broadcast --set comm.backend=gloo\n\n"
      "The options are those of `lockstep run` (lockstep run --help).\n";

} // namespace

int benchCommand(const QStringList& words, const CommandContext& context)
{
    if (UsageCollector* collector = UsageCollector::active()) {
        const int code = runCommand(words, context);
        collector->last().verb = "bench";
        collector->last().text = Help;
        return code;
    }
    if (words.contains(u"--help"_s)) {
        return printOrFail(Help);
    }
    if (words.isEmpty() || words.front() != u"collectives"_s) {
        const Text given = words.isEmpty() ? Text(LS_TR("Messages", "nothing to measure"))
                                           : verbatim("\"" + words.front().toStdString() + "\"");
        return refuse(failure(LS_TR("Messages", "bench: %1; it measures: collectives"), {given}));
    }
    QStringList run = words;
    const bool hasOther = std::any_of(words.begin(), words.end(),
        [](const QString& word) { return word.contains(u"collective.name="_s) && !word.endsWith(u"=all_reduce"_s); });
    if (hasOther && !words.contains(u"--only"_s)) {
        run += {u"--only"_s, u"all_reduce"_s};
    }
    return runCommand(run, context);
}

} // namespace lockstep::cli
