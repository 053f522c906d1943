#include "scenarios/input/json_source.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

namespace spineleaf {

namespace {

using Json = nlohmann::json;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

/// Follows the parser through the text: each event it reports begins at the next token, so a few
/// steps over the text give every token's place. Lines are counted once.
class TokenCursor {
 public:
  TokenCursor(std::string_view text, JsonComments comments)
      : text_(text), comments_(comments == JsonComments::Allowed) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
  }

  std::size_t offset() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  bool knows_comments() const { return comments_; }
  Place place() const { return {static_cast<int>(line_), static_cast<int>(at_ - line_start_ + 1)}; }

  /// Past white space and comments. A comment that is never closed is not skipped.
  void skip_space() {
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) step();
      const std::size_t end = comment_end();
      if (end == at_) return;
      step_to(end);
    }
  }
  void step() {
    if (text_[at_++] == '\n') {
      ++line_;
      line_start_ = at_;
    }
  }
  void step_to(std::size_t offset) {
    while (at_ < offset && at_ < text_.size()) step();
  }
  /// To the first character of the next token, past separators.
  void to_token() {
    for (skip_space(); at_ < text_.size() && (text_[at_] == ',' || text_[at_] == ':');
         skip_space()) {
      step();
    }
  }
  /// Past a string and its quotes; returns what stands between them, as written.
  std::string_view take_string() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::string_view inside = text_.substr(begin, at_ - begin);
    ++at_;
    return inside;
  }
  /// Past a number, true, false or null.
  std::string_view take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && comment_end() == at_ &&
           std::string_view{",:[]{}\""}.find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  /// Where the comment ends that begins here; here, where none does. A line's comment ends as the
  /// parser ends it: with the line, or at a zero byte, which goes with it.
  std::size_t comment_end() const {
    if (!comments_ || at_ + 1 >= text_.size() || text_[at_] != '/') return at_;
    if (text_[at_ + 1] == '/') {
      const std::size_t end = text_.find_first_of(std::string_view{"\n\r\0", 3}, at_ + 2);
      return end == std::string_view::npos ? text_.size() : end + 1;
    }
    if (text_[at_ + 1] != '*') return at_;
    const std::size_t end = text_.find("*/", at_ + 2);
    return end == std::string_view::npos ? at_ : end + 2;
  }

  std::string_view text_;
  bool comments_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
};

namespace {

InputProblem problem_at(const std::string& file, Place place, std::string what,
                        std::string expected = {}, std::string hint = {}) {
  return {Severity::Error, file, place, {}, std::move(what), std::move(expected),
          std::move(hint), false};
}

/// The parser's own words: the part of its message between the position and the last token read.
std::string reason_of(std::string_view message) {
  const std::size_t begin = message.find(" - ");
  if (begin != std::string_view::npos) message.remove_prefix(begin + 3);
  for (const std::string_view tail : {"; last read", "; expected"}) {
    message = message.substr(0, message.find(tail));
  }
  return std::string{message};
}

/// What the parser had done when it gave up.
struct Failure {
  std::size_t offset = 0;  ///< how far it had read
  std::string_view message;
  Place last_place;  ///< of the last number or word
  std::string_view last_word;
  bool complete = false;  ///< a whole value had been read
};

/// Says in words what stands where the grammar wants something else. `cursor` is at the end of the
/// last token that the parser reported.
InputProblem describe(const std::string& file, TokenCursor cursor, const Failure& failure) {
  if (failure.offset <= cursor.offset() && !failure.last_word.empty()) {
    return problem_at(file, failure.last_place, in_quotes(failure.last_word) + " is not JSON");
  }
  cursor.skip_space();
  if (failure.complete) {
    return problem_at(file, cursor.place(), "text follows after the end", {},
                      "Is there a closing bracket too many?");
  }
  Place comma;
  bool separated = false;
  for (; !cursor.rest().empty(); cursor.step(), cursor.skip_space()) {
    const char c = cursor.rest().front();
    if (c != ',' && c != ':') break;
    if (separated) {
      return problem_at(file, cursor.place(), std::string{"a '"} + c + "' too many");
    }
    separated = true;
    if (c == ',') comma = cursor.place();
  }
  if (cursor.rest().empty()) {
    return problem_at(file, cursor.place(), "the text ends too early", {},
                      "Is a closing '}' or ']' missing?");
  }
  const char c = cursor.rest().front();
  if (comma.line > 0 && (c == '}' || c == ']')) {
    return problem_at(file, comma, std::string{"a comma before '"} + c + "'", {},
                      "Remove the comma.");
  }
  if ((c == '/' || c == '#') && !cursor.knows_comments()) {
    return problem_at(file, cursor.place(), "JSON has no comments", {}, "Remove the comment.");
  }
  if (cursor.rest().starts_with("/*")) {
    return problem_at(file, cursor.place(), "the comment is never closed", "*/ at its end");
  }
  if (c == '/' || c == '#') {
    return problem_at(file, cursor.place(), "no comment begins so", "// and the comment");
  }
  if (c == '\'') {
    return problem_at(file, cursor.place(), "single quotes", "double quotes");
  }
  const Place start = cursor.place();
  if (failure.message.find("invalid string") != std::string_view::npos) {
    if (failure.offset > cursor.offset() + 1) cursor.step_to(failure.offset - 1);
    const bool open = failure.message.find("missing closing quote") != std::string_view::npos;
    return problem_at(file, open ? start : cursor.place(), reason_of(failure.message));
  }
  const std::string word{cursor.take_word()};
  if (failure.message.find("number overflow") != std::string_view::npos) {
    return problem_at(file, start, in_quotes(word) + " does not fit a double");
  }
  if (!word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-')) {
    return problem_at(file, start, in_quotes(word) + " is misplaced or not a JSON number",
                      separated ? "a value" : "',' or a closing bracket");
  }
  const std::string found = word.empty() ? std::string{"'"} + c + "'" : in_quotes(word);
  if (!separated && c == '"') {
    return problem_at(file, start, "a value follows another", "',' or ':' between them");
  }
  return problem_at(file, start, found + " does not fit here",
                    "text in double quotes, a number, true, false, '{', '[' or a closing bracket");
}

}  // namespace

/// Receives the parser's events and grows the tree.
class JsonTreeBuilder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  JsonTreeBuilder(JsonSource& source, std::vector<InputProblem>& problems)
      : source_(source), problems_(problems), cursor_(source.text_, source.comments_) {}

  bool null() { return word(JsonNode::Kind::Null); }
  bool boolean(bool) { return word(JsonNode::Kind::Boolean); }
  bool number_integer(number_integer_t) { return word(JsonNode::Kind::Number); }
  bool number_unsigned(number_unsigned_t) { return word(JsonNode::Kind::Number); }
  bool number_float(number_float_t, const string_t&) { return word(JsonNode::Kind::Number); }
  bool binary(binary_t&) { return false; }

  bool string(string_t& value) {
    JsonNode* node = add(JsonNode::Kind::String);
    if (node == nullptr) return false;
    node->text = stored(cursor_.take_string(), value);
    return true;
  }
  bool key(string_t& value) {
    cursor_.to_token();
    key_place_ = cursor_.place();
    key_ = stored(cursor_.take_string(), value);
    return true;
  }
  bool start_object(std::size_t) { return open(JsonNode::Kind::Object); }
  bool start_array(std::size_t) { return open(JsonNode::Kind::Array); }
  bool end_object() {
    report_duplicates(*path_.back());
    return close();
  }
  bool end_array() { return close(); }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception& error) {
    append(problems_, describe(source_.file_, cursor_,
                               {position, error.what(), last_place_, last_word_,
                                source_.root_.has_value() && path_.empty()}));
    return false;
  }

 private:
  /// Text without escapes is a view of the source; only what an escape changed is kept apart.
  std::string_view stored(std::string_view written, string_t& decoded) {
    return written == decoded ? written : source_.keep(std::move(decoded));
  }

  JsonNode* add(JsonNode::Kind kind) {
    cursor_.to_token();
    if (++count_ > JsonSource::kMaxValues) {
      append(problems_, problem_at(source_.file_, cursor_.place(), "too many values",
                                   "at most " + std::to_string(JsonSource::kMaxValues)));
      return nullptr;
    }
    JsonNode* node = nullptr;
    if (path_.empty()) {
      node = &source_.root_.emplace();
    } else {
      node = &path_.back()->children.emplace_back();
      if (path_.back()->kind == JsonNode::Kind::Object) {
        node->key = key_;
        node->key_place = key_place_;
      }
    }
    node->kind = kind;
    node->place = cursor_.place();
    return node;
  }

  bool word(JsonNode::Kind kind) {
    JsonNode* node = add(kind);
    if (node == nullptr) return false;
    node->text = last_word_ = cursor_.take_word();
    last_place_ = node->place;
    return true;
  }

  bool open(JsonNode::Kind kind) {
    JsonNode* node = add(kind);
    if (node == nullptr) return false;
    if (path_.size() >= JsonSource::kMaxDepth) {
      append(problems_, problem_at(source_.file_, node->place, "brackets are nested too deep",
                                   "at most " + std::to_string(JsonSource::kMaxDepth)));
      return false;
    }
    cursor_.step();
    // Parents never move while they are open: only the innermost one gains children.
    path_.push_back(node);
    return true;
  }

  bool close() {
    cursor_.to_token();
    cursor_.step();
    path_.pop_back();
    return true;
  }

  void report_duplicates(const JsonNode& object) {
    std::unordered_map<std::string_view, const JsonNode*> first;
    for (const JsonNode& member : object.children) {
      const auto [known, fresh] = first.emplace(member.key, &member);
      if (fresh) continue;
      append(problems_, problem_at(source_.file_, member.key_place,
                                   "the key " + in_quotes(member.key) + " is given twice", {},
                                   "It was first given in line " +
                                       std::to_string(known->second->key_place.line) + "."));
    }
  }

  JsonSource& source_;
  std::vector<InputProblem>& problems_;
  TokenCursor cursor_;
  std::vector<JsonNode*> path_;
  std::string_view key_;
  Place key_place_;
  std::string_view last_word_;
  Place last_place_;
  std::size_t count_ = 0;
};

const JsonNode* JsonNode::find(std::string_view name) const {
  if (kind != Kind::Object) return nullptr;
  const auto member = std::find_if(children.begin(), children.end(),
                                   [&](const JsonNode& child) { return child.key == name; });
  return member == children.end() ? nullptr : &*member;
}

JsonNode* JsonNode::find(std::string_view name) {
  return const_cast<JsonNode*>(std::as_const(*this).find(name));
}

std::string_view kind_name(JsonNode::Kind kind) {
  switch (kind) {
    case JsonNode::Kind::Null: return "null";
    case JsonNode::Kind::Boolean: return "true or false";
    case JsonNode::Kind::Number: return "a number";
    case JsonNode::Kind::String: return "text";
    case JsonNode::Kind::Array: return "a list";
    case JsonNode::Kind::Object: return "an object";
  }
  return "";
}

std::string shown(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::String: return in_quotes(node.text);
    case JsonNode::Kind::Array:
    case JsonNode::Kind::Object: return std::string{kind_name(node.kind)};
    default: break;
  }
  constexpr std::size_t kLongest = 40;
  return std::string{node.text.substr(0, kLongest)} + (node.text.size() > kLongest ? "..." : "");
}

JsonSource::JsonSource(std::string file, std::string text, std::vector<InputProblem>& problems,
                       JsonComments comments)
    : file_(std::move(file)), text_(std::move(text)), comments_(comments) {
  if (text_.size() > kMaxBytes) {
    append(problems, problem_at(file_, {1, 1}, "the text is too long",
                                "at most " + std::to_string(kMaxBytes >> 20) + " MiB"));
    return;
  }
  JsonTreeBuilder builder(*this, problems);
  const bool skip_comments = comments == JsonComments::Allowed;
  if (!Json::sax_parse(text_, &builder, Json::input_format_t::json, true, skip_comments)) {
    root_.reset();
  }
}

std::string_view JsonSource::keep(std::string text) { return kept_.emplace_back(std::move(text)); }

}  // namespace spineleaf
