#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/tidy/rules.hpp"

namespace spineleaf::tidy {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// The words of a text in lower case: runs of letters, cut where camelCase has a hump.
std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.insert(word);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hump =
        i > 0 && is_upper(text[i]) && is_letter(text[i - 1]) && !is_upper(text[i - 1]);
    if (!is_letter(text[i]) || hump) finish();
    if (is_letter(text[i])) word += lower(text[i]);
  }
  finish();
  return words;
}

/// `piece` in `code`, not cut out of a longer identifier. A piece that ends in '*' is a beginning.
bool has_piece(std::string_view code, std::string_view piece) {
  const bool open_end = piece.ends_with('*');
  if (open_end) piece.remove_suffix(1);
  for (std::size_t at = code.find(piece); at != std::string_view::npos;
       at = code.find(piece, at + 1)) {
    const std::size_t end = at + piece.size();
    const bool begins = at == 0 || !is_identifier(piece.front()) || !is_identifier(code[at - 1]);
    const bool ends =
        open_end || end == code.size() || !is_identifier(piece.back()) || !is_identifier(code[end]);
    if (begins && ends) return true;
  }
  return false;
}

bool in_folder(std::string_view path, std::initializer_list<std::string_view> folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return path.starts_with(folder); });
}

bool applies(BannedWord::Where where, std::string_view path) {
  switch (where) {
    case BannedWord::Where::Everywhere: return true;
    case BannedWord::Where::Product: return !path.starts_with("tests/");
    case BannedWord::Where::Run: return in_folder(path, {"sim/", "models/"});
  }
  return false;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

BannedWord parse_banned_word(const std::string& line) {
  std::stringstream fields(line);
  std::string where, word, reason;
  std::getline(fields, where, '|');
  std::getline(fields, word, '|');
  std::getline(fields, reason);
  where = trimmed(where);
  BannedWord banned{BannedWord::Where::Everywhere, trimmed(word), trimmed(reason)};
  if (where == "product") {
    banned.where = BannedWord::Where::Product;
  } else if (where == "run") {
    banned.where = BannedWord::Where::Run;
  } else if (where != "everywhere") {
    throw std::runtime_error("banned words: unknown place '" + where + "'");
  }
  if (banned.word.empty() || banned.reason.empty()) {
    throw std::runtime_error("banned words: want 'where | word | reason', found '" + line + "'");
  }
  return banned;
}

void check_path(const SourceFile& file, const std::vector<BannedWord>& banned, Findings& out) {
  const std::set<std::string> words = words_of(file.path);
  for (const BannedWord& one : banned) {
    if (one.where == BannedWord::Where::Everywhere && words.count(one.word) > 0) {
      out.push_back({file.path, 0, "banned-word", one.word + " in the file's name: " + one.reason});
    }
  }
}

/// Names declared as `unordered_map<...> name` or `unordered_set<...> name` in a line of code.
void collect_hash_names(std::string_view code, std::set<std::string>& names) {
  for (std::size_t at = code.find("unordered_"); at != std::string_view::npos;
       at = code.find("unordered_", at + 1)) {
    std::size_t i = code.find('<', at);
    if (i == std::string_view::npos) return;
    int depth = 0;
    for (; i < code.size(); ++i) {
      if (code[i] == '<') ++depth;
      if (code[i] == '>' && --depth == 0) break;
    }
    while (i < code.size() && !is_identifier(code[i])) ++i;
    std::string name;
    while (i < code.size() && is_identifier(code[i])) name += code[i++];
    if (!name.empty()) names.insert(name);
  }
}

bool iterates(std::string_view code, const std::string& name) {
  if (has_piece(code, name + ".begin(") || has_piece(code, name + ".cbegin(")) return true;
  const std::size_t loop = code.find("for (");
  const std::size_t colon = code.find(" : ", loop);
  return loop != std::string_view::npos && colon != std::string_view::npos &&
         has_piece(code.substr(colon), name);
}

}  // namespace

std::vector<BannedWord> parse_banned_words(std::string_view text) {
  std::vector<BannedWord> words;
  std::stringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (!line.empty() && line.front() != '#') words.push_back(parse_banned_word(line));
  }
  return words;
}

void check_words(const SourceFile& file, const std::vector<BannedWord>& banned, Findings& out) {
  check_path(file, banned, out);
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::set<std::string> words = words_of(file.lines[i]);
    for (const BannedWord& one : banned) {
      if (!applies(one.where, file.path)) continue;
      const bool anywhere = one.where == BannedWord::Where::Everywhere;
      if (anywhere ? words.count(one.word) > 0 : has_piece(file.code[i], one.word)) {
        out.push_back(
            {file.path, static_cast<int>(i) + 1, "banned-word", one.word + ": " + one.reason});
      }
    }
  }
}

void check_hash_iteration(const std::vector<SourceFile>& files, Findings& out) {
  std::set<std::string> names;
  for (const SourceFile& file : files) {
    if (!applies(BannedWord::Where::Run, file.path)) continue;
    for (const std::string& line : file.code) collect_hash_names(line, names);
  }
  for (const SourceFile& file : files) {
    if (!applies(BannedWord::Where::Run, file.path)) continue;
    for (std::size_t i = 0; i < file.code.size(); ++i) {
      for (const std::string& name : names) {
        if (!iterates(file.code[i], name)) continue;
        out.push_back({file.path, static_cast<int>(i) + 1, "hash-iteration",
                       name + " is unordered: iterate over a sorted copy of its keys"});
      }
    }
  }
}

Findings check_all(const std::vector<SourceFile>& files, const std::vector<BannedWord>& words) {
  Findings out;
  for (const SourceFile& file : files) {
    check_includes(file, out);
    check_size(file, out);
    check_functions(file, out);
    check_words(file, words, out);
  }
  check_hash_iteration(files, out);
  std::sort(out.begin(), out.end());
  return out;
}

std::string Finding::describe() const {
  return path + ":" + std::to_string(line) + ": " + rule + ": " + text;
}

}  // namespace spineleaf::tidy
