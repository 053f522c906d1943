// spineleaf version.

#include <cstdio>

#include "bindings/cli/verbs.hpp"
#include "scenarios/version.hpp"

namespace spineleaf::cli {

void add_version(CLI::App& app, int&) {
  CLI::App* verb = app.add_subcommand("version", "Version and how this program was built");
  verb->group(kCheckGroup);
  examples(*verb, {"version"});
  verb->callback([] {
#ifdef NDEBUG
    const char* const build = "optimised";
#else
    const char* const build = "debug";
#endif
    std::printf("spineleaf %s\n%s build, compiler %s\n", program_version().c_str(), build,
                __VERSION__);
  });
}

}  // namespace spineleaf::cli
