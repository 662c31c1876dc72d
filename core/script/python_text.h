// Numbers and lists as Python writes them; long lists on several lines. Private to core/script.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::script {

/// 0.1, 5.0, 1e-08: a float in Python.
[[nodiscard]] std::string pythonFloat(double number);
/// [1.0, 2.0]
[[nodiscard]] std::string pythonList(std::span<const double> numbers);
/// 'text', with what would end it escaped.
[[nodiscard]] std::string pythonString(const std::string& text);
/// ["a", "b"]
[[nodiscard]] std::string pythonStrings(std::span<const std::string> texts);
/// The items between commas, on as many lines as they need, each after `indent`.
[[nodiscard]] std::string pythonItems(const std::vector<std::string>& items, std::size_t indent);
/// The words on lines of at most 118 characters, each after `prefix`.
[[nodiscard]] std::string wrapped(const std::string& text, const std::string& prefix = "");
/// The words as a comment.
[[nodiscard]] std::string comment(const std::string& text);

} // namespace lockstep::script
