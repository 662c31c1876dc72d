// Which files of a folder are the four of an IDX data set.
#include "datasets/data_file.h"
#include "datasets/idx.h"

#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/dataset_folder.h"

#include <array>
#include <filesystem>
#include <map>
#include <optional>

namespace lockstep::datasets {

namespace {

namespace fs = std::filesystem;

struct IdxRole {
    std::array<std::string_view, 2> parts; ///< names of the training or of the test part
    std::array<std::string_view, 2> kinds;
    std::string_view standard; ///< MNIST's name
};

constexpr std::array Roles{
    IdxRole{{"train", "train"}, {"images-idx3-ubyte", "images-idx3-ubyte"}, "train-images-idx3-ubyte"},
    IdxRole{{"train", "train"}, {"labels-idx1-ubyte", "labels-idx2-int"}, "train-labels-idx1-ubyte"},
    IdxRole{{"t10k", "test"}, {"images-idx3-ubyte", "images-idx3-ubyte"}, "t10k-images-idx3-ubyte"},
    IdxRole{{"t10k", "test"}, {"labels-idx1-ubyte", "labels-idx2-int"}, "t10k-labels-idx1-ubyte"}};

struct IdxName {
    std::string prefix; ///< `emnist-letters-`; empty for MNIST's names
    std::size_t role = 0;
};

/// Nothing if it is not the name of such a file.
std::optional<IdxName> idxName(std::string name)
{
    if (name.ends_with(".gz")) {
        name.resize(name.size() - 3);
    }
    if (const auto dot = name.find(".idx"); dot != std::string::npos) {
        name[dot] = '-';
    }
    for (std::size_t role = 0; role < Roles.size(); ++role) {
        for (const std::string_view part : Roles.at(role).parts) {
            for (const std::string_view kind : Roles.at(role).kinds) {
                const std::string end = std::string(part) + "-" + std::string(kind);
                if (name.ends_with(end)) {
                    return IdxName{name.substr(0, name.size() - end.size()), role};
                }
            }
        }
    }
    return std::nullopt;
}

/// The file itself, or the one in a folder with its name.
std::optional<std::string> fileAt(const std::string& path)
{
    if (isFile(path)) {
        return path;
    }
    for (const std::string& name : namesIn(path)) {
        if (idxName(name) && isFile(path + "/" + name)) {
            return path + "/" + name;
        }
    }
    return std::nullopt;
}

using IdxSet = std::array<std::optional<std::string>, Roles.size()>;

/// The sets of a folder by their prefix. A plain file comes before a compressed one, and `-idx` before `.idx`.
std::map<std::string, IdxSet> setsIn(const std::string& folder)
{
    std::map<std::string, IdxSet> sets;
    for (const std::string& entry : namesIn(folder)) {
        const auto name = idxName(entry);
        const auto file = name ? fileAt(folder + "/" + entry) : std::nullopt;
        if (file) {
            auto& place = sets[name->prefix].at(name->role); // sorted: `-` before `.`, plain before .gz
            place = place ? place : file;
        }
    }
    return sets;
}

Error severalSets(const std::string& folder, const std::map<std::string, IdxSet>& sets)
{
    const std::string names = listed(sets, [](const auto& set) { return set.first + "train-..."; });
    return wrongFile(folder,
        LS_TR("Refusals", "%1 has several data sets (%2); choose the file of the training images of one of them"),
        {verbatim(names)});
}

} // namespace

Result<std::vector<std::string>> idxFiles(const std::string& path)
{
    std::string folder = path;
    std::optional<std::string> prefix;
    if (isFile(path)) {
        folder = fs::path(path).parent_path().string();
        const auto name = idxName(fs::path(path).filename().string());
        if (!name) {
            return wrongFile(path,
                LS_TR("Refusals",
                    "%1 is not named like a file of an IDX data set (train-images-idx3-ubyte, with .gz or a prefix); "
                    "choose the folder or the training images"));
        }
        prefix = name->prefix;
        if (idxName(fs::path(folder).filename().string())) { // a folder with the file's name
            folder = fs::path(folder).parent_path().string();
        }
        folder = folder.empty() ? "." : folder;
    } else if (!isFolder(path)) {
        return refusal(nameOf(&experiment::DatasetSettings::path),
            LS_TR("Refusals", "the folder \"%1\" does not exist; choose the folder with the four IDX files"),
            {verbatim(path)});
    }
    const auto sets = setsIn(folder);
    if (!prefix) {
        if (sets.size() > 1 && !sets.contains("")) {
            return severalSets(folder, sets);
        }
        prefix = sets.contains("") || sets.empty() ? "" : sets.begin()->first;
    }
    const auto set = sets.find(*prefix);
    std::vector<std::string> files;
    for (std::size_t role = 0; role < Roles.size(); ++role) {
        if (set == sets.end() || !set->second.at(role)) {
            const std::string name = *prefix + std::string(Roles.at(role).standard);
            return wrongFile(
                folder, LS_TR("Refusals", "%1 has neither %2 nor %3"), {verbatim(name), verbatim(name + ".gz")});
        }
        files.push_back(*set->second.at(role));
    }
    return files;
}

Result<std::vector<std::string>> idxFiles(const experiment::RunSpec& run)
{
    return idxFiles(experiment::imageFolder(run));
}

} // namespace lockstep::datasets
