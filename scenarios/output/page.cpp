#include "scenarios/output/page.hpp"

#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "scenarios/data_dir.hpp"
#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

// Colours are told apart by people who see red and green alike (after Okabe and Ito) and have a
// contrast of at least 3:1 with their background in both schemes.
constexpr std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--bg:#fff;--ink:#1b2430;--soft:#5a6675;--rule:#d9dee5;--pane:#f5f7fa;
--s0:#0072b2;--s1:#c2500b;--s2:#00805a;--s3:#a3478c;--s4:#8a6d00;--s5:#4a5fd0;
--heat0:#7fc4e8;--heat1:#0072b2;--heat2:#7a1f5c;
--good:#0a6b3d;--good-bg:#e4f4ea;--bad:#a4161a;--bad-bg:#fce8e8;--warn:#7a5200;--warn-bg:#fdf3da}
@media(prefers-color-scheme:dark){:root{--bg:#12171e;--ink:#e6eaf0;--soft:#9aa7b6;--rule:#303a46;
--pane:#1a212a;--s0:#56b4e9;--s1:#ee8a4a;--s2:#2fc193;--s3:#d68ac4;--s4:#d9b83a;--s5:#93a4ff;
--heat0:#1f5f86;--heat1:#56b4e9;--heat2:#ffd75e;
--good:#7ad9a3;--good-bg:#16301f;--bad:#ff9a97;--bad-bg:#3a1a1c;--warn:#f2cc7a;--warn-bg:#35290f}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1100px;margin:0 auto;padding:20px 20px 48px}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 12px;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:36px 0 10px;padding-top:14px;border-top:1px solid var(--rule)}
h3{font-size:1rem;margin:20px 0 6px}
p{margin:8px 0;max-width:75ch;overflow-wrap:anywhere}
ul.plain{margin:8px 0;padding-left:1.2em;max-width:75ch}
.note{color:var(--soft);font-size:.87rem}
.verdict{margin:8px 0;padding:9px 14px;border-radius:6px;border-left:5px solid;max-width:none}
.verdict b{margin-right:.5em}
.good{color:var(--good);background:var(--good-bg)}
.bad{color:var(--bad);background:var(--bad-bg)}
.warn{color:var(--warn);background:var(--warn-bg)}
.scroll{overflow-x:auto;margin:10px 0;background:
linear-gradient(to left,var(--bg) 30%,transparent) right/36px 100% no-repeat local,
linear-gradient(to left,var(--rule),transparent) right/16px 100% no-repeat}
table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums}
th,td{padding:4px 16px 4px 0;text-align:right;white-space:nowrap;
border-bottom:1px solid var(--rule)}
th{color:var(--soft);font-weight:600;vertical-align:bottom}
th.l,td.l{text-align:left}
th:last-child,td:last-child{padding-right:0}
tr.hot td{background:var(--bad-bg)}
th:first-child,td:first-child{position:sticky;left:0;background:var(--bg)}
figure{margin:14px 0;max-width:1060px;min-width:0}
figcaption{font-weight:600;font-size:.93rem;margin-bottom:4px}
.pair{display:grid;gap:0 28px;grid-template-columns:1fr}
.pair>*{min-width:0}
@media(min-width:1060px){.pair{grid-template-columns:1fr 1fr}}
.topology svg{display:block;width:100%;height:auto}
.plot{width:100%;min-height:120px}
@media(max-width:640px){main{padding:14px 14px 40px}
td:first-child{white-space:normal;min-width:6.5em}.topology svg{min-width:720px}}
.topology{overflow-x:auto;margin:10px 0}
.topology svg{min-width:340px;max-width:1060px}
footer{margin-top:36px;padding-top:12px;border-top:1px solid var(--rule)}
@media print{:root{color-scheme:light;--bg:#fff;--ink:#000;--soft:#444;--rule:#bbb;--pane:#f2f2f2;
--s0:#0072b2;--s1:#c2500b;--s2:#00805a;--s3:#a3478c;--s4:#8a6d00;--s5:#4a5fd0;
--heat0:#7fc4e8;--heat1:#0072b2;--heat2:#7a1f5c}
body{font-size:10pt}main{max-width:none;padding:0}.scroll{overflow:visible}
.pair{grid-template-columns:1fr}table{font-size:7.5pt}
th{white-space:normal}th,td{padding:2px 9px 2px 0}
figure,tr,.verdict{break-inside:avoid}h2,h3,figcaption{break-after:avoid}
.verdict,.plot,tr.hot td{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

constexpr const char* kWithoutScript =
    "<noscript><p class=\"verdict warn\">Charts need JavaScript. All their numbers are in the "
    "tables "
    "below and in the files beside this page.</p></noscript>\n";

std::optional<std::string> whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) return std::nullopt;
  return std::move(text).str();
}

}  // namespace

std::string html_page(std::string_view title, const std::string& body) {
  std::string scripts;
  std::string missing;
  // What has no chart needs no library.
  if (body.find("<figure class=\"chart\">") != std::string::npos) {
    for (const char* name : {"echarts.min.js", "report.js"}) {
      const std::string path = data_file(std::string("scenarios/output/web/") + name);
      const std::optional<std::string> text = whole_file(path);
      if (text) scripts += "<script>" + *text + "</script>\n";
      if (!text) missing += html_paragraph("No charts: can't read " + path, "verdict bad");
    }
  }
  // Nothing may be fetched: the policy makes sure of it.
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape_markup(title) + "</title>\n<style>" + std::string(kPageStyle) +
         "</style>\n</head>\n<body>\n<main>\n" + missing + kWithoutScript + body + "</main>\n" +
         scripts + "</body>\n</html>\n";
}

std::string html_section(std::string_view heading, const std::string& body) {
  if (body.empty()) return {};
  return "<section>\n<h2>" + escape_markup(heading) + "</h2>\n" + body + "</section>\n";
}

std::string html_paragraph(std::string_view text, std::string_view css_class) {
  const std::string css = css_class.empty() ? "" : " class=\"" + escape_markup(css_class) + "\"";
  return "<p" + css + ">" + escape_markup(text) + "</p>\n";
}

HtmlTable::HtmlTable(std::vector<std::string> header, std::size_t texts)
    : texts_(texts), header_(std::move(header)) {}

std::string HtmlTable::cells(const std::vector<std::string>& texts,
                             std::string_view element) const {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out += "<" + std::string(element) + (i < texts_ ? " class=\"l\">" : ">") +
           escape_markup(texts[i]) + "</" + std::string(element) + ">";
  }
  return out;
}

void HtmlTable::row(const std::vector<std::string>& texts, std::string_view css_class) {
  rows_ += css_class.empty() ? "<tr>" : "<tr class=\"" + escape_markup(css_class) + "\">";
  rows_ += cells(texts, "td") + "</tr>\n";
}

std::string HtmlTable::str() const {
  return "<div class=\"scroll\"><table>\n<thead><tr>" + cells(header_, "th") +
         "</tr></thead>\n<tbody>\n" + rows_ + "</tbody></table></div>\n";
}

}  // namespace spineleaf
