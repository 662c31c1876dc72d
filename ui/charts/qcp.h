// QCustomPlot's header, which needs the keywords that QT_NO_KEYWORDS removes. Private to ui/charts and ui/export.
#pragma once

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#define emit
#include <qcustomplot.h>
#undef emit
#undef foreach
#undef slots
#undef signals
