// Variables of the environment that keep a library below what the processor can do.
#include "engine/compat/blas.h"
#include "engine/kernels/instruction_set.h"
#include "program/test_class.h"

#include <QTest>

#include <array>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

constexpr std::array Variables{"OPENBLAS_CORETYPE", "DNNL_MAX_CPU_ISA", "ONEDNN_MAX_CPU_ISA", "MKL_ENABLE_INSTRUCTIONS",
    "MKL_CBWR", "ATEN_CPU_CAPABILITY"};

QStringList held()
{
    QStringList names;
    for (const HeldLibrary& each : heldLibraries()) {
        names << QString::fromStdString(each.variable + "=" + each.value);
    }
    return names;
}

} // namespace

class TestHeldLibraries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (processorSet() == InstructionSet::Plain) {
            QSKIP("this processor has no vector instructions that a variable could forbid");
        }
        for (const char* variable : Variables) {
            qunsetenv(variable);
        }
    }

    void nothingHoldsThemByDefault()
    {
        QCOMPARE(held(), QStringList());
        useKernelsOfThisProcessor(); // may set a variable itself
        QCOMPARE(held(), QStringList());
    }

    void limitsAreNamed()
    {
        qputenv("DNNL_MAX_CPU_ISA", "SSE41");
        qputenv("ATEN_CPU_CAPABILITY", "default");
        QCOMPARE(held(), (QStringList{"DNNL_MAX_CPU_ISA=SSE41", "ATEN_CPU_CAPABILITY=default"}));
        qputenv("DNNL_MAX_CPU_ISA", "AVX2");
        qputenv("ATEN_CPU_CAPABILITY", "avx2");
        QCOMPARE(held().size(), processorSet() == InstructionSet::Avx512 ? 2 : 0);
    }

    void otherValuesAreNoLimits()
    {
        qputenv("DNNL_MAX_CPU_ISA", "DEFAULT");
        qputenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE");
        qputenv("MKL_CBWR", "AUTO,STRICT");
        qputenv("ATEN_CPU_CAPABILITY", "avx512");
        QCOMPARE(held(), QStringList());
    }
};

LOCKSTEP_TEST(TestHeldLibraries)
#include "test_held_libraries.moc"
