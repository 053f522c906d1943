#include "validation/probe/library.hpp"

#include <dlfcn.h>

#include <string_view>

#include "validation/probe/section.hpp"

namespace spineleaf::probe {

Library::Library(const Options& options, Names files, const std::string& what,
                 const std::string& how_to_get_it)
    : what_(what) {
  std::string reason;
  for (const char* file : files) {
    file_ = options.libraries.empty() ? file : options.libraries + "/" + file;
    handle_ = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    const char* error = ::dlerror();
    if (reason.empty()) reason = error == nullptr ? file_ + " does not open" : error;
  }
  throw Unavailable("no " + what + ": " + reason, how_to_get_it);
}

void* Library::symbol(Names names, bool needed) const {
  for (const std::string_view name : names) {
    const std::size_t at = name.find('@');
    const std::string plain(name.substr(0, at));
    void* found = at == std::string_view::npos
                      ? ::dlsym(handle_, plain.c_str())
                      : ::dlvsym(handle_, plain.c_str(), std::string(name.substr(at + 1)).c_str());
    if (found != nullptr) return found;
  }
  if (!needed) return nullptr;
  throw Unavailable(file_ + " has no " + *names.begin(),
                    "a version of " + what_ + " that has this function");
}

}  // namespace spineleaf::probe
