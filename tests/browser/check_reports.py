"""Opens reports in a real browser: check_reports.py CHROMIUM PICTURES REPORT...

Fails where the console has an error, anything is fetched, a chart is not drawn, two texts of a chart
overlap, the page is wider than the screen, a legend does not toggle or a hover tells nothing.
Screenshots and a print of each report are kept in the folder PICTURES.
"""

import pathlib
import sys

from playwright.sync_api import Browser, Page, sync_playwright

SCREENS = [(1280, 800, "light"), (390, 844, "dark")]
MOST_BYTES = 6_000_000

PROBLEMS = """() => {
  const problems = [];
  for (const figure of document.querySelectorAll('figure.chart')) {
    const title = figure.querySelector('figcaption').textContent;
    const svg = figure.querySelector('.plot svg');
    if (!svg || svg.querySelectorAll('path').length < 3) {
      problems.push(title + ': not drawn');
      continue;
    }
    const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim() !== '')
      .map(t => ({text: t.textContent, box: t.getBoundingClientRect()}))
      .filter(t => t.box.width > 0);
    if (texts.length === 0) problems.push(title + ': has no text');
    const frame = svg.getBoundingClientRect();
    for (let i = 0; i < texts.length; ++i) {
      const a = texts[i].box;
      if (a.left < frame.left - 2 || a.right > frame.right + 2 || a.top < frame.top - 2 || a.bottom > frame.bottom + 2) {
        problems.push(title + ': text leaves the picture: ' + texts[i].text);
      }
      for (let j = i + 1; j < texts.length; ++j) {
        const b = texts[j].box;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1.5 && tall > 3) {
          problems.push(`${title}: texts overlap: "${texts[i].text}" and "${texts[j].text}"`);
        }
      }
    }
  }
  const excess = document.scrollingElement.scrollWidth - window.innerWidth;
  if (excess > 0) problems.push(`the page is ${excess} pixels wider than the screen`);
  return problems;
}"""

# A chart with a legend loses a line when the entry is clicked, and gets it back.
TOGGLE = """() => {
  const problems = [];
  let toggled = 0;
  for (const figure of document.querySelectorAll('figure.chart')) {
    const chart = echarts.getInstanceByDom(figure.querySelector('.plot'));
    const option = chart.getOption();
    if (!(option.legend || []).length || option.legend[0].show === false || option.series.length < 2) continue;
    const name = option.series[0].name;
    const paths = () => figure.querySelectorAll('.plot svg path').length;
    const before = paths();
    chart.dispatchAction({type: 'legendToggleSelect', name});
    if (chart.getOption().legend[0].selected[name] !== false) problems.push('no toggle: ' + name);
    chart.dispatchAction({type: 'legendToggleSelect', name});
    ++toggled;
    if (paths() !== before) problems.push('toggled twice, another picture: ' + name);
  }
  return [toggled, problems];
}"""

SHOWN_TIP = """() => [...document.querySelectorAll('.plot > div')].some(
    e => getComputedStyle(e).visibility === 'visible' && e.textContent.trim() !== '' &&
         !e.querySelector('svg'))"""


# Of graphs and bars the middle may be empty.
HOVERED = r"""() => [...document.querySelectorAll('figure.chart script')].findIndex(
    script => /^\{"kind":"(line|heat)"/.test(script.textContent))"""


def hover_problem(page: Page) -> list[str]:
    """The middle of the first line or heat chart must have something to tell."""
    first = page.evaluate(HOVERED)
    if first < 0:
        return ["no line or heat chart"]
    plot = page.locator("figure.chart .plot").nth(first)
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    page.mouse.move(box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.5)
    page.wait_for_timeout(150)
    shown = page.evaluate(SHOWN_TIP)
    page.mouse.move(1, 1)
    return [] if shown else ["hovering over a chart shows nothing"]


def check(browser: Browser, report: pathlib.Path, pictures: pathlib.Path) -> list[str]:
    name = report.parent.name
    problems = []
    size = report.stat().st_size
    if size > MOST_BYTES:
        problems.append(f"{size} bytes, more than {MOST_BYTES}")
    for width, height, scheme in SCREENS:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        page = context.new_page()
        found: list[str] = []
        page.on("pageerror", lambda error, found=found: found.append(f"script: {error}"))
        page.on(
            "console",
            lambda message, found=found: found.append(f"console: {message.text}")
            if message.type in ("error", "warning")
            else None,
        )
        page.on(
            "request",
            lambda request, found=found: found.append(f"fetches {request.url}")
            if not request.url.startswith(("file:", "data:", "blob:"))
            else None,
        )
        page.goto(report.resolve().as_uri())
        page.screenshot(path=pictures / f"{name}-{width}x{height}-{scheme}.png", full_page=True)
        found += page.evaluate(PROBLEMS)
        toggled, failed = page.evaluate(TOGGLE)
        found += failed
        found += hover_problem(page)
        if scheme == "light":
            page.pdf(path=pictures / f"{name}.pdf", format="A4")
            found += page.evaluate(PROBLEMS)
        charts = page.locator("figure.chart").count()
        print(f"{name} {width}x{height} {scheme}: {charts} charts, {toggled} legends toggled")
        if charts == 0:
            found.append("no chart")
        problems += [f"{width}x{height} {scheme}: {text}" for text in found]
        context.close()
    return [f"{name}: {text}" for text in problems]


def main() -> int:
    chromium, pictures = sys.argv[1], pathlib.Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        problems = []
        for report in sys.argv[3:]:
            problems += check(browser, pathlib.Path(report), pictures)
        browser.close()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
