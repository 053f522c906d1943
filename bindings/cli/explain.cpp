// spineleaf explain: what a key means.

#include "scenarios/input/explain.hpp"

#include <cstdio>
#include <memory>

#include "bindings/cli/verbs.hpp"

namespace spineleaf::cli {

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "explain", "Meaning, unit, default, range and source of a key, section, kind or preset");
  verb->group(kCheckGroup);
  const auto key = std::make_shared<std::string>();
  verb->add_option("key", *key, "For example pfc.alpha, pfc, fat_tree or roce-400g; none: a list")
      ->type_name("KEY");
  examples(*verb, {"explain", "explain pfc.alpha", "explain fat_tree", "explain roce-400g"});
  verb->callback([key, &exit_code] {
    const Explanation explanation = explain(*key);
    std::fputs(explanation.text.c_str(), explanation.found ? stdout : stderr);
    if (!explanation.found) exit_code = kBadInput;
  });
}

}  // namespace spineleaf::cli
