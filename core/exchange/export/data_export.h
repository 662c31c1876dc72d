// Runs as data for other programs: TensorBoard, Perfetto, JSON, CSV.
#pragma once

#include "base/result.h"
#include "exchange/export/file_set.h"
#include "store/run_store.h"

#include <QStringView>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::exchange {

enum class DataFormat : std::uint8_t {
    TensorBoard, ///< a folder of event files per run
    Perfetto, ///< a tar archive per run
    Json, ///< one file per run: its entry of `run --json`, and every row
    Tables ///< a folder of CSV files per run: every row
};
inline constexpr std::array DataFormats{
    DataFormat::TensorBoard, DataFormat::Perfetto, DataFormat::Json, DataFormat::Tables};

/// `tensorboard`, `perfetto`, `json`, `tables`.
[[nodiscard]] const char* nameOf(DataFormat format);
[[nodiscard]] std::optional<DataFormat> dataFormatFromName(QStringView name);

/// Of one stored run. `lastSteps`: of a trace, how many of the run's last steps it has; 0: all.
[[nodiscard]] Result<std::vector<NewFile>> dataFiles(
    const store::RunStore& store, const RunId& id, DataFormat format, std::int64_t lastSteps = 0);

} // namespace lockstep::exchange
