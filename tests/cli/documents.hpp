#pragma once
// What the documents tell a reader to type is typed here, and the files that they name are looked
// for.
//
// A fenced block says in its first line what it is: `sh` is run, all blocks of a document in order
// by one shell that stops at the first failure; `json` is a scenario, saved under its name; `text`
// is nothing to run; `python` is run by tests/python/test_documents.py. Any other block is a
// mistake, so that no command is left out unnoticed.
//
// The commands run in a mirror of the project with the `spineleaf` that is under test. Held back
// there are only `cmake --build` and `ctest`, which this test is a part of, and what installs
// packages: the first two look whether their targets and tests exist, the last is a failure.

#include <filesystem>
#include <string>
#include <vector>

namespace spineleaf {

struct FencedBlock {
  std::string language;
  std::string text;
  int line = 0;  ///< of the first line after the fence
};

std::vector<FencedBlock> fenced_blocks(const std::string& document);

/// Code spans in running text: what stands between single back-ticks, outside fenced blocks.
std::vector<std::string> code_spans(const std::string& document);

/// A folder that looks like the project, with build/release/spineleaf, and an empty out/.
class ProjectMirror {
 public:
  ProjectMirror();
  ~ProjectMirror();
  ProjectMirror(const ProjectMirror&) = delete;
  ProjectMirror& operator=(const ProjectMirror&) = delete;

  /// What is wrong with the document's commands; "" when all of them work.
  std::string problems_of_commands(const std::string& document) const;

  /// Paths, functions and verbs in code spans that do not exist.
  std::string problems_of_names(const std::string& document) const;

 private:
  std::filesystem::path folder_;
};

/// Links and pictures of the document `name` whose file does not exist.
std::string problems_of_links(const std::string& name, const std::string& document);

/// README.md, CHANGELOG.md and everything under docs/, relative to the project.
std::vector<std::string> documents();

}  // namespace spineleaf
