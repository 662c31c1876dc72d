// Reference curves: an event file of TensorBoard, and the same bytes as a CSV.
#include "fuzz.h"

#include "exchange/reference/reference_curves.h"

#include <QString>

#include <cmath>

using namespace lockstep;
using namespace lockstep::fuzz;

namespace {

void requireOrder(const Result<exchange::ReferenceCurves>& read)
{
    if (!read) {
        require(!read.error().text().empty(), "an error has a text");
        return;
    }
    for (const exchange::ReferenceCurve& curve : read->curves) {
        require(curve.step.size() == curve.value.size(), "there is a value for each step");
        require(curve.wallSeconds.empty() || curve.wallSeconds.size() == curve.step.size(), "and a time, or none");
        for (std::size_t i = 0; i < curve.step.size(); ++i) {
            require(curve.step[i] >= 0 && (i == 0 || curve.step[i - 1] < curve.step[i]), "steps ascend");
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    writeFile("curves.csv", std::span(data, size));
    const QString path = QString::fromStdString(workFolder() + "/curves.csv");
    requireOrder(exchange::readEventFile(path));
    requireOrder(exchange::readCurveTable(path));
    return 0;
}
