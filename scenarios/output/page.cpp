#include "scenarios/output/page.hpp"

#include "scenarios/output/text.hpp"

namespace spineleaf {
namespace {

// Colours are told apart by people who see red and green alike (after Okabe and Ito) and have a
// contrast of at least 3:1 with their background in both schemes.
constexpr std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--bg:#fff;--ink:#1b2430;--soft:#5a6675;--rule:#d9dee5;--pane:#f5f7fa;
--s0:#0072b2;--s1:#c2500b;--s2:#00805a;--s3:#a3478c;--s4:#8a6d00;--s5:#4a5fd0;
--good:#0a6b3d;--good-bg:#e4f4ea;--bad:#a4161a;--bad-bg:#fce8e8;--warn:#7a5200;--warn-bg:#fdf3da}
@media(prefers-color-scheme:dark){:root{--bg:#12171e;--ink:#e6eaf0;--soft:#9aa7b6;--rule:#303a46;
--pane:#1a212a;--s0:#56b4e9;--s1:#ee8a4a;--s2:#2fc193;--s3:#d68ac4;--s4:#d9b83a;--s5:#93a4ff;
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
figure{margin:14px 0;max-width:760px}
figcaption{font-weight:600;font-size:.93rem;margin-bottom:4px}
.pair{display:grid;gap:0 28px;grid-template-columns:1fr}
.pair figure{max-width:560px}
@media(min-width:1060px){.pair{grid-template-columns:1fr 1fr}}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;margin:2px 0 6px;padding:0;
font-size:.87rem}
.legend li{display:flex;align-items:center;gap:7px}
svg{display:block;width:100%;height:auto}
svg.swatch{width:28px;height:12px;flex:none}
svg.narrow{display:none}
@media(max-width:640px){main{padding:14px 14px 40px}svg.wide{display:none}svg.narrow{display:block}
td:first-child{white-space:normal;min-width:6.5em}.topology svg{min-width:720px}}
figure text{font-family:inherit;font-size:12px;fill:var(--soft)}
figure .axis-title{fill:var(--ink)}
.grid{stroke:var(--rule);stroke-width:1}
.axis{stroke:var(--soft);stroke-width:1}
.curve{fill:none;stroke-width:2;stroke-linejoin:round}
.mark{stroke-width:1.5;fill:var(--bg)}
.s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}
.s3{stroke:var(--s3)}.s4{stroke:var(--s4)}.s5{stroke:var(--s5)}
.ref{stroke:var(--ink);stroke-dasharray:5 4}
.mark.ref{stroke-dasharray:none}
.curve.s1{stroke-dasharray:9 3}.curve.s2{stroke-dasharray:2 3}.curve.s3{stroke-dasharray:8 3 2 3}
.bar{stroke:none}.bar.s0{fill:var(--s0)}.bar.s1{fill:var(--s1)}.bar.s2{fill:var(--s2)}
.bar.s3{fill:var(--s3)}.bar.s4{fill:var(--s4)}.bar.s5{fill:var(--s5)}
.track{fill:var(--pane)}.shade{fill:var(--s0);shape-rendering:crispEdges}
.frame{fill:none;stroke:var(--rule);stroke-width:1}
.topology{overflow-x:auto;margin:10px 0}
.topology svg{min-width:340px;max-width:1060px}
footer{margin-top:36px;padding-top:12px;border-top:1px solid var(--rule)}
@media print{:root{color-scheme:light;--bg:#fff;--ink:#000;--soft:#444;--rule:#bbb;--pane:#f2f2f2;
--s0:#0072b2;--s1:#c2500b;--s2:#00805a;--s3:#a3478c;--s4:#8a6d00;--s5:#4a5fd0}
body{font-size:10pt}main{max-width:none;padding:0}.scroll{overflow:visible}
.pair{grid-template-columns:1fr 1fr}table{font-size:7.5pt}
th{white-space:normal}th,td{padding:2px 9px 2px 0}
svg.wide{display:block}svg.narrow{display:none}
figure,tr,.verdict{break-inside:avoid}h2,h3,figcaption{break-after:avoid}
.verdict,.shade,.bar,.track,tr.hot td{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

}  // namespace

std::string html_page(std::string_view title, const std::string& body) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape_markup(title) + "</title>\n<style>" + std::string(kPageStyle) +
         "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
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
