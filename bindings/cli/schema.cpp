// spineleaf schema: the JSON Schema of scenarios.

#include "scenarios/input/schema.hpp"

#include <cstdio>

#include "bindings/cli/verbs.hpp"

namespace spineleaf::cli {

void add_schema(CLI::App& app, int&) {
  CLI::App* verb =
      app.add_subcommand("schema", "JSON Schema of scenario files, for editors and checkers");
  verb->group(kCheckGroup);
  examples(*verb, {"schema > scenario.schema.json"});
  verb->callback([] { std::fputs(schema_text().c_str(), stdout); });
}

}  // namespace spineleaf::cli
