#include "datasets/csv.h"

#include "base/translate.h"
#include "datasets/data_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace lockstep::datasets {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t CsvPiece = std::size_t{1} << 20U;
constexpr std::int64_t MostCsvSide = 256;
constexpr std::size_t LongestLine = 1U << 20U; ///< bytes: every pixel of the largest image with its comma
constexpr std::int64_t TestShare = 6; ///< one in this many samples, if no file has test images
constexpr int MostByte = 255;

/// Reads line by line; refuses a line longer than any data set has.
class CsvLines {
public:
    explicit CsvLines(DataFile file)
        : m_file(std::move(file))
    { }

    /// Nothing at the end of the file. Skips empty lines.
    [[nodiscard]] Result<std::optional<std::string_view>> next();
    [[nodiscard]] std::int64_t number() const { return m_number; }
    [[nodiscard]] const std::string& path() const { return m_file.path(); }

private:
    DataFile m_file;
    std::vector<std::uint8_t> m_bytes = std::vector<std::uint8_t>(CsvPiece + LongestLine);
    std::size_t m_begin = 0; ///< of the next line
    std::size_t m_end = 0;
    bool m_isAtEnd = false;
    std::int64_t m_number = 0;
};

Result<std::optional<std::string_view>> CsvLines::next()
{
    while (true) {
        const auto* begin = m_bytes.data() + m_begin;
        const auto* end = static_cast<const std::uint8_t*>(std::memchr(begin, '\n', m_end - m_begin));
        if (end == nullptr && !m_isAtEnd) {
            if (m_end - m_begin > LongestLine) {
                return wrongFile(
                    path(), LS_TR("Refusals", "%1: line %2 is longer than %3 bytes"), {m_number + 1, LongestLine});
            }
            std::memmove(m_bytes.data(), begin, m_end - m_begin);
            m_end -= std::exchange(m_begin, 0);
            LOCKSTEP_TRY_ASSIGN(const auto got, m_file.read(std::span(m_bytes).subspan(m_end, m_bytes.size() - m_end)));
            m_isAtEnd = m_end + got < m_bytes.size();
            m_end += got;
            continue;
        }
        if (end == nullptr && m_begin == m_end) {
            return std::optional<std::string_view>();
        }
        const auto length = end == nullptr ? m_end - m_begin : static_cast<std::size_t>(end - begin);
        m_begin += length + (end == nullptr ? 0 : 1);
        ++m_number;
        std::string_view line(reinterpret_cast<const char*>(begin), length);
        line = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
        if (!line.empty()) {
            return std::optional(line);
        }
    }
}

bool startsWithDigit(std::string_view line)
{
    return !line.empty() && line.front() >= '0' && line.front() <= '9';
}

std::int64_t columnsOf(std::string_view line)
{
    return 1 + std::count(line.begin(), line.end(), ',');
}

/// The side of square images with this many pixels; 0 if the number is not a square.
std::int64_t sideOf(std::int64_t pixels)
{
    const auto side = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(pixels))));
    return side * side == pixels && side >= 1 && side <= MostCsvSide ? side : 0;
}

/// Takes a whole number from 0 to 255 from the front of the line; -1 where there is none.
int takeByte(std::string_view& line)
{
    int number = 0;
    std::size_t at = 0;
    while (at < line.size() && line[at] >= '0' && line[at] <= '9' && number <= MostByte) {
        number = number * 10 + (line[at++] - '0');
    }
    const bool isWhole = at > 0 && number <= MostByte && (at == line.size() || line[at] == ',');
    line.remove_prefix(std::min(line.size(), at + 1));
    return isWhole ? number : -1;
}

class CsvReader {
public:
    /// `withPixels`: false only checks them.
    [[nodiscard]] static Result<LabelledBytes> read(const std::string& path, bool withPixels);

private:
    [[nodiscard]] Result<void> begin(std::string_view line);
    [[nodiscard]] Result<void> add(std::string_view line);
    [[nodiscard]] Error wrongValue(std::string_view line, std::int64_t column) const;

    CsvReader(DataFile file, bool withPixels)
        : m_lines(std::move(file))
        , m_withPixels(withPixels)
    { }

    CsvLines m_lines;
    bool m_withPixels;
    LabelledBytes m_data;
};

Result<void> CsvReader::begin(std::string_view line)
{
    const std::int64_t pixels = columnsOf(line) - 1;
    const std::int64_t side = sideOf(pixels);
    if (side == 0) {
        return wrongFile(m_lines.path(),
            LS_TR("Refusals",
                "%1 has %2 columns; needed are a label and the pixels of a square image of at most 256 x 256 (785 "
                "columns for 28 x 28)"),
            {pixels + 1});
    }
    m_data.rows = side;
    m_data.columns = side;
    return {};
}

Error CsvReader::wrongValue(std::string_view line, std::int64_t column) const
{
    for (std::int64_t skipped = 0; skipped < column; ++skipped) {
        line.remove_prefix(std::min(line.size(), line.find(',') + 1));
    }
    constexpr std::size_t Shown = 20;
    return wrongFile(m_lines.path(),
        LS_TR("Refusals", "%1: line %2, column %3: \"%4\" is not a whole number from 0 to 255"),
        {m_lines.number(), column + 1, verbatim(line.substr(0, std::min(line.find(','), Shown)))});
}

Result<void> CsvReader::add(std::string_view line)
{
    const std::int64_t columns = 1 + m_data.imageBytes();
    if (columnsOf(line) != columns) {
        return wrongFile(m_lines.path(), LS_TR("Refusals", "%1: line %2 has %3 values, the first one has %4"),
            {m_lines.number(), columnsOf(line), columns});
    }
    std::string_view rest = line;
    for (std::int64_t column = 0; column < columns; ++column) {
        const int byte = takeByte(rest);
        if (byte < 0) {
            return wrongValue(line, column);
        }
        if (column == 0) {
            m_data.labels.push_back(static_cast<std::uint8_t>(byte));
        } else if (m_withPixels) {
            m_data.pixels.push_back(static_cast<std::uint8_t>(byte));
        }
    }
    ++m_data.count;
    return m_data.count * m_data.imageBytes() <= MostDataBytes
        ? Result<void>()
        : Result<void>(wrongFile(m_lines.path(), LS_TR("Refusals", "%1 has more images than fit in 16 GiB")));
}

Result<LabelledBytes> CsvReader::read(const std::string& path, bool withPixels)
{
    LOCKSTEP_TRY_ASSIGN(DataFile file, DataFile::open(path));
    CsvReader reader(std::move(file), withPixels);
    LOCKSTEP_TRY_ASSIGN(auto line, reader.m_lines.next());
    if (line) {
        LOCKSTEP_TRY(reader.begin(*line));
    }
    if (line && !startsWithDigit(*line)) {
        LOCKSTEP_TRY_ASSIGN(line, reader.m_lines.next());
    }
    while (line) {
        LOCKSTEP_TRY(reader.add(*line));
        LOCKSTEP_TRY_ASSIGN(line, reader.m_lines.next());
    }
    if (reader.m_data.count == 0) {
        return wrongFile(path, LS_TR("Refusals", "%1 has no images"));
    }
    return std::move(reader.m_data);
}

bool isCsv(const std::string& name)
{
    return name.ends_with(".csv") || name.ends_with(".csv.gz");
}

Result<std::string> labelledFile(const std::string& path)
{
    if (!isFolder(path)) {
        return isFile(path)
            ? Result<std::string>(path)
            : refusal(nameOf(&experiment::DatasetSettings::path),
                LS_TR("Refusals", "the file \"%1\" does not exist; choose a CSV file"), {verbatim(path)});
    }
    std::vector<std::string> all;
    std::vector<std::string> training;
    for (const std::string& name : namesIn(path)) {
        if (isCsv(name)) {
            all.push_back(name);
            if (name.find("train") != std::string::npos) {
                training.push_back(name);
            }
        }
    }
    const std::vector<std::string>& found = training.empty() ? all : training;
    if (found.size() != 1) {
        return wrongFile(path,
            LS_TR("Refusals", "%1 has %2 CSV files that could be the training images; choose the file"),
            {found.size()});
    }
    return path + "/" + found.front();
}

/// The file's name with `test` for `train`; empty if there is no `train` in it or no such file.
std::string testFileBeside(const std::string& path)
{
    const fs::path whole(path);
    std::string name = whole.filename().string();
    const auto at = name.rfind("train");
    if (at == std::string::npos) {
        return {};
    }
    const std::string test = (whole.parent_path() / name.replace(at, 5, "test")).string();
    return isFile(test) ? test : std::string();
}

Result<std::int64_t> columnsIn(const std::string& path)
{
    LOCKSTEP_TRY_ASSIGN(DataFile file, DataFile::open(path));
    CsvLines lines(std::move(file));
    LOCKSTEP_TRY_ASSIGN(const auto line, lines.next());
    return line ? columnsOf(*line) : 0;
}

Result<ImageSet> readFiles(const std::vector<std::string>& files, bool withPixels)
{
    ImageSet set;
    LOCKSTEP_TRY_ASSIGN(set.train, CsvReader::read(files[0], withPixels));
    if (files.size() > 1) {
        LOCKSTEP_TRY_ASSIGN(set.test, CsvReader::read(files[1], withPixels));
        return set;
    }
    set.test = {.count = set.train.count / TestShare, .rows = set.train.rows, .columns = set.train.columns};
    if (set.test.count == 0) {
        return wrongFile(files[0],
            LS_TR("Refusals", "%1 has %2 images; its last sixth is for testing, so at least 6 are needed"),
            {set.train.count});
    }
    set.train.count -= set.test.count;
    const auto move = [](std::vector<std::uint8_t>& from, std::int64_t kept, std::vector<std::uint8_t>& to) {
        to.assign(from.begin() + kept, from.end());
        from.resize(static_cast<std::size_t>(kept));
    };
    move(set.train.labels, set.train.count, set.test.labels);
    if (withPixels) {
        move(set.train.pixels, set.train.count * set.train.imageBytes(), set.test.pixels);
    }
    return set;
}

} // namespace

Result<std::vector<std::string>> csvFiles(const experiment::RunSpec& run)
{
    LOCKSTEP_TRY_ASSIGN(const std::string path, labelledFile(run.settings->dataset.path));
    std::vector<std::string> files{path};
    if (const std::string test = testFileBeside(path); !test.empty()) {
        LOCKSTEP_TRY_ASSIGN(const auto columns, columnsIn(path));
        LOCKSTEP_TRY_ASSIGN(const auto testColumns, columnsIn(test));
        if (testColumns == columns) {
            files.push_back(test);
        } else if (testColumns != columns - 1) { // one less: Kaggle's images without labels
            return wrongFile(
                test, LS_TR("Refusals", "%1 has %2 columns, but %4 has %3"), {testColumns, columns, verbatim(path)});
        }
    }
    return files;
}

Result<experiment::DataFacts> csvFacts(const experiment::RunSpec&, const std::vector<std::string>& files)
{
    LOCKSTEP_TRY_ASSIGN(const auto set, readFiles(files, false));
    const auto highest = [](const LabelledBytes& part) {
        return std::int64_t{*std::max_element(part.labels.begin(), part.labels.end())};
    };
    return experiment::DataFacts{.classes = 1 + std::max(highest(set.train), highest(set.test)),
        .channels = 1,
        .rows = set.train.rows,
        .columns = set.train.columns,
        .trainSamples = set.train.count,
        .testSamples = set.test.count};
}

Result<ImageSet> readCsv(const experiment::RunSpec&, const std::vector<std::string>& files)
{
    return readFiles(files, true);
}

} // namespace lockstep::datasets
