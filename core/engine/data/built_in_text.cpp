#include "engine/data/built_in_text.h"

// The assembler copies the file: a string or an array of this length would cost the compiler seconds.
__asm__(".pushsection .rodata\n"
        ".global lockstep_text_begin\n"
        ".hidden lockstep_text_begin\n"
        "lockstep_text_begin:\n"
        ".incbin \"" LOCKSTEP_TEXT_FILE "\"\n"
        ".global lockstep_text_end\n"
        ".hidden lockstep_text_end\n"
        "lockstep_text_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern "C" {
__attribute__((visibility("hidden"))) extern const std::uint8_t lockstep_text_begin[];
__attribute__((visibility("hidden"))) extern const std::uint8_t lockstep_text_end[];
}

namespace lockstep::engine {

std::span<const std::uint8_t> builtInText()
{
    return {lockstep_text_begin, lockstep_text_end};
}

} // namespace lockstep::engine
