#pragma once
// Libraries that may or may not be on the machine, opened at run time: the probe links none of
// them.

#include <initializer_list>
#include <string>

#include "validation/probe/options.hpp"

namespace spineleaf::probe {

/// A symbol under its names, the newest first. Name and version of the library's own versioning
/// stand apart by '@': "ibv_query_port@IBVERBS_1.1".
using Names = std::initializer_list<const char*>;

class Library {
 public:
  /// `what` and `how_to_get_it` are for the message where no file of these names opens.
  Library(const Options& options, Names files, const std::string& what,
          const std::string& how_to_get_it);

  /// Throws Unavailable, naming the symbol and the library, where none of the names is there.
  template <typename Function>
  void need(Function*& function, Names names) {
    function = reinterpret_cast<Function*>(symbol(names, true));
  }
  /// Null where none of the names is there.
  template <typename Function>
  void want(Function*& function, Names names) {
    function = reinterpret_cast<Function*>(symbol(names, false));
  }
  const std::string& file() const { return file_; }

 private:
  void* symbol(Names names, bool needed) const;

  void* handle_ = nullptr;  ///< never closed: the process ends soon
  std::string file_, what_;
};

}  // namespace spineleaf::probe
