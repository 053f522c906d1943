#pragma once
// The frame of report.html: document, style sheet, tables.

#include <string>
#include <string_view>
#include <vector>

namespace spineleaf {

/// A complete HTML document. `title` is escaped; `body` is markup. With charts in the body the
/// scripts of scenarios/output/web come along (1.1 MB); where these can't be read the page says so.
std::string html_page(std::string_view title, const std::string& body);

/// A section with a heading; "" when `body` is empty, so that parts without content vanish.
std::string html_section(std::string_view heading, const std::string& body);

/// A table whose cells are text, escaped here. The first `texts` columns are flush left, the others
/// are numbers. Wider than the screen, it scrolls by itself.
class HtmlTable {
 public:
  HtmlTable(std::vector<std::string> header, std::size_t texts);
  void row(const std::vector<std::string>& cells, std::string_view css_class = {});
  bool empty() const { return rows_.empty(); }
  std::string str() const;

 private:
  std::string cells(const std::vector<std::string>& texts, std::string_view element) const;

  std::size_t texts_;
  std::vector<std::string> header_;
  std::string rows_;
};

/// A paragraph of escaped text.
std::string html_paragraph(std::string_view text, std::string_view css_class = {});

}  // namespace spineleaf
