// Marks a text in Qt-free code for translation: `lupdate -tr-function-alias QT_TRANSLATE_NOOP+=LS_TR` extracts it;
// the desktop looks it up with QCoreApplication::translate(context, text). Without Qt it is the text itself.
#pragma once

#define LS_TR(context, text) text
