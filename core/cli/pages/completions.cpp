#include "cli/pages/completions.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace lockstep::cli {

namespace {

enum class Values { None, Anything, Words, Files, Folders, Settings };

/// What follows an option, by the value in its help.
Values valuesOf(std::string_view value)
{
    const auto isWord = [](unsigned char each) { return std::islower(each) != 0 || each == '|'; };
    return value.empty()                                                      ? Values::None
        : value.starts_with("KEY=")                                           ? Values::Settings
        : value.find("FILE") != value.npos                                    ? Values::Files
        : value == "DIR" || value == "CHECKPOINT"                             ? Values::Folders
        : value.find('|') != value.npos && std::ranges::all_of(value, isWord) ? Values::Words
                                                                              : Values::Anything;
}

std::string wordsOf(std::string value)
{
    std::ranges::replace(value, '|', ' ');
    return value;
}

std::string parameterNames()
{
    std::string names;
    for (const experiment::Parameter& row : experiment::parameters()) {
        names += (names.empty() ? "" : " ") + std::string(row.name);
    }
    return names;
}

/// The presets where the verb takes one, else none.
std::string presetsOf(const VerbUsage& verb)
{
    std::string names;
    if (verb.verb == "queue add" || verb.verb == "bench" || verb.text.find("PRESET") != std::string::npos) {
        for (const std::string_view name : experiment::presetNames()) {
            names += (names.empty() ? "" : " ") + std::string(name);
        }
    }
    return verb.verb == "bench" ? "collectives" : names;
}

bool isAction(const VerbUsage& verb)
{
    return verb.verb.find(' ') != std::string::npos;
}

std::vector<const VerbUsage*> actionsOf(const CompletedProgram& program, const std::string& verb)
{
    std::vector<const VerbUsage*> actions;
    for (const VerbUsage& each : program.usages) {
        if (each.verb.starts_with(verb + " ")) {
            actions.push_back(&each);
        }
    }
    return actions;
}

std::string actionName(const VerbUsage& action)
{
    return action.verb.substr(action.verb.find(' ') + 1);
}

/// The words that may follow a verb: its actions, or presets.
std::string followers(const CompletedProgram& program, const VerbUsage& verb)
{
    std::string names;
    for (const VerbUsage& each : program.usages) {
        if (verb.verb.empty() && !each.verb.empty() && !isAction(each)) {
            names += (names.empty() ? "" : " ") + each.verb;
        }
    }
    if (verb.verb.empty()) {
        return names;
    }
    for (const VerbUsage* action : actionsOf(program, verb.verb)) {
        names += (names.empty() ? "" : " ") + actionName(*action);
    }
    return names.empty() ? presetsOf(verb) : names;
}

std::string optionNames(const VerbUsage& verb, Values kind)
{
    std::string names;
    for (const OptionUsage& option : verb.options) {
        if (kind == Values::None || valuesOf(option.value) == kind) {
            names += (names.empty() ? "" : " ") + option.name;
        }
    }
    return names;
}

/// `--format=torch|safetensors`: a word each.
std::string wordOptions(const VerbUsage& verb)
{
    std::string made;
    for (const OptionUsage& option : verb.options) {
        if (valuesOf(option.value) == Values::Words) {
            made += " " + option.name + "=" + option.value;
        }
    }
    return made;
}

std::string bashCase(const CompletedProgram& program, const VerbUsage& verb)
{
    return "    '" + verb.verb + "')\n        options='" + optionNames(verb, Values::None) + "'\n        words='"
        + followers(program, verb) + "'\n        files='" + optionNames(verb, Values::Files) + "'\n        folders='"
        + optionNames(verb, Values::Folders) + "'\n        settings='" + optionNames(verb, Values::Settings)
        + "'\n        anything='" + optionNames(verb, Values::Anything) + "'\n        choices='" + wordOptions(verb)
        + "'\n        ;;\n";
}

// The variables are those of bashCase(), and @ is the program's name in those of functions. Bash splits words at `=`,
// which options with a value in the same word would need.
constexpr std::string_view BashFunctions = R"(
_@_offer() {
    local current=$1 previous=$2 choice
    for choice in $choices; do
        if [ "${choice%%=*}" = "$previous" ]; then
            choice=${choice#*=}
            mapfile -t COMPREPLY < <(compgen -W "${choice//|/ }" -- "$current")
            return
        fi
    done
    case " $settings " in *" $previous "*)
        mapfile -t COMPREPLY < <(compgen -S = -W "$_@_parameters" -- "$current")
        compopt -o nospace
        return
        ;;
    esac
    case " $anything " in *" $previous "*) return ;; esac
    compopt -o filenames
    case " $folders " in *" $previous "*)
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        return
    fi
    case " $files " in *" $previous "*) words= ;; esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; compgen -f -- "$current")
}

_@() {
    local options='' words='' files='' folders='' settings='' anything='' choices='' verb='' place
    for ((place = 1; place < COMP_CWORD; ++place)); do
        case ${COMP_WORDS[place]} in
        --lang) ((++place)) ;;
        -*) ;;
        *)
            if [ -n "$verb" ]; then
                [[ " $_@_with_actions " != *" $verb "* ]] || verb+=" ${COMP_WORDS[place]}"
                break
            fi
            verb=${COMP_WORDS[place]}
            ;;
        esac
    done
    _@_of "$verb"
    _@_offer "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
}
)";

/// The usages with one of the program itself at the front, if it has verbs, and `--lang` everywhere.
std::vector<VerbUsage> completed(const CompletedProgram& program)
{
    const OptionUsage language{"--lang", "en|zh", "the language of texts"};
    std::vector<VerbUsage> usages(program.usages.begin(), program.usages.end());
    if (usages.size() == 1 && usages.front().verb.empty()) {
        return usages;
    }
    for (VerbUsage& usage : usages) {
        if (std::ranges::find(usage.options, language.name, &OptionUsage::name) == usage.options.end()) {
            usage.options.push_back(language);
        }
    }
    usages.insert(usages.begin(),
        {{}, {}, {}, {language, {"--help", {}, "lists the verbs"}, {"--version", {}, "prints the version"}}});
    return usages;
}

/// In single quotes of zsh and fish; zsh's specifications have brackets and colons of their own.
std::string quoted(std::string_view text, std::string_view special)
{
    std::string made;
    for (const char each : text) {
        if (each == '\'') {
            made += "'\\''";
        } else {
            made += (special.find(each) != special.npos ? "\\" : "") + std::string(1, each);
        }
    }
    return made;
}

std::string zshAction(const OptionUsage& option)
{
    switch (valuesOf(option.value)) {
    case Values::None:
        return {};
    case Values::Words:
        return ":value:(" + wordsOf(option.value) + ")";
    case Values::Files:
        return ":file:_files";
    case Values::Folders:
        return ":folder:_files -/";
    case Values::Settings:
        return ":setting:_lockstep_settings";
    case Values::Anything:
        break;
    }
    return ":" + quoted(option.value, ":[]") + ":";
}

std::string zshArguments(const VerbUsage& verb, const std::string& words)
{
    std::string made = "_arguments";
    for (const OptionUsage& option : verb.options) {
        const bool isRepeated = valuesOf(option.value) == Values::Settings;
        made += " \\\n            '" + std::string(isRepeated ? "*" : "") + option.name + "["
            + quoted(option.help, "[]:\\") + "]" + zshAction(option) + "'";
    }
    return made + " \\\n            '*:word:"
        + (words.empty() ? "_files" : "_alternative \"words:word:(" + words + ")\" \"files:file:_files\"") + "'";
}

std::string zshCase(const CompletedProgram& program, const VerbUsage& verb)
{
    const std::vector<const VerbUsage*> actions = actionsOf(program, verb.verb);
    std::string made = "    " + verb.verb + ")\n";
    if (actions.empty()) {
        return made + "        " + zshArguments(verb, followers(program, verb)) + "\n        ;;\n";
    }
    made += "        if ((CURRENT == 2)); then\n            compadd -- " + followers(program, verb)
        + "\n            return\n        fi\n        shift words\n        ((--CURRENT))\n        case $words[1] in\n";
    for (const VerbUsage* action : actions) {
        made += "        " + actionName(*action) + ") " + zshArguments(*action, presetsOf(*action)) + " ;;\n";
    }
    return made + "        esac\n        ;;\n";
}

std::string fishOption(const std::string& condition, const OptionUsage& option, std::string_view program)
{
    std::string made = "complete -c " + std::string(program) + condition
        + (option.name.starts_with("--") ? " -l " + option.name.substr(2) : " -s " + option.name.substr(1));
    switch (valuesOf(option.value)) {
    case Values::None:
        break;
    case Values::Words:
        made += " -x -a '" + wordsOf(option.value) + "'";
        break;
    case Values::Files:
        made += " -r -F";
        break;
    case Values::Folders:
        made += " -x -a '(__fish_complete_directories)'";
        break;
    case Values::Settings:
        made += " -x -a '" + parameterNames() + "'";
        break;
    case Values::Anything:
        made += " -x";
        break;
    }
    return made + (option.help.empty() ? "" : " -d '" + quoted(option.help, "\\") + "'") + "\n";
}

} // namespace

std::string bashCompletion(const CompletedProgram& program)
{
    std::string name = program.name;
    std::ranges::replace(name, '-', '_');
    const std::vector<VerbUsage> usages = completed(program);
    const CompletedProgram whole{program.name, usages};
    std::string withActions;
    std::string cases;
    for (const VerbUsage& verb : usages) {
        cases += bashCase(whole, verb);
        withActions
            += verb.verb.empty() || isAction(verb) || actionsOf(whole, verb.verb).empty() ? "" : " " + verb.verb;
    }
    std::string made = "# bash completion of " + program.name + ", made by `lockstep completion bash`\n"
        + "# shellcheck shell=bash disable=SC2034\n_@_with_actions='" + withActions + "'\n_@_parameters='"
        + parameterNames() + "'\n\n_@_of() {\n    case $1 in\n" + cases + "    esac\n}\n" + std::string(BashFunctions)
        + "complete -F _@ " + program.name + "\n";
    for (std::size_t at = made.find('@'); at != std::string::npos; at = made.find('@', at)) {
        made.replace(at, 1, name);
    }
    return made;
}

std::string zshCompletion(const CompletedProgram& program)
{
    const std::vector<VerbUsage> usages = completed(program);
    const CompletedProgram whole{program.name, usages};
    std::string made = "#compdef " + program.name + "\n# made by `lockstep completion zsh`\n";
    if (usages.size() == 1) {
        return made + zshArguments(usages.front(), {}) + "\n";
    }
    made += "_lockstep_settings() {\n    compadd -S = -- " + parameterNames()
        + "\n}\n\n_lockstep() {\n    local -a verbs\n    verbs=(\n";
    std::string cases;
    for (const VerbUsage& verb : usages) {
        if (!verb.verb.empty() && !isAction(verb)) {
            made += "        '" + verb.verb + ":" + quoted(verb.summary, ":") + "'\n";
            cases += zshCase(whole, verb);
        }
    }
    return made
        + "    )\n    while ((CURRENT > 3)) && [[ $words[2] == --lang ]]; do\n        words=($words[1] $words[4,-1])\n"
          "        ((CURRENT -= 2))\n    done\n    if ((CURRENT == 2)); then\n        _describe verb verbs\n"
          "        _files\n        return\n    fi\n    shift words\n    ((--CURRENT))\n    case $words[1] in\n"
        + cases + "    esac\n}\n\n_lockstep\n";
}

std::string fishCompletion(const CompletedProgram& program)
{
    const std::vector<VerbUsage> usages = completed(program);
    const CompletedProgram whole{program.name, usages};
    std::string made = "# made by `lockstep completion fish`\n";
    for (const VerbUsage& verb : usages) {
        std::string seen;
        if (isAction(verb)) {
            seen = " -n '__fish_seen_subcommand_from " + verb.verb.substr(0, verb.verb.find(' '))
                + "; and __fish_seen_subcommand_from " + actionName(verb) + "'";
        } else if (!verb.verb.empty()) {
            seen = " -n '__fish_seen_subcommand_from " + verb.verb + "'";
            made += "complete -c lockstep -n __fish_use_subcommand -a " + verb.verb + " -d '"
                + quoted(verb.summary, "\\") + "'\n";
        } else if (usages.size() > 1) {
            seen = " -n __fish_use_subcommand";
        }
        if (const std::string names = followers(whole, verb); !names.empty() && !verb.verb.empty()) {
            made += "complete -c lockstep" + seen + " -a '" + names + "'\n";
        }
        for (const OptionUsage& option : verb.options) {
            made += fishOption(seen, option, program.name);
        }
    }
    return made;
}

} // namespace lockstep::cli
