#include <algorithm>
#include <string>
#include <vector>

#include "tests/tidy/rules.hpp"

namespace spineleaf::tidy {
namespace {

/// Characters of a UTF-8 line: bytes that do not continue a character.
int characters(std::string_view line) {
  return static_cast<int>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_identifier(text[at - 1])) &&
        (end == text.size() || !is_identifier(text[end]))) {
      return true;
    }
  }
  return false;
}

/// The text before a brace, reduced to what tells functions from types and initialisers: without
/// template parameter lists and what stands in parentheses. Outermost pairs of these stay as "()".
std::string head_of(std::string_view text) {
  std::string head;
  int parentheses = 0;
  int angles = 0;
  for (const char c : text) {
    if (parentheses == 0 && c == '<' && (angles > 0 || head.ends_with("template "))) ++angles;
    if (parentheses == 0 && angles > 0) {
      if (c == '>') --angles;
      continue;
    }
    if (c == ')' && parentheses > 0) --parentheses;
    if (parentheses == 0) head += c;
    if (c == '(') ++parentheses;
  }
  const std::size_t alignment = head.find("alignas()");
  if (alignment != std::string::npos) head.erase(alignment, 9);
  return head;
}

enum class Scope { Outer, Function, Other };

/// What a brace opens, judged by the text before it since the last statement's end. `Outer` scopes
/// hold functions: namespaces and types.
Scope classify(std::string_view before) {
  const std::string head = head_of(before);
  if (head.find('=') != std::string::npos && !has_word(head, "operator")) return Scope::Other;
  if (head.find('(') != std::string::npos) return Scope::Function;
  for (const std::string_view word : {"namespace", "extern", "class", "struct", "union"}) {
    if (has_word(head, word)) return Scope::Outer;
  }
  return Scope::Other;
}

/// Walks the braces of a file and measures the bodies of its functions.
class FunctionWalk {
 public:
  FunctionWalk(const SourceFile& file, Findings& out) : file_(file), out_(out) {}

  void run() {
    bool continued = false;
    for (std::size_t i = 0; i < file_.code.size(); ++i) {
      const std::string& line = file_.code[i];
      line_ = static_cast<int>(i) + 1;
      const std::size_t first = line.find_first_not_of(" \t");
      const bool preprocessor = continued || (first != std::string::npos && line[first] == '#');
      continued = preprocessor && line.ends_with('\\');
      if (preprocessor) continue;
      for (const char c : line) step(c);
      step(' ');
    }
  }

 private:
  struct Open {
    Scope scope;
    int line;
    std::string head;
  };

  /// Braces inside a function or an initialiser never open a function.
  bool inside_body() const { return !open_.empty() && open_.back().scope != Scope::Outer; }

  void step(char c) {
    if (!resumable_.empty() && c != ' ') {
      // `Type() : member_{1} {`: the braces so far were an initialiser's, the body is to come.
      if (c == ',' || c == '{') before_ = resumable_;
      resumable_.clear();
    }
    if (!inside_body()) {
      if (c == ')' && parentheses_ > 0) --parentheses_;
      if (c == '(') ++parentheses_;
    }
    if (parentheses_ > 0) {
      before_ += c;  // a default argument's braces open nothing
    } else if (c == '{') {
      open_.push_back({inside_body() ? Scope::Other : classify(before_), line_, before_});
      before_.clear();
    } else if (c == '}' && !open_.empty()) {
      close();
    } else if (c == ';' && !inside_body()) {
      before_.clear();
    } else {
      before_ += c;
    }
  }

  void close() {
    const Open closed = open_.back();
    open_.pop_back();
    before_.clear();
    if (closed.scope != Scope::Function) return;
    resumable_ = closed.head;
    const int length = line_ - closed.line + 1;
    if (length > kFunctionLines) {
      out_.push_back({file_.path, closed.line, "function-length",
                      "body of " + std::to_string(length) + " lines, at most " +
                          std::to_string(kFunctionLines)});
    }
  }

  const SourceFile& file_;
  Findings& out_;
  int line_ = 0;
  int parentheses_ = 0;    ///< open ones, outside bodies
  std::string before_;     ///< text since the last statement's end
  std::string resumable_;  ///< head of the function whose brace has just closed
  std::vector<Open> open_;
};

}  // namespace

void check_size(const SourceFile& file, Findings& out) {
  const int lines = static_cast<int>(file.lines.size());
  if (lines > kFileLines) {
    out.push_back({file.path, 0, "file-length",
                   std::to_string(lines) + " lines, at most " + std::to_string(kFileLines)});
  }
  for (int i = 0; i < lines; ++i) {
    const int width = characters(file.lines[static_cast<std::size_t>(i)]);
    if (width > kColumns) {
      out.push_back({file.path, i + 1, "line-length",
                     std::to_string(width) + " columns, at most " + std::to_string(kColumns)});
    }
  }
}

void check_functions(const SourceFile& file, Findings& out) { FunctionWalk(file, out).run(); }

}  // namespace spineleaf::tidy
