#pragma once
// Where the files that are shipped with the program lie: scenarios, catalogs, measurements.

#include <string>
#include <string_view>

namespace spineleaf {

/// The folder that holds scenarios/library, scenarios/catalog and validation/data, without a final
/// '/'. The environment variable SPINELEAF_DATA_DIR wins; else what set_data_dir() said; else the
/// source tree that the program was built from, while it exists; else the place where it is
/// installed.
std::string data_dir();

/// For what carries the files along, as the Python package does. Before any other thread asks.
void set_data_dir(std::string folder);

/// data_dir() + "/" + name, e.g. data_file("scenarios/library/incast.json"). The file need not
/// exist.
std::string data_file(std::string_view name);

}  // namespace spineleaf
