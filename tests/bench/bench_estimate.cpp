// bench_estimate [DATA]: runs SGD once, then asks what other runs of the same net will cost, and measures them, all on
// the CPU. Prints the estimate over the truth for each; the truth is from starting the processes to the last step.
// DATA: a folder of MNIST files; without it the built-in digits are taken.
#include "analysis/scaling/estimate.h"
#include "launch/session.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <cstdio>

using namespace lockstep;

namespace {

using Changes = std::vector<experiment::Override>;

experiment::RunSpec variantOf(const std::string& name, const Changes& changes)
{
    const std::vector<std::string> only{name};
    const auto spec = experiment::customise(*experiment::preset("optimizers"), changes, only);
    if (!spec) {
        std::fprintf(stderr, "bench_estimate: %s\n", spec.error().message.c_str());
        std::exit(2);
    }
    return experiment::expand(*spec)->front();
}

analysis::RunRecord measure(launch::Session& session, const experiment::RunSpec& run)
{
    const RunId id = session.start({run}).front();
    QEventLoop loop;
    QObject::connect(&session, &launch::Session::allEnded, &loop, &QEventLoop::quit);
    loop.exec();
    return session.record(id);
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    qputenv("LOCKSTEP_RANK", LOCKSTEP_BINARY_DIR "/bin/lockstep-rank");
    const QTemporaryDir folder;
    launch::SessionOptions options;
    options.storeFolder = folder.path();
    launch::Session session(options);
    Changes data;
    if (argc > 1) {
        data = {{"dataset.name", "mnist"}, {"dataset.path", argv[1]}};
    }
    const auto with = [&data](Changes more) {
        more.insert(more.begin(), data.begin(), data.end());
        return more;
    };
    struct Case {
        const char* what;
        experiment::RunSpec run;
    };
    const std::vector<Case> mlp{{"SGD again", variantOf("SGD", with({}))}, {"Adam", variantOf("Adam", with({}))},
        {"GD", variantOf("GD", with({}))}, {"batch 256", variantOf("SGD", with({{"train.batch", "256"}}))},
        {"20 epochs", variantOf("SGD", with({{"train.epochs", "20"}}))},
        {"512 hidden", variantOf("SGD", with({{"net.hidden", "512"}}))}};
    const Changes cnn{{"net.name", "cnn"}, {"train.epochs", "1"}};
    const Changes longer{{"net.name", "cnn"}, {"train.epochs", "2"}};
    const std::vector<Case> convolutions{
        {"CNN, Adam", variantOf("Adam", with(cnn))}, {"CNN, 2 epochs", variantOf("SGD", with(longer))}};

    bool holds = true;
    const auto judge = [&](const experiment::RunSpec& first, const std::vector<Case>& cases) {
        const std::vector<analysis::RunRecord> history{measure(session, first)};
        for (const Case& one : cases) {
            const double estimated
                = analysis::estimate(launch::withAbsolutePaths(one.run), history, analysis::Processor::Cpu).seconds;
            const analysis::Summary truth = measure(session, one.run).summary;
            const double seconds = truth.startSeconds + truth.trainSeconds;
            const double ratio = estimated / seconds;
            std::printf("{\"run\":\"%s\",\"estimated_s\":%.2f,\"measured_s\":%.2f,\"ratio\":%.2f}\n", one.what,
                estimated, seconds, ratio);
            std::fflush(stdout);
            holds = holds && ratio > 0.5 && ratio < 2.0;
        }
    };
    judge(variantOf("SGD", with({})), mlp);
    judge(variantOf("SGD", with(cnn)), convolutions);
    return holds ? 0 : 1;
}
