"""The top of a report as a picture for the README: take_picture.py CHROMIUM REPORT PICTURE.

From the title to the end of the section that has the first two charts.
"""

import pathlib
import sys

from playwright.sync_api import sync_playwright

WIDTH = 1120
END = """() => {
  const figure = document.querySelectorAll('figure.chart')[1];
  return Math.ceil(figure.getBoundingClientRect().bottom + window.scrollY);
}"""


def main() -> None:
    chromium, report, picture = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")
        page.goto(pathlib.Path(report).resolve().as_uri())
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": page.evaluate(END) + 16}
        page.screenshot(path=picture, full_page=True, clip=clip)
        browser.close()
    print(f"{picture}: {pathlib.Path(picture).stat().st_size} bytes")


if __name__ == "__main__":
    main()
