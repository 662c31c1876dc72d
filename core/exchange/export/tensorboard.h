// A run as TensorBoard event files: scalars, the settings as text and as hparams.
#pragma once

#include "analysis/run_record.h"
#include "exchange/export/file_set.h"
#include "store/account/delta.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <map>
#include <vector>

namespace lockstep::exchange {

/// One folder for the run (loss, accuracy, test loss, metrics of a user's own program, settings) and one below it for
/// each rank (loss, learning rate, bytes, times in ms). TensorBoard keeps values as float32, and shows 1,000 steps of a
/// scalar unless it is started with `--samples_per_plugin scalars=0`.
class TensorboardFiles {
public:
    /// `record` has its curves and outlives this; its Deltas follow.
    explicit TensorboardFiles(const analysis::RunRecord& record);

    void add(const store::Delta& delta);
    /// `FOLDER/events.out.tfevents...`, `FOLDER/rank0/events.out.tfevents...`, ...
    [[nodiscard]] std::vector<NewFile> files(const QString& folder) const;

private:
    [[nodiscard]] QByteArray runEvents() const;
    [[nodiscard]] double wallSeconds(std::int64_t timeNs) const;
    /// Of a point of a curve.
    [[nodiscard]] double wallSeconds(const analysis::Curve& curve, std::size_t point) const;
    [[nodiscard]] QByteArray curveEvents(std::string_view tag, const analysis::Curve& curve) const;
    void addRow(std::int32_t rank, const StepRow& row);

    const analysis::RunRecord& m_record;
    std::int64_t m_firstNs = 0; ///< begin of the first step; 0: not known yet
    double m_startSeconds = 0.0; ///< of the first step, since 1970
    std::map<std::int32_t, QByteArray> m_ranks; ///< the records of each rank's file
    std::map<std::int64_t, std::int64_t> m_ends; ///< of a resumed run: when each step ended
};

} // namespace lockstep::exchange
