// Which view is shown follows the address, so that the page of a problem can be linked to.
function show() {
  const whole = document.getElementById("all"), one = document.getElementById("one");
  const prefix = "#problem=";
  let at = -1;
  if (location.hash.startsWith(prefix)) {
    let name = "";
    try { name = decodeURIComponent(location.hash.slice(prefix.length)); } catch (error) { name = ""; }
    at = data.problems.findIndex((problem) => problem.name === name);
  }
  const wasOpen = !one.hidden;
  one.replaceChildren();
  one.hidden = at < 0;
  whole.hidden = at >= 0;
  if (at >= 0) {
    fill(one, {}, [problemPage(at)]);
    window.scrollTo(0, 0);
    document.getElementById("h-one").focus({preventScroll: true});
  } else if (wasOpen) {
    const target = document.getElementById(location.hash.slice(1));
    if (target) target.scrollIntoView();
  }
}

function setUpTheme() {
  const button = document.getElementById("theme"), root = document.documentElement, key = "mskb-theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let stored = null;
  try { stored = localStorage.getItem(key); } catch (error) { stored = null; }
  const set = (dark) => {
    root.dataset.theme = dark ? "dark" : "light";
    button.setAttribute("aria-pressed", String(dark));
  };
  set(stored ? stored === "dark" : system.matches);
  system.addEventListener("change", (event) => { if (!stored) set(event.matches); });
  button.addEventListener("click", () => {
    stored = root.dataset.theme === "dark" ? "light" : "dark";
    set(stored === "dark");
    try { localStorage.setItem(key, stored); } catch (error) { /* a file may have no storage */ }
  });
}

setUpTheme();
setUpTable();
const overviewCharts = document.getElementById("overview-charts");
if (overviewCharts) overviewCharts.replaceChildren(...[successCurve(), scoreStrip()].filter(Boolean));
window.addEventListener("hashchange", show);
show();
