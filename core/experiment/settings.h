// What a run's parameters are set to, as structs. Each row of the parameter table says which member it fills, so that
// a new setting touches its row and its struct. `&StragglerSettings::delayMs` also names the row (parameter.h).
#pragma once

#include "experiment/choices.h"
#include "experiment/value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::experiment {

struct DatasetSettings {
    DataSet name{};
    std::string path{};
    ImageLabels labels{};
    std::int64_t trainSamples{};
    std::int64_t testSamples{};
    std::int64_t seed{};
};

struct NetSettings {
    NetName name{};
    std::int64_t hidden{};
    std::int64_t depth{};
    std::int64_t width{};
    std::int64_t heads{};
    std::int64_t blocks{};
    std::int64_t context{};
    bool isTied{};
};

struct OptimizerSettings {
    OptimizerName name{};
    double lr{};
    double momentum{};
    double beta1{};
    double beta2{};
    double epsilon{};
    double weightDecay{};
    double clip{};
    LrScaling scaleLr{};
    LrSchedule schedule{};
    std::int64_t scheduleEvery{};
    double scheduleFactor{};
    std::int64_t warmup{};
};

struct TrainSettings {
    std::int64_t epochs{};
    std::int64_t batch{};
    BatchOf batchOf{};
    std::int64_t steps{};
    std::int64_t accumulate{};
    std::int64_t seed{};
    WeightType dtype{};
    Precision precision{};
    Recompute recompute{};
    bool isChannelsLast{};
    bool usesGraphs{};
    std::int64_t evaluateEvery{};
    double targetAccuracy{};
    std::int64_t logEvery{};
};

struct MeasureSettings {
    bool isInterleaved{};
    double limitSeconds{};
    MeasureMode mode{};
};

struct RankSettings {
    Strategy strategy{};
    std::int64_t worldSize{};
    std::string device{};
    std::vector<std::int64_t> gpus{};
    std::string program{};
    Watch watch{};
    std::int64_t threads{};
    double memoryMb{};
    bool isBound{};
    MpsMode mps{};
};

struct GridSettings {
    std::int64_t data{};
    std::int64_t pipeline{};
    std::int64_t tensor{};
    bool isZero{};
};

struct PipelineSettings {
    std::int64_t stages{};
    std::int64_t microBatches{};
    PipelineSchedule schedule{};
    std::int64_t virtualStages{};
    PipelineTransport transport{};
    std::vector<std::int64_t> cut{};
};

struct TensorSettings {
    std::int64_t size{};
};

struct ZeroSettings {
    std::int64_t stage{};
    bool prefetches{};
    Offload offload{};
    std::string offloadPath{};
};

struct LocalSettings {
    std::int64_t every{};
    LocalMessage what{};
    double outerLr{};
    double outerMomentum{};
};

struct PartitionSettings {
    PartitionName name{};
    double alpha{};
    std::int64_t shards{};
    std::vector<double> shares{};
    double overlap{};
    UnevenShares uneven{};
    bool setsEpoch{};
};

struct CommSettings {
    Backend backend{};
    bool ncclSharesGpu{};
    double timeoutSeconds{};
    std::string interface { };
    bool isChecked{};
    GradientForm form{};
    std::int64_t bucketKb{};
    std::int64_t firstBucketKb{};
};

struct AggregationSettings {
    Algorithm algorithm{};
    Rule rule{};
    double trim{};
    Aggregated what{};
    std::int64_t every{};
    std::int64_t staleness{};
};

struct VerifySettings {
    bool isOn{};
    std::int64_t steps{};
};

struct StragglerSettings {
    std::vector<std::int64_t> ranks{};
    double delayMs{};
    double factor{};

    /// Whether ranks are slowed down.
    [[nodiscard]] bool isOn() const { return delayMs > 0.0 || factor > 1.0; }
};

struct LinkSettings {
    std::vector<std::int64_t> ranks{};
    double latencyUs{};
    double bandwidthMbps{};

    /// Whether messages are slowed down.
    [[nodiscard]] bool isEmulated() const { return latencyUs > 0.0 || bandwidthMbps > 0.0; }
};

struct FaultSettings {
    std::int64_t rank{};
    std::int64_t skippedCollective{};
    double gradientScale{};
    double batchShare{};
};

struct CheckpointSettings {
    std::int64_t every{};
    std::int64_t keep{};
    std::string path{};
    std::string from{};
};

struct SweepSettings {
    CollectiveName collective{};
    std::int64_t minBytes{};
    std::int64_t maxBytes{};
    std::int64_t factor{};
    std::int64_t calls{};
    std::int64_t warmup{};
    SweepBuffers buffers{};
    SweepType type{};
    SweepReduction reduction{};
    std::int64_t root{};
    bool isAsync{};
    std::int64_t groups{};
};

/// The structs, and the member of Settings that each is.
#define LOCKSTEP_SETTINGS(X)                                                                                           \
    X(DatasetSettings, dataset)                                                                                        \
    X(NetSettings, net)                                                                                                \
    X(OptimizerSettings, optimizer)                                                                                    \
    X(TrainSettings, train)                                                                                            \
    X(MeasureSettings, measure)                                                                                        \
    X(RankSettings, rank)                                                                                              \
    X(GridSettings, grid)                                                                                              \
    X(PipelineSettings, pipeline)                                                                                      \
    X(TensorSettings, tensor)                                                                                          \
    X(ZeroSettings, zero)                                                                                              \
    X(LocalSettings, local)                                                                                            \
    X(PartitionSettings, partition)                                                                                    \
    X(CommSettings, comm)                                                                                              \
    X(AggregationSettings, aggregation)                                                                                \
    X(VerifySettings, verify)                                                                                          \
    X(StragglerSettings, straggler)                                                                                    \
    X(LinkSettings, link)                                                                                              \
    X(FaultSettings, fault)                                                                                            \
    X(CheckpointSettings, checkpoint)                                                                                  \
    X(SweepSettings, sweep)

#define LOCKSTEP_PART(Part, name) Part name{};
struct Settings {
    LOCKSTEP_SETTINGS(LOCKSTEP_PART)
};
#undef LOCKSTEP_PART

/// The member of Settings that the struct is.
template <typename Part>
inline constexpr Part Settings::*PartOf = nullptr;
#define LOCKSTEP_PART(Part, name)                                                                                      \
    template <>                                                                                                        \
    inline constexpr Part Settings::*PartOf<Part> = &Settings::name;
LOCKSTEP_SETTINGS(LOCKSTEP_PART)
#undef LOCKSTEP_PART
#undef LOCKSTEP_SETTINGS

/// A member of one of the structs, whatever its type: `&StragglerSettings::delayMs`.
class Member {
public:
    Member() = default; ///< none: parameters that a script declares
    template <typename Part, typename T>
    Member(T Part::*member)
        : m_offset(offsetOf(member))
        , m_fill(fillWith<T>)
    {
        if constexpr (std::is_enum_v<T>) {
            m_names = ChoiceTable<T>::Names;
        }
    }

    [[nodiscard]] bool operator==(const Member& other) const { return m_offset == other.m_offset; }
    /// False, and the member is left as it is, where the value has another type or is no name of the choice.
    bool fill(Settings& settings, const Value& value) const
    {
        return m_fill != nullptr && m_fill(reinterpret_cast<std::byte*>(&settings) + m_offset, value);
    }
    /// Of a choice, in the order of its enumerators.
    [[nodiscard]] std::span<const std::string_view> names() const { return m_names; }

private:
    template <typename Part, typename T>
    static std::size_t offsetOf(T Part::*member)
    {
        const Settings& all = anySettings();
        return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(all.*PartOf<Part>.*member))
            - reinterpret_cast<const std::byte*>(&all));
    }
    static const Settings& anySettings()
    {
        static const Settings Any;
        return Any;
    }

    template <typename T>
    static bool fillWith(std::byte* place, const Value& value)
    {
        T& member = *reinterpret_cast<T*>(place);
        if constexpr (std::is_enum_v<T>) {
            const auto* name = std::get_if<std::string>(&value);
            const auto& names = ChoiceTable<T>::Names;
            const auto found = name == nullptr ? names.end() : std::find(names.begin(), names.end(), *name);
            member = found == names.end() ? member : static_cast<T>(found - names.begin());
            return found != names.end();
        } else {
            const T* given = std::get_if<T>(&value);
            member = given == nullptr ? member : *given;
            return given != nullptr;
        }
    }

    std::size_t m_offset = static_cast<std::size_t>(-1);
    bool (*m_fill)(std::byte*, const Value&) = nullptr;
    std::span<const std::string_view> m_names{};
};

/// The name of the row that fills it: `straggler.delay_ms`.
[[nodiscard]] const std::string& nameOf(const Member& member);

/// The settings of a run: by name, as a spec has them, and parsed once into structs (`settings->straggler.delayMs`).
/// What is not set has its default there.
class RunSettings {
public:
    RunSettings();
    RunSettings(Assignment values);
    RunSettings(std::initializer_list<Assignment::value_type> values);

    [[nodiscard]] const Settings& operator*() const { return m_typed; }
    [[nodiscard]] const Settings* operator->() const { return &m_typed; }
    [[nodiscard]] operator const Assignment&() const { return m_values; }
    [[nodiscard]] bool operator==(const RunSettings& other) const { return m_values == other.m_values; }

    [[nodiscard]] const Value& at(const std::string& name) const { return m_values.at(name); }
    [[nodiscard]] bool contains(const std::string& name) const { return m_values.contains(name); }
    [[nodiscard]] auto find(const std::string& name) const { return m_values.find(name); }
    [[nodiscard]] auto begin() const { return m_values.begin(); }
    [[nodiscard]] auto end() const { return m_values.end(); }
    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    [[nodiscard]] bool empty() const { return m_values.empty(); }

    void set(const std::string& name, Value value);
    template <typename Part, typename T>
    void set(T Part::*member, std::type_identity_t<T> value)
    {
        if constexpr (std::is_enum_v<T>) {
            set(nameOf(Member(member)), std::string(nameOf(value)));
        } else {
            set(nameOf(Member(member)), Value(std::move(value)));
        }
    }

    /// What `settings[name]` is: assigning to it sets it.
    class Slot {
    public:
        Slot(RunSettings& settings, const std::string& name)
            : m_settings(settings)
            , m_name(name)
        { }
        const Value& operator=(Value value)
        {
            m_settings.set(m_name, std::move(value));
            return m_settings.at(m_name);
        }

    private:
        RunSettings& m_settings;
        std::string m_name;
    };
    [[nodiscard]] Slot operator[](const std::string& name) { return {*this, name}; }

private:
    Assignment m_values;
    Settings m_typed;
};

} // namespace lockstep::experiment
