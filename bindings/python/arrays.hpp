#pragma once
// Rows of structs as numpy arrays that look straight into C++ memory: nothing is copied.

#include <pybind11/numpy.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace spineleaf::python {

/// A number inside a row: its name in Python, its numpy format ("i8", "f8", "u4"), and where it
/// lies.
struct Field {
  const char* name;
  const char* format;
  std::size_t offset;
};

/// A read-only structured array over `rows`, which live as long as `owner` does.
template <typename Row>
pybind11::array view(const std::vector<Row>& rows, std::initializer_list<Field> fields,
                     pybind11::handle owner) {
  pybind11::list names;
  pybind11::list formats;
  pybind11::list offsets;
  for (const Field& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  const pybind11::dtype type(names, formats, offsets, static_cast<pybind11::ssize_t>(sizeof(Row)));
  const std::vector<pybind11::ssize_t> shape{static_cast<pybind11::ssize_t>(rows.size())};
  const std::vector<pybind11::ssize_t> strides{static_cast<pybind11::ssize_t>(sizeof(Row))};
  pybind11::array array(type, shape, strides, rows.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

/// Text for Python, whatever its bytes: what is no UTF-8 becomes U+FFFD.
inline pybind11::str text(const std::string& bytes) {
  PyObject* decoded =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<pybind11::ssize_t>(bytes.size()), "replace");
  if (decoded == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::str>(decoded);
}

/// One text of every row.
template <typename Row>
pybind11::list texts(const std::vector<Row>& rows, std::string Row::*member) {
  pybind11::list list(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) list[i] = text(rows[i].*member);
  return list;
}

}  // namespace spineleaf::python
