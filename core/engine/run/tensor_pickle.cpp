#include "engine/run/tensor_pickle.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>

namespace lockstep::engine {

namespace {

constexpr std::size_t MostDimensions = 64;
constexpr std::size_t MostName = 64; ///< letters of a type or a record: each tensor has its own copy
constexpr int MostNested = 8; ///< tuples in tuples; _rebuild_tensor_v2 needs two

/// By their names in pickletools.py.
enum class Instruction : std::uint8_t {
    Proto = 0x80,
    Stop = '.',
    Mark = '(',
    EmptyDict = '}',
    SetItem = 's',
    SetItems = 'u',
    EmptyTuple = ')',
    Tuple = 't',
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    BinUnicode = 'X',
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    Long1 = 0x8a,
    NewTrue = 0x88,
    NewFalse = 0x89,
    BinPut = 'q',
    LongBinPut = 'r',
    BinGet = 'h',
    LongBinGet = 'j',
    Global = 'c',
    Reduce = 'R',
    BinPersId = 'Q',
};

struct MarkValue { };
struct Function { ///< or a type
    std::string_view name; ///< "torch._utils\n_rebuild_tensor_v2"
};
struct Dictionary {
    std::size_t index; ///< into PickleReader::m_dictionaries
};
struct Storage {
    std::string_view type;
    std::string_view record;
    std::int64_t elements;
};
struct TupleValue;
// Shared: an instruction of two bytes copies a value.
using Tuple = std::shared_ptr<const TupleValue>;
using Tensor = std::shared_ptr<const PickledTensor>;
using Value
    = std::variant<MarkValue, bool, std::int64_t, std::string_view, Function, Dictionary, Storage, Tuple, Tensor>;
struct TupleValue {
    std::vector<Value> items;
    int nested = 1;
};

Error cutOff()
{
    return Error{"its pickle is cut off"};
}

Error notTensors()
{
    return Error{"its pickle does not build a dictionary of tensors"};
}

template <typename T>
Result<T> as(const Value& value)
{
    const T* const held = std::get_if<T>(&value);
    return held != nullptr ? Result<T>(*held) : Result<T>(notTensors());
}

Result<std::vector<std::int64_t>> integersOf(const Value& value)
{
    LOCKSTEP_TRY_ASSIGN(const Tuple tuple, as<Tuple>(value));
    if (tuple->items.size() > MostDimensions) {
        return notTensors();
    }
    std::vector<std::int64_t> integers;
    for (const Value& item : tuple->items) {
        LOCKSTEP_TRY_ASSIGN(const std::int64_t integer, as<std::int64_t>(item));
        integers.push_back(integer);
    }
    return integers;
}

/// ("storage", type, record, device, elements)
Result<Storage> storageOf(const TupleValue& id)
{
    if (id.items.size() != 5) {
        return notTensors();
    }
    LOCKSTEP_TRY_ASSIGN(const auto kind, as<std::string_view>(id.items[0]));
    LOCKSTEP_TRY_ASSIGN(const auto type, as<Function>(id.items[1]));
    LOCKSTEP_TRY_ASSIGN(const auto record, as<std::string_view>(id.items[2]));
    LOCKSTEP_TRY_ASSIGN(const auto elements, as<std::int64_t>(id.items[4]));
    constexpr std::string_view Module = "torch\n";
    if (kind != "storage" || !type.name.starts_with(Module) || type.name.size() > MostName
        || record.size() > MostName) {
        return notTensors();
    }
    return Storage{type.name.substr(Module.size()), record, elements};
}

/// (storage, offset, sizes, strides, whether it takes a gradient, hooks), in newer versions with more behind
Result<Tensor> tensorOf(const TupleValue& arguments)
{
    if (arguments.items.size() < 6) {
        return notTensors();
    }
    LOCKSTEP_TRY_ASSIGN(const auto storage, as<Storage>(arguments.items[0]));
    LOCKSTEP_TRY_ASSIGN(const auto offset, as<std::int64_t>(arguments.items[1]));
    LOCKSTEP_TRY_ASSIGN(auto sizes, integersOf(arguments.items[2]));
    LOCKSTEP_TRY_ASSIGN(auto strides, integersOf(arguments.items[3]));
    if (sizes.size() != strides.size()) {
        return notTensors();
    }
    return std::make_shared<const PickledTensor>(PickledTensor{std::string(storage.type), std::string(storage.record),
        storage.elements, offset, std::move(sizes), std::move(strides)});
}

/// A stack machine, as pickle.py is one. Strings are parts of the program, which outlives it.
class PickleReader {
public:
    explicit PickleReader(std::span<const char> program)
        : m_rest(program.data(), program.size())
    { }

    Result<std::map<std::string, PickledTensor>> read()
    {
        for (;;) {
            LOCKSTEP_TRY_ASSIGN(const auto byte, number<std::uint8_t>());
            if (static_cast<Instruction>(byte) == Instruction::Stop) {
                break;
            }
            LOCKSTEP_TRY(carryOut(static_cast<Instruction>(byte)));
        }
        LOCKSTEP_TRY_ASSIGN(const auto dictionary, popped<Dictionary>());
        std::map<std::string, PickledTensor> tensors;
        for (const auto& [name, tensor] : m_dictionaries[dictionary.index]) {
            tensors.emplace(name, *tensor);
        }
        return tensors;
    }

private:
    Result<void> carryOut(Instruction instruction)
    {
        switch (instruction) {
        case Instruction::Proto:
            return checkProtocol();
        case Instruction::BinPut:
            return put(shortNumber());
        case Instruction::LongBinPut:
            return put(number<std::uint32_t>());
        case Instruction::BinGet:
            return get(shortNumber());
        case Instruction::LongBinGet:
            return get(number<std::uint32_t>());
        case Instruction::EmptyTuple:
            return pushTuple(0);
        case Instruction::Tuple1:
            return pushTuple(1);
        case Instruction::Tuple2:
            return pushTuple(2);
        case Instruction::Tuple3:
            return pushTuple(3);
        case Instruction::Tuple:
            return pushMarkedTuple();
        case Instruction::EmptyDict:
            return pushDictionary();
        case Instruction::SetItem:
            return setItems(2);
        case Instruction::SetItems:
            return setMarkedItems();
        case Instruction::Reduce:
            return reduce();
        case Instruction::BinPersId:
            return pushStorage();
        default:
            return pushConstant(instruction);
        }
    }

    Result<void> pushConstant(Instruction instruction)
    {
        switch (instruction) {
        case Instruction::Mark:
            return push(Value{MarkValue{}});
        case Instruction::NewTrue:
        case Instruction::NewFalse:
            return push(Value{instruction == Instruction::NewTrue});
        case Instruction::BinInt1:
            return pushInteger(number<std::uint8_t>());
        case Instruction::BinInt2:
            return pushInteger(number<std::uint16_t>());
        case Instruction::BinInt:
            return pushInteger(number<std::int32_t>());
        case Instruction::Long1:
            return pushLong();
        case Instruction::BinUnicode: {
            LOCKSTEP_TRY_ASSIGN(const auto size, number<std::uint32_t>());
            LOCKSTEP_TRY_ASSIGN(const auto text, bytes(size));
            return push(Value{text});
        }
        case Instruction::Global: {
            const std::size_t module = m_rest.find('\n');
            const std::size_t end = module == std::string_view::npos ? module : m_rest.find('\n', module + 1);
            if (end == std::string_view::npos) {
                return cutOff();
            }
            const Function function{m_rest.substr(0, end)};
            m_rest.remove_prefix(end + 1);
            return push(Value{function});
        }
        default:
            return Error{"its pickle has the instruction " + std::to_string(static_cast<int>(instruction))
                + ", which a dictionary of tensors does not need"};
        }
    }

    Result<std::string_view> bytes(std::size_t count)
    {
        if (count > m_rest.size()) {
            return cutOff();
        }
        const std::string_view taken = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return taken;
    }

    /// Little endian, as everything in a pickle.
    template <typename T>
    Result<T> number()
    {
        LOCKSTEP_TRY_ASSIGN(const auto taken, bytes(sizeof(T)));
        std::make_unsigned_t<T> value = 0;
        for (std::size_t i = sizeof(T); i-- > 0;) {
            value = static_cast<std::make_unsigned_t<T>>(
                std::uint64_t{value} << 8U | static_cast<std::uint8_t>(taken[i]));
        }
        return static_cast<T>(value);
    }

    Result<std::uint32_t> shortNumber()
    {
        LOCKSTEP_TRY_ASSIGN(const auto value, number<std::uint8_t>());
        return std::uint32_t{value};
    }

    Result<void> checkProtocol()
    {
        LOCKSTEP_TRY_ASSIGN(const auto version, number<std::uint8_t>());
        return version == 2 ? Result<void>() : Result<void>(notTensors());
    }

    Result<void> push(Value value)
    {
        m_stack.push_back(std::move(value));
        return {};
    }

    template <typename T>
    Result<void> pushInteger(const Result<T>& integer)
    {
        return integer ? push(Value{std::int64_t{*integer}}) : Result<void>(integer.error());
    }

    /// LibTorch writes eight bytes, Python as few as it can.
    Result<void> pushLong()
    {
        LOCKSTEP_TRY_ASSIGN(const auto size, number<std::uint8_t>());
        LOCKSTEP_TRY_ASSIGN(const auto taken, bytes(size));
        if (size > sizeof(std::int64_t)) {
            return notTensors();
        }
        const bool isNegative = !taken.empty() && (static_cast<std::uint8_t>(taken.back()) & 0x80U) != 0;
        std::uint64_t value = isNegative ? ~std::uint64_t{0} : 0;
        for (auto byte = taken.rbegin(); byte != taken.rend(); ++byte) {
            value = value << 8U | static_cast<std::uint8_t>(*byte);
        }
        return push(Value{static_cast<std::int64_t>(value)});
    }

    Result<void> pushTuple(std::size_t count)
    {
        if (count > m_stack.size()) {
            return notTensors();
        }
        const auto first = m_stack.end() - static_cast<std::ptrdiff_t>(count);
        TupleValue tuple{{std::make_move_iterator(first), std::make_move_iterator(m_stack.end())}};
        m_stack.erase(first, m_stack.end());
        for (const Value& item : tuple.items) {
            const Tuple* const inner = std::get_if<Tuple>(&item);
            tuple.nested = std::max(tuple.nested, inner != nullptr ? (*inner)->nested + 1 : 1);
        }
        return tuple.nested > MostNested ? Result<void>(notTensors())
                                         : push(Value{std::make_shared<const TupleValue>(std::move(tuple))});
    }

    Result<void> pushMarkedTuple()
    {
        LOCKSTEP_TRY_ASSIGN(const auto count, countBehindMark());
        LOCKSTEP_TRY(pushTuple(count));
        m_stack.erase(m_stack.end() - 2); // the mark
        return {};
    }

    Result<void> pushDictionary()
    {
        m_dictionaries.emplace_back();
        return push(Value{Dictionary{m_dictionaries.size() - 1}});
    }

    Result<void> pushStorage()
    {
        LOCKSTEP_TRY_ASSIGN(const auto id, popped<Tuple>());
        LOCKSTEP_TRY_ASSIGN(const auto storage, storageOf(*id));
        return push(Value{storage});
    }

    Result<std::size_t> countBehindMark() const
    {
        const auto mark = std::find_if(m_stack.rbegin(), m_stack.rend(),
            [](const Value& value) { return std::holds_alternative<MarkValue>(value); });
        return mark == m_stack.rend() ? Result<std::size_t>(notTensors())
                                      : Result<std::size_t>(static_cast<std::size_t>(mark - m_stack.rbegin()));
    }

    template <typename T>
    Result<T> popped()
    {
        if (m_stack.empty()) {
            return notTensors();
        }
        auto value = as<T>(m_stack.back());
        m_stack.pop_back();
        return value;
    }

    /// The last `count` values are names and tensors; the dictionary lies below them.
    Result<void> setItems(std::size_t count)
    {
        if (count % 2 != 0 || count >= m_stack.size()) {
            return notTensors();
        }
        const std::size_t first = m_stack.size() - count;
        LOCKSTEP_TRY_ASSIGN(const auto dictionary, as<Dictionary>(m_stack[first - 1]));
        for (std::size_t i = first; i < m_stack.size(); i += 2) {
            LOCKSTEP_TRY_ASSIGN(const auto name, as<std::string_view>(m_stack[i]));
            LOCKSTEP_TRY_ASSIGN(const auto tensor, as<Tensor>(m_stack[i + 1]));
            m_dictionaries[dictionary.index].insert_or_assign(name, tensor);
        }
        m_stack.resize(first);
        return {};
    }

    Result<void> setMarkedItems()
    {
        LOCKSTEP_TRY_ASSIGN(const auto count, countBehindMark());
        m_stack.erase(m_stack.end() - static_cast<std::ptrdiff_t>(count) - 1);
        return setItems(count);
    }

    /// Calls a function: of those that a pickle could name, only these three.
    Result<void> reduce()
    {
        LOCKSTEP_TRY_ASSIGN(const auto arguments, popped<Tuple>());
        LOCKSTEP_TRY_ASSIGN(const auto function, popped<Function>());
        if (function.name == "torch._utils\n_rebuild_tensor_v2") {
            LOCKSTEP_TRY_ASSIGN(const auto tensor, tensorOf(*arguments));
            return push(Value{tensor});
        }
        if (function.name == "collections\nOrderedDict" && arguments->items.empty()) {
            return pushDictionary();
        }
        // torch::pickle_save: (dictionary, its type)
        if (function.name == "torch.jit._pickle\nrestore_type_tag" && arguments->items.size() == 2) {
            return push(Value(arguments->items[0]));
        }
        return notTensors();
    }

    Result<void> put(const Result<std::uint32_t>& at)
    {
        if (!at) {
            return at.error();
        }
        if (m_stack.empty()) {
            return notTensors();
        }
        m_memo.insert_or_assign(*at, m_stack.back());
        return {};
    }

    Result<void> get(const Result<std::uint32_t>& at)
    {
        if (!at) {
            return at.error();
        }
        const auto kept = m_memo.find(*at);
        return kept == m_memo.end() ? Result<void>(notTensors()) : push(Value(kept->second));
    }

    std::string_view m_rest; ///< of the program
    std::vector<Value> m_stack;
    std::unordered_map<std::uint32_t, Value> m_memo;
    std::vector<std::map<std::string_view, Tensor>> m_dictionaries;
};

} // namespace

Result<std::map<std::string, PickledTensor>> readTensorPickle(std::span<const char> program)
{
    return PickleReader(program).read();
}

} // namespace lockstep::engine
