"""The page of a run in headless Chromium. Arguments: the program mskb, the repository. Exit code 77: skipped, with the reason."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(77)

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not BROWSER or not DRIVER:
    print("skipped: chromium or chromedriver is not installed")
    sys.exit(77)

MSKB, HOME = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute()

# Text against what lies behind it; WCAG 2 level AA.
CONTRAST = """
const luminance = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const behind = (node) => { for (; node; node = node.parentElement) { const c = parse(getComputedStyle(node).backgroundColor);
  if (c.length === 3 || (c.length === 4 && c[3] > 0)) return c.slice(0, 3); } return [255, 255, 255]; };
const bad = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const parent = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !parent.checkVisibility() || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(parent.tagName)) continue;
  const style = getComputedStyle(parent);
  const front = parse(parent.namespaceURI.endsWith("svg") ? style.fill : style.color).slice(0, 3);
  const [a, b] = [luminance(front), luminance(behind(parent))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) bad.push(parent.tagName + " " + walker.currentNode.data.trim().slice(0, 30) + " " + ratio.toFixed(2));
}
return bad.slice(0, 10);
"""

# What a reader without sight or mouse depends on.
ACCESS = """
const bad = [];
const visible = (node) => node.checkVisibility();
if (!document.documentElement.lang) bad.push("no language");
if (document.querySelectorAll("main").length !== 1) bad.push("not one main");
if ([...document.querySelectorAll("h1")].length !== 1) bad.push("not one h1");
let level = 0;
for (const heading of [...document.querySelectorAll("h1,h2,h3,h4,h5")].filter(visible)) {
  const own = Number(heading.tagName[1]);
  if (own > level + 1) bad.push("heading jumps to " + heading.tagName + " " + heading.textContent.slice(0, 30));
  if (!heading.textContent.trim()) bad.push("empty heading");
  level = own;
}
for (const control of document.querySelectorAll("input,select,textarea")) {
  if (control.labels.length === 0 && !control.ariaLabel) bad.push("control without label " + control.id);
}
for (const control of document.querySelectorAll("button,a[href],summary")) {
  if (!control.textContent.trim() && !control.ariaLabel) bad.push("no name: " + control.outerHTML.slice(0, 60));
}
for (const image of document.querySelectorAll("svg")) {
  if (image.getAttribute("aria-hidden") !== "true" && !(image.getAttribute("role") === "img" && image.getAttribute("aria-label"))) bad.push("picture without text");
}
for (const table of document.querySelectorAll("table")) {
  if (!table.caption) bad.push("table without caption");
  for (const heading of table.querySelectorAll("th")) if (!heading.scope) bad.push("th without scope " + heading.textContent);
}
const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) bad.push("id twice: " + id);
for (const node of document.querySelectorAll("[aria-labelledby]")) if (visible(node) && !document.getElementById(node.getAttribute("aria-labelledby"))) bad.push("label missing");
for (const node of document.querySelectorAll("div,pre,figure")) {
  if (visible(node) && ["auto", "scroll"].includes(getComputedStyle(node).overflowX) && node.scrollWidth > node.clientWidth && node.tabIndex < 0) bad.push("cannot be scrolled by keys: " + node.className);
}
return bad.slice(0, 10);
"""

# Figures of the table that stand outside the window or are cut off.
CUT = """
return [...document.querySelectorAll("#problems tbody tr:not([hidden]) > *")].filter((cell) => cell.checkVisibility())
  .filter((cell) => { const box = cell.getBoundingClientRect(); return box.right > innerWidth || box.left < 0 || cell.scrollWidth > cell.clientWidth + 1; })
  .map((cell) => cell.textContent).slice(0, 10);
"""

# Who stands in the legends in view, with colour and shape.
MARKS = """
return [...document.querySelectorAll(".legend li")].filter((item) => item.checkVisibility()).map((item) => {
  const path = item.querySelector("path");
  return [item.textContent.replace(/ \\(.*\\)$/, "").replace(/#\\d+$/, ""), path.getAttribute("stroke"), path.getAttribute("d") + (path.getAttribute("stroke-dasharray") || "")];
});
"""

SESSION = [
    {"schema": 1, "run": "0123456789ab", "problem": "gated_unit/fp32", "optimizer": "skilled"},
    {"n": 1, "t": 0, "from": "harness", "message": {"type": "start", "reference": {"main": "a.cu", "sources": {"a.cu": "one\ntwo\n"}},
                                                    "measuring": {"protocol": "strict", "clock": "span"}, "budget": {"evaluations": 20}, "options": {}}},
    {"n": 2, "t": 1, "from": "optimizer", "message": {"type": "note", "role": "planner", "model": "a model", "text": "</script><img src=x onerror=\"window.taken=1\"> unroll \u202e",
                                                      "tokens": {"input": 100, "output": 20}, "cost": 0.25}},
    {"n": 3, "t": 2, "from": "optimizer", "message": {"type": "evaluate", "sources": {"kernel.cu": "one\n<b>2</b> </script>\n"}}},
    {"n": 4, "t": 3, "from": "harness", "message": {"type": "evaluation", "id": "abc", "number": 1, "verdict": "passed", "detail": "",
                                                    "cases": [{"case": "c", "set": "paper", "weight": 1, "timing": {"speedup": {"span": {"value": 2.5}}}}],
                                                    "profile": {"kind": "filtered", "class": "compute bound"}}},
    {"n": 5, "t": 4, "from": "session", "end": {"ending": "submitted", "detail": "", "id": "abc",
                                                "spent": {"evaluations": 1, "tokens": 120, "money": 0.25, "device_s": 1, "wall_s": 4}}},
]


def report(run, *words):
    return subprocess.run([MSKB, "report", run, *words], check=True, capture_output=True, text=True, env={**os.environ, "MSKB_HOME": str(HOME)}).stdout


def wait_free(driver, hash_part):
    driver.execute_script("location.hash = arguments[0]", hash_part)
    driver.execute_async_script("setTimeout(arguments[0], 0)")


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = Path(cls.folder.name)
        cls.runs = {"invented": root / "run", "cpu": HOME / "tests/golden/cpu", "measured": HOME / "results/h200/strict"}
        shutil.copytree(HOME / "tests/golden/strict", cls.runs["invented"])
        transcript = cls.runs["invented"] / "transcripts/gated_unit/fp32.jsonl"
        transcript.parent.mkdir(parents=True)
        transcript.write_text("".join(json.dumps(line) + "\n" for line in SESSION))
        cls.pages = {}
        for name, run in cls.runs.items():
            cls.pages[name] = root / (name + ".html")
            report(run, "--format", "html", "--out", cls.pages[name])
        options = Options()
        options.binary_location = BROWSER
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000", f"--user-data-dir={root / 'profile'}"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.driver = webdriver.Chrome(service=Service(DRIVER), options=options)

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        cls.folder.cleanup()

    def open(self, name, part=""):
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(self.pages[name].as_uri() + part)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        return self.driver.execute_script("return [...document.querySelectorAll(arguments[0])].filter((n) => n.checkVisibility()).map((n) => n.textContent)", selector)

    def problem_names(self):
        return json.loads(self.driver.execute_script("return JSON.stringify(data.problems.map((p) => p.name))"))

    def show_problem(self, name):
        self.driver.execute_script("location.hash = '#problem=' + encodeURIComponent(arguments[0])", name)
        self.driver.execute_async_script("setTimeout(arguments[0], 0)")
        self.assertEqual(self.find("#h-one").text, name)

    def test_every_view_opens_without_an_error_and_without_a_request(self):
        for name in self.pages:
            self.open(name)
            for problem in self.problem_names():
                self.show_problem(problem)
            self.assertEqual([entry["message"] for entry in self.driver.get_log("browser")], [])
            requests = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
            urls = {message["params"]["request"]["url"].split("#")[0] for message in requests if message["method"] == "Network.requestWillBeSent"}
            self.assertLessEqual(urls, {self.pages[name].as_uri()})

    def test_a_request_that_text_smuggles_in_is_refused_by_the_policy(self):
        self.open("invented")
        self.driver.execute_script("const i = document.createElement('img'); i.src = 'http://127.0.0.1:9/x'; document.body.append(i)")
        self.driver.execute_async_script("setTimeout(arguments[0], 100)")
        self.assertTrue(any("Content Security Policy" in entry["message"] for entry in self.driver.get_log("browser")))

    def test_sorts_by_figures_and_names_with_missing_figures_last(self):
        self.open("invented")
        column = "#problems tbody tr:not([hidden]) > :nth-child(5)"
        button = self.find("#problems thead th:nth-child(5) button")
        button.click()
        self.assertEqual(self.find("#problems thead th:nth-child(5)").get_attribute("aria-sort"), "descending")
        descending = self.driver.execute_script("return [...document.querySelectorAll(arguments[0])].map((c) => c.dataset.v ?? null)", column)
        numbers = [float(value) for value in descending if value is not None]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertGreater(len(set(numbers)), 3)
        button.send_keys(Keys.ENTER)
        self.assertEqual(self.find("#problems thead th:nth-child(5)").get_attribute("aria-sort"), "ascending")
        ascending = [float(v) for v in self.driver.execute_script("return [...document.querySelectorAll(arguments[0])].map((c) => c.dataset.v)", column) if v is not None]
        self.assertEqual(ascending, sorted(numbers))
        library = "#problems tbody tr:not([hidden]) > :nth-child(10)"
        self.find("#problems thead th:nth-child(10) button").click()
        values = self.driver.execute_script("return [...document.querySelectorAll(arguments[0])].map((c) => c.dataset.v ?? null)", library)
        self.assertIn(None, values)
        self.assertNotIn(None, values[:values.index(None)])
        self.assertEqual(set(values[values.index(None):]), {None})

    def test_filters_by_word_precision_candidate_and_verdict(self):
        self.open("invented")
        rows = lambda: self.texts("#problems tbody tr")
        everything = len(rows())
        self.find("#search").send_keys("product")
        self.assertEqual(len(rows()), 1)
        self.find("#search").clear()
        self.find("#filters button").click()
        self.driver.execute_async_script("setTimeout(arguments[0], 50)")
        self.assertEqual(len(rows()), everything)
        Select(self.find("#verdict")).select_by_value("build_failed")
        self.assertEqual(len(rows()), 1)
        self.assertEqual(self.find("#shown").text, "1 row of 1 problem")
        Select(self.find("#verdict")).select_by_value("")
        Select(self.find("#origin")).select_by_value("*")
        self.assertGreater(len(rows()), everything)
        Select(self.find("#precision")).select_by_value("bf16")
        self.assertTrue(all("bf16" in row for row in rows()))

    def test_figures_are_those_of_the_report(self):
        self.open("measured")
        expected = json.loads(report(self.runs["measured"], "--format", "json"))
        shown = self.driver.execute_script("return [...document.querySelectorAll('#problems tbody tr')].map((r) => [r.dataset.problem, r.dataset.origin, r.cells[4].dataset.v])")
        shown = {(problem, origin): float(value) for problem, origin, value in shown if value}
        for problem in expected["problems"]:
            key = (problem["task"] + "/" + problem["precision"], problem["origin"].removeprefix("optimizer:"))
            if problem["weighted_speedup"] == 0:  # nothing was timed
                self.assertNotIn(key, shown)
            else:
                self.assertAlmostEqual(shown[key] / problem["weighted_speedup"], 1, delta=2e-6)

    def test_a_problem_opens_by_keyboard_and_back_leads_home(self):
        self.open("invented")
        link = self.find("#problems tbody tr:not([hidden]) a.open")
        name = link.get_attribute("data-open")
        link.send_keys(Keys.ENTER)
        self.driver.execute_async_script("setTimeout(arguments[0], 50)")
        self.assertEqual(self.driver.switch_to.active_element.text, name)
        self.assertFalse(self.find("#all").is_displayed())
        self.driver.back()
        self.driver.execute_async_script("setTimeout(arguments[0], 50)")
        self.assertTrue(self.find("#all").is_displayed())
        self.assertFalse(self.find("#one").is_displayed())

    def test_the_problem_shows_charts_cases_session_and_rerun_lines(self):
        self.open("invented")
        self.show_problem("gated_unit/fp32")
        text = self.find("#one").get_attribute("textContent")
        self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, "#one svg.plot")), 2)
        for part in ("2.00 1.99\u20132.01", "call \u00b5s", "Bottleneck class before: unknown; after: compute bound", "$0.25 so far", "100 tokens in, 20 out",
                     "P 2.50 at paper", "mskb rerun ", "--from RUN", "candidates/"):
            self.assertIn(part, text)

    def test_text_of_a_model_stays_text(self):
        self.open("invented")
        self.show_problem("gated_unit/fp32")
        self.assertIsNone(self.driver.execute_script("return window.taken ?? null"))
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#one img, #one b"), [])
        text = self.find("#one").get_attribute("textContent")
        self.assertIn("</script><img src=x", text)
        self.assertIn("[U+202E]", text)
        self.assertNotIn("\u202e", text)
        self.assertIn("+<b>2</b> </script>", text)

    def test_cpu_runs_show_no_time(self):
        self.open("cpu")
        self.assertIn("verdicts only", self.find(".notice").text)
        self.show_problem(self.problem_names()[0])
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#one svg.plot"), [])

    def test_both_themes_have_contrast_and_the_choice_is_kept(self):
        self.open("invented")
        for _ in range(2):
            self.find("#theme").click()
            theme = self.driver.execute_script("return document.documentElement.dataset.theme")
            self.driver.refresh()
            self.assertEqual(self.driver.execute_script("return document.documentElement.dataset.theme"), theme)
            self.driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            self.assertEqual(self.driver.execute_script(CONTRAST), [], theme)
            self.show_problem("gated_unit/fp32")
            self.driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            self.assertEqual(self.driver.execute_script(CONTRAST), [], theme)
            wait_free(self.driver, "#overview")

    def test_names_headings_and_tables_serve_a_screen_reader(self):
        for name in self.pages:
            self.open(name)
            self.assertEqual(self.driver.execute_script(ACCESS), [], name)
            self.show_problem(self.problem_names()[0])
            self.driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            self.assertEqual(self.driver.execute_script(ACCESS), [], name)

    def test_a_phone_scrolls_in_one_direction_only(self):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 375, "height": 800, "deviceScaleFactor": 2, "mobile": True})
        try:
            for name in self.pages:
                self.open(name)
                width = "return [document.documentElement.scrollWidth, innerWidth]"
                self.assertEqual(*self.driver.execute_script(width))
                self.assertGreaterEqual(float(self.driver.execute_script("return parseFloat(getComputedStyle(document.body).fontSize)")), 16)
                self.assertEqual(self.driver.execute_script(CUT), [], name)
                if name == "invented":
                    badges = [badge.text for badge in self.driver.find_elements(By.CSS_SELECTOR, "#problems .badge") if badge.is_displayed()]
                    self.assertIn("clocks differ", badges)
                    self.assertTrue(any("undecided" in badge for badge in badges), badges)
                self.show_problem(self.problem_names()[0])
                self.assertEqual(*self.driver.execute_script(width))
                self.assertEqual(self.driver.execute_script(ACCESS), [], name)
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_a_candidate_has_one_colour_and_mark_in_every_view(self):
        seen = {}
        for name in ("invented", "measured"):
            self.open(name)
            for problem in [None] + self.problem_names():
                if problem:
                    self.show_problem(problem)
                for who, colour, mark in self.driver.execute_script(MARKS):
                    kind = "line" if mark.startswith("M0 6H26") else "mark"
                    known = seen.setdefault((name, who), {"colour": colour})
                    self.assertEqual(known["colour"], colour, (name, problem, who))
                    self.assertEqual(known.setdefault(kind, mark), mark, (name, problem, who))
            marks = [(known["colour"], known.get("mark")) for (page, _), known in seen.items() if page == name]
            self.assertGreater(len(marks), 1)
            self.assertEqual(len(marks), len(set(marks)))

    def test_tables_stand_without_scripts(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.driver.get(self.pages["measured"].as_uri() + "?plain")
            rows = self.driver.find_elements(By.CSS_SELECTOR, "#problems tbody tr")
            self.assertGreater(len(rows), 40)
            self.assertIn("need them", self.find("noscript").text)
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
