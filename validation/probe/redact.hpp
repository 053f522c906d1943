#pragma once
// Tokens in place of names: what a site calls its machines, and numbers that tell one part from all
// others in the world, is nobody else's business.

#include "validation/probe/section.hpp"

namespace spineleaf::probe {

/// Replaces values of the keys host, uuid, serial, node_guid and gid by "host1", "guid2", ..., the
/// same name by the same token, wherever else the name stands in any text, too. PCI addresses,
/// names of devices and firmware versions stay.
void redact(Json& file);

}  // namespace spineleaf::probe
