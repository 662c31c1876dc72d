// Moments of weights that no longer get gradients decay at every step until they are denormal (below 1e-38 in float32),
// which processors handle in microcode, some fifty times slower. Private to engine/optim.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace lockstep::engine {

/// While it lives, this thread treats such numbers as zero. No weight changes: the loss is 30 orders of magnitude below
/// its last digit. Does nothing on processors other than x86.
class FlushDenormals {
public:
#if defined(__SSE2__)
    FlushDenormals()
    {
        _mm_setcsr(m_before | FlushToZero | DenormalsAreZero);
    }
    ~FlushDenormals()
    {
        _mm_setcsr(m_before);
    }
#else
    FlushDenormals() { }
    ~FlushDenormals() { }
#endif
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__SSE2__)
private:
    static constexpr unsigned FlushToZero = 0x8000;
    static constexpr unsigned DenormalsAreZero = 0x0040;
    unsigned m_before = _mm_getcsr();
#endif
};

} // namespace lockstep::engine
