// The page of one problem.
function estimateCell(estimate) {
  if (!estimate) return none;
  const [value, low, high, decided] = estimate;
  const open = !decided && data.run.clock !== "batch";
  return [ratioText(value) + " ", h("span", {class: "of"}, spanText(low, high)),
    open ? h("abbr", {class: "open-verdict", title: "undecided"}, "?") : null];
}

const verdictCell = (verdict) => h("span", {class: "verdict " + verdictKind(verdict)}, verdict);

function candidateTable(problem) {
  const rows = problem.candidates.map((one) => {
    const [passed, failed, skipped, undecided, missing] = one.counts;
    const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`, undecided && `${undecided} undecided`, missing && `${missing} missing`];
    const name = data.run.several_sets ? `${one.origin} (${one.set})` : one.origin;
    const row = [name, [verdictCell(one.verdict), data.run.protocol === "paper" && one.paper ? ` (published rule: ${one.paper})` : ""], counts.filter(Boolean).join(", ")];
    if (!data.run.cpu) {
      row.push([ratioText(one.p), " ", h("span", {class: "of"}, isNumber(one.p) ? spanText(one.low, one.high) : "")], ratioText(one.call),
        isNumber(one.launch_share) ? shareText(one.launch_share) : none, shareText(one.limit), shareText(one.closed), ratioText(one.best));
    }
    row.push(one.class || none);
    return row;
  });
  const columns = [["Candidate"], ["Verdict"], ["Cases"]];
  if (!data.run.cpu) columns.push(["P", true], ["P call", true], ["Launch-bound", true], ["Limit", true], ["Closed", true], ["\u00d7 library", true]);
  columns.push(["Class"]);
  return makeTable("Candidates of " + problem.name, columns, rows);
}

function caseTable(problem) {
  const weights = {};
  for (const one of problem.cases) weights[one.set] = (weights[one.set] || 0) + one.weight;
  const rows = problem.cases.flatMap((one) => one.rows.map((row, i) => {
    const candidate = problem.candidates[row.c];
    const cells = [[i === 0 ? one.size + " " : "", h("span", {class: "of"}, `${one.set}/${one.index}`)],
      candidate ? candidate.origin : none, verdictCell(row.verdict)];
    if (!data.run.cpu) {
      const times = [row.us, row.call_us, row.busy_us, row.null_us].map(timeText);
      cells.push(i === 0 && one.set !== "check" ? shareText(one.weight / weights[one.set]) : "", estimateCell(row.s), estimateCell(row.call), ...times,
        row.launch_bound ? "yes" : "", shareText(row.limit), ratioText(row.best));
    }
    cells.push(isNumber(row.worst) ? row.worst.toPrecision(2) : none, h("code", {}, row.id.slice(0, 8)));
    return cells;
  }));
  const columns = [["Case"], ["Candidate"], ["Verdict"]];
  if (!data.run.cpu) {
    columns.push(["Weight", true], ["S", true], ["S call", true], [data.run.time_clock + " \u00b5s", true], ["call \u00b5s", true], ["busy \u00b5s", true], ["null \u00b5s", true],
      ["Launch-bound"], ["Limit", true], ["\u00d7 library", true]);
  }
  columns.push(["Error / bound", true], ["Record"]);
  return makeTable("Cases of " + problem.name, columns, rows);
}

function verdictDetails(problem) {
  const lines = problem.cases.flatMap((one) => one.rows.filter((row) => row.detail).map((row) => {
    const candidate = problem.candidates[row.c];
    return h("li", {class: "break"}, `${one.set}/${one.index}, ${candidate ? candidate.origin : "?"}: `, verdictCell(row.verdict), ` \u2013 ${row.detail}`);
  }));
  return lines.length === 0 ? null : [h("h3", {}, "Verdicts in detail"), h("ul", {}, lines)];
}

function launchTable(problem) {
  const rows = problem.cases.flatMap((one) => one.rows.filter((row) => row.launches && row.launches.length > 0).flatMap((row) =>
    row.launches.map((launch) => [problem.candidates[row.c].origin, h("code", {class: "break"}, launch.kernel), one.size, launch.grid.join("\u00d7"),
      launch.block.join("\u00d7"), launch.registers, launch.shared, launch.count])));
  return rows.length === 0 ? null : [h("h3", {}, "Launches at the largest case"),
    makeTable("Launches at the largest case of " + problem.name,
      [["Candidate"], ["Kernel"], ["Size"], ["Grid", true], ["Block", true], ["Registers", true], ["Shared bytes", true], ["Count", true]], rows)];
}

function sourceViews(problem) {
  const seen = new Set();
  const views = problem.candidates.filter((one) => !seen.has(one.id) && seen.add(one.id)).map((one) => {
    const source = data.sources[one.id];
    if (!source || source.note) return h("p", {class: "notice part"}, `${one.origin}: ${source ? source.note : "no sources"}`);
    const changed = source.files.some((file) => file.changed);
    return h("details", {}, h("summary", {}, `${one.origin}${source.flags.length ? " (" + source.flags.join(" ") + ")" : ""}`),
      changed ? h("p", {class: "notice part"}, "This source holds characters that cannot be seen or that change the direction of text; they are written out as [U+....].") : null,
      one.diff ? [h("h4", {}, "Against the original"), diffView(one.diff, `Difference of ${one.origin} from the original`)] : null,
      source.files.map((file) => [h("h4", {}, file.name), file.note ? h("p", {class: "fine"}, file.note)
        : h("pre", {tabindex: "0", "aria-label": `Source ${file.name} of ${one.origin}`}, h("code", {}, file.text))]));
  });
  return [h("h3", {}, "Sources"), views];
}

function rerunLines(problem) {
  const lines = problem.cases.flatMap((one) => one.rows.map((row) => {
    const candidate = problem.candidates[row.c];
    return `mskb rerun ${row.id} --from RUN   # ${one.set}/${one.index} ${candidate ? candidate.origin : ""}`;
  }));
  return h("details", {}, h("summary", {}, "Lines that repeat each evaluation (RUN: this run's directory)"),
    h("pre", {tabindex: "0", "aria-label": "Rerun lines"}, lines.join("\n")));
}

function problemPage(at) {
  const problem = data.problems[at];
  problem.precision = problem.name.slice(problem.name.lastIndexOf("/") + 1);
  const link = (other, text) => other ? h("a", {href: "#problem=" + encodeURIComponent(other.name)}, text + other.name) : null;
  const sets = [...new Set(problem.cases.map((one) => one.set))].filter((set) => set !== "check");
  const originals = (c) => problem.candidates[c].kind !== "reference";
  const everyone = problem.candidates.map((_, c) => c);
  const charts = data.run.cpu ? [] : sets.map((set) => {
    const cases = problem.cases.filter((one) => one.set === set).sort((a, b) => a.weight - b.weight || a.index - b.index);
    const inSet = everyone.filter((c) => problem.candidates[c].set === set);
    const rivals = inSet.filter(originals);
    return [h("h3", {}, sets.length > 1 ? `Speedup and roofline, sizes ${set}` : "Speedup by size and place under the roof"),
      h("div", {class: "charts"}, rivals.length > 0 ? speedupChart(problem, cases, rivals) : null, roofline(problem, cases, inSet))];
  });
  return [h("p", {class: "back"}, h("a", {href: "#table"}, "All problems"), link(data.problems[at - 1], "\u2190 "), link(data.problems[at + 1], "\u2192 ")),
    h("h2", {id: "h-one", tabindex: "-1"}, problem.name),
    candidateTable(problem), charts, verdictDetails(problem),
    problem.session ? sessionView(problem.session) : null,
    h("h3", {}, "Cases"), h("p", {class: "fine"}, `${problem.checks_passed} check evaluations passed and are not listed. ?: undecided, the interval reaches further than 1 % to either side.`),
    problem.cases.length > 0 ? caseTable(problem) : h("p", {}, "No other case is on record."),
    rerunLines(problem), launchTable(problem), sourceViews(problem)];
}
