// `lockstep export`: charts of stored runs as files, without a window.
#pragma once

#include <QStringList>

namespace lockstep::ui {

/// Arguments after `export`: RUN... --chart loss,accuracy,time --format pdf,svg,png,pgfplots,csv --out DIR [--store
/// DIR]
/// [--width MM] [--height MM] [--font PT] [--dpi N] [--panels COLUMNS] [--legend PLACE] [--x-range LOW:HIGH]
/// [--y-range LOW:HIGH] [--no-raw]. RUN is an id, the beginning of one, or `last` (the newest
/// run and those of the same comparison before it). Needs a QGuiApplication (offscreen will do). Gives the exit code.
int exportCommand(const QStringList& arguments);

} // namespace lockstep::ui
