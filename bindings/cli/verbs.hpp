#pragma once
// The verbs of the `spineleaf` command, one source file each.
//
// A verb adds its options and a callback to the application; what it wants the process to return
// goes into `exit_code`: 0 fine or as expected, 1 internal or output trouble, 2 bad input, 3 a
// physics alarm, 4 a budget exceeded.

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>

namespace spineleaf::cli {

inline constexpr int kBadInput = 2;
inline constexpr int kAlarm = 3;
inline constexpr int kOverBudget = 4;

// Groups of verbs in `spineleaf --help`, in this order.
inline constexpr const char* kRunGroup = "Run";
inline constexpr const char* kCheckGroup = "Check";
inline constexpr const char* kMeasureGroup = "Measure";
inline constexpr const char* kBuyGroup = "Buy";
inline constexpr const char* kConvertGroup = "Convert";
inline constexpr const char* kHelpGroup = "Help";

/// Ends the help of a verb with commands to copy; each works as it stands (tests/cli runs them).
inline void examples(CLI::App& verb, std::initializer_list<const char*> commands) {
  std::string text = commands.size() == 1 ? "Example:" : "Examples:";
  for (const char* command : commands) text += std::string("\n  spineleaf ") + command;
  verb.footer(text);
}

void add_quickstart(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_whatif(CLI::App& app, int& exit_code);
void add_sweep(CLI::App& app, int& exit_code);
void add_pareto(CLI::App& app, int& exit_code);
void add_headroom(CLI::App& app, int& exit_code);
void add_lint(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_topology(CLI::App& app, int& exit_code);
void add_routes(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_ping(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_expect(CLI::App& app, int& exit_code);
void add_nccl_tests(CLI::App& app, int& exit_code);
void add_calibrate(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_probe(CLI::App& app, int& exit_code);
/// After add_validate.
void add_validate_roce(CLI::App& app, int& exit_code);
void add_validate_sharp(CLI::App& app, int& exit_code);
void add_validate_infiniband(CLI::App& app, int& exit_code);
void add_claims(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
void add_version(CLI::App& app, int& exit_code);
/// Of all verbs in `app`, whenever they were added.
void add_completion(CLI::App& app, int& exit_code);
void add_man(CLI::App& app, int& exit_code);

}  // namespace spineleaf::cli
