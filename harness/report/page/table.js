// Sorting and filtering of the table of problems, which stands in the file as HTML.
function setUpTable() {
  const table = document.getElementById("problems");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const controls = Object.fromEntries(["search", "precision", "origin", "verdict"].map((name) => [name, document.getElementById(name)]));

  for (const name of ["precision", "origin", "verdict"]) {
    for (const value of [...new Set(rows.map((row) => row.dataset[name]))].sort()) controls[name].append(h("option", {value}, value));
  }

  function apply() {
    const words = controls.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    const problems = new Set();
    for (const row of rows) {
      const {problem, precision, origin, verdict} = row.dataset;
      const text = (problem + " " + origin + " " + verdict).toLowerCase();
      const wanted = controls.origin.value;
      const shown = words.every((word) => text.includes(word)) &&
        (!controls.precision.value || controls.precision.value === precision) &&
        (!controls.verdict.value || controls.verdict.value === verdict) &&
        (wanted === "*" || (wanted ? wanted === origin : !("original" in row.dataset)));
      row.hidden = !shown;
      if (shown) { count += 1; problems.add(problem); }
    }
    document.getElementById("shown").textContent = `${count} ${count === 1 ? "row" : "rows"} of ${problems.size} ${problems.size === 1 ? "problem" : "problems"}`;
  }
  for (const kind of ["input", "change"]) document.getElementById("filters").addEventListener(kind, apply);
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("filters").addEventListener("reset", () => setTimeout(apply));

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    if (!cell.classList.contains("n")) return cell.dataset.v ?? cell.textContent;
    return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
  };
  for (const button of table.tHead.querySelectorAll("button.sort")) {
    button.addEventListener("click", () => {
      const heading = button.parentElement;
      const figures = heading.classList.contains("n");
      const before = heading.getAttribute("aria-sort");
      const order = before === "none" ? (figures ? "descending" : "ascending") : before === "ascending" ? "descending" : "ascending";
      for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const keyed = rows.map((row, place) => ({row, place, value: valueOf(row, heading.cellIndex)}));
      keyed.sort((a, b) => {
        if (a.value === null || b.value === null) return (a.value === null) - (b.value === null) || a.place - b.place;  // without a figure: last
        const difference = figures ? a.value - b.value : a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
        return sign * difference || a.place - b.place;
      });
      body.append(...keyed.map(({row}) => row));
    });
  }
  for (const link of table.querySelectorAll("a.open")) link.href = "#problem=" + encodeURIComponent(link.dataset.open);
  apply();
}
