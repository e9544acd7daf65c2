const lineStyles = ["", "6 3", "2 3", "9 3 2 3", "12 4"];
const colour = (i) => `var(--s${i % 8})`;

// One number for each author on the whole page, so that its colour and mark are the same in every view. Colours and marks come together again after 40.
const authors = [...new Set(["reference", ...data.curves.map((curve) => curve.origin),
  ...data.problems.flatMap((problem) => problem.candidates.map((one) => one.author))])];
const seriesOf = (author) => authors.indexOf(author);
// Size sets of one author: other dashes, hollow marks.
const sets = [...new Set(data.curves.map((curve) => curve.set))];
const setOf = (set) => Math.max(0, sets.indexOf(set));
const dashes = (i, set) => lineStyles[(i + setOf(set)) % lineStyles.length];

// A shape of its own for each series, so that colour alone tells nothing; hollow: undecided.
function marker(i, x, y, hollow) {
  const r = 4;
  const paint = {fill: hollow ? "var(--paper)" : colour(i), stroke: colour(i), "stroke-width": 1.5};
  const path = [`M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
    `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M${x} ${y - r - 1}l${r + 1} ${2 * r + 1}h${-2 * r - 2}z`,
    `M${x} ${y - r - 1}l${r + 1} ${r + 1}l${-r - 1} ${r + 1}l${-r - 1} ${-r - 1}z`,
    `M${x} ${y + r + 1}l${r + 1} ${-2 * r - 1}h${-2 * r - 2}z`][i % 5];
  return g("path", {d: path, ...paint});
}

// names: [series, text, set].
function legend(names, withLine) {
  return h("ul", {class: "legend"}, names.map(([i, name, set]) => h("li", {},
    g("svg", {viewBox: "0 0 26 12", "aria-hidden": "true"},
      withLine ? g("path", {d: "M0 6H26", stroke: colour(i), "stroke-width": 2, fill: "none", "stroke-dasharray": dashes(i, set)}) : null,
      withLine ? null : marker(i, 13, 6, setOf(set) > 0)),
    name)));
}

const plot = {width: 640, height: 320, left: 62, right: 20, top: 12, bottom: 46};

// An empty plot with logarithmic y (and x where asked), its ticks and titles; `description` says in words what it shows.
function frame(title, description, xTitle, yTitle, yTicks, xTicks) {
  const {width, height, left, right, top, bottom} = plot;
  const svg = g("svg", {class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title + ". " + description});
  for (const [y, text] of yTicks) {
    svg.append(g("path", {class: "rule", d: `M${left} ${y}H${width - right}`}),
      g("text", {x: left - 8, y: y + 4, "text-anchor": "end"}, text));
  }
  for (const [x, text] of xTicks) {
    const fitting = Math.min(x, width - 3.4 * text.length);  // a long text would leave the picture
    svg.append(g("text", {x: fitting, y: height - bottom + 17, "text-anchor": "middle"}, text));
  }
  svg.append(g("path", {class: "axis", d: `M${left} ${top}V${height - bottom}H${width - right}`}),
    g("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, xTitle),
    g("text", {x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, yTitle));
  return svg;
}

// Powers of `base` that hold all values, at most `most` ticks.
function logScale(values, base, from, to, most) {
  const logs = values.filter((v) => v > 0).map((v) => Math.log(v) / Math.log(base));
  let least = Math.floor(Math.min(...logs)), greatest = Math.ceil(Math.max(...logs));
  if (least === greatest) { least -= 1; greatest += 1; }
  const place = (v) => from + (Math.log(v) / Math.log(base) - least) / (greatest - least) * (to - from);
  const step = Math.ceil((greatest - least) / most);
  const ticks = [];
  for (let k = least; k <= greatest; k += step) ticks.push([place(base ** k), k]);
  return {place, ticks, least: base ** least, greatest: base ** greatest};
}

const plainPower = (base, k) => k < 0 && base === 2 ? `1/${2 ** -k}` : String(base ** k);
const superscript = (k) => "10" + String(k).replace(/./g, (c) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b"["0123456789-".indexOf(c)]);

// Share of problems that are right and have P above tau, over tau.
function successCurve() {
  const series = data.curves.filter((curve) => curve.problems > 0);
  if (series.length === 0) return null;
  const all = series.flatMap((curve) => curve.speedups).filter((p) => p > 0);
  if (all.length === 0) return null;
  const {width, height, left, right, top, bottom} = plot;
  const x = logScale([...all, 0.5, 8], 2, left + 60, width - right, 10);
  const y = (share) => height - bottom - share * (height - bottom - top);
  const svg = frame("Cumulative success", "Share of all problems that are correct and have a score above tau, for each candidate; the table above gives the figures.",
    "\u03c4 (score P)", "share of problems", [0, 0.25, 0.5, 0.75, 1].map((v) => [y(v), shareText(v)]),
    [[left + 20, "correct"], ...x.ticks.map(([at, k]) => [at, plainPower(2, k)])]);
  series.forEach((curve) => {
    const i = seriesOf(curve.origin);
    const sorted = curve.speedups.filter((p) => p > 0).sort((a, b) => a - b);
    let share = curve.speedups.length / curve.problems;
    let path = `M${left} ${y(share)}`;
    for (const p of sorted) {
      path += `H${x.place(p).toFixed(1)}`;
      share -= 1 / curve.problems;
      path += `V${y(share).toFixed(1)}`;
    }
    svg.append(g("path", {d: path, fill: "none", stroke: colour(i), "stroke-width": 2, "stroke-dasharray": dashes(i, curve.set)}));
  });
  return h("figure", {class: "chart", tabindex: "0", "aria-label": svg.getAttribute("aria-label").split(". ")[0]}, svg, h("figcaption", {class: "fine"}, "Share of problems that are correct and have P > \u03c4; each curve over the problems of its candidate."),
    legend(series.map((curve) => [seriesOf(curve.origin), curve.origin + (data.run.several_sets ? ` (${curve.set})` : ""), curve.set]), true));
}

// P of every problem of each candidate, greatest first.
function scoreStrip() {
  const series = data.curves.map((curve) => ({...curve, scores: data.problems.flatMap((problem) =>
    problem.candidates.filter((one) => one.author === curve.origin && one.set === curve.set && one.p > 0).map((one) => ({name: problem.name, p: one.p, low: one.low, high: one.high})))}));
  const names = [...new Set(series.flatMap((one) => one.scores.map((score) => score.name)))];
  if (names.length < 2) return null;
  const {width, height, left, right, top, bottom} = plot;
  const best = (name) => Math.max(...series.flatMap((one) => one.scores.filter((score) => score.name === name).map((score) => score.p)));
  const order = new Map(names.map((name) => [name, best(name)]).sort((a, b) => b[1] - a[1]).map(([name], at) => [name, at]));
  const y = logScale([1, ...series.flatMap((one) => one.scores.flatMap((score) => [score.p, score.low, score.high]))], 2, height - bottom, top, 8);
  const svg = frame("Score of each problem", "The table of problems below gives the figures.", "problems, by their greatest score", "P",
    y.ticks.map(([at, k]) => [at, plainPower(2, k)]), []);
  svg.append(g("path", {class: "one", d: `M${left} ${y.place(1)}H${width - right}`}));
  const step = (width - right - left) / names.length;
  series.forEach((one) => {
    const i = seriesOf(one.origin);
    for (const score of one.scores) {
      const x = left + step * (order.get(score.name) + 0.5);
      svg.append(g("g", {}, g("title", {}, `${score.name}, ${one.origin}: ${ratioText(score.p)} ${spanText(score.low, score.high)}`),
        g("path", {d: `M${x} ${y.place(score.low)}V${y.place(score.high)}`, stroke: colour(i), "stroke-width": 1.5, fill: "none"}),
        marker(i, x, y.place(score.p), setOf(one.set) > 0)));
    }
  });
  return h("figure", {class: "chart", tabindex: "0", "aria-label": svg.getAttribute("aria-label").split(". ")[0]}, svg, h("figcaption", {class: "fine"}, "P of each problem with its interval; the dotted line stands at 1."),
    legend(series.map((one) => [seriesOf(one.origin), one.origin + (data.run.several_sets ? ` (${one.set})` : ""), one.set]), false));
}

// Speedup by size with its interval; `cases` are of one size set.
function speedupChart(problem, cases, shown) {
  const points = cases.flatMap((one, at) => one.rows.filter((row) => row.s && shown.includes(row.c)).map((row) => ({at, row})));
  if (points.length === 0) return null;
  const {width, height, left, right, top, bottom} = plot;
  const y = logScale([1, ...points.flatMap(({row}) => [row.s[1], row.s[2], row.s[0]])], 2, height - bottom, top, 8);
  const step = (width - right - left) / cases.length;
  const every = Math.ceil(cases.length / 5);
  const xTicks = cases.map((one, at) => [left + step * (at + 0.5), one.size]).filter((_, at) => at % every === 0);
  const svg = frame("Speedup by size", "The table of cases below gives the figures.", "size, in order of weight", "speedup over the original",
    y.ticks.map(([at, k]) => [at, plainPower(2, k)]), xTicks);
  svg.append(g("path", {class: "one", d: `M${left} ${y.place(1)}H${width - right}`}));
  for (const {at, row} of points) {
    const series = seriesOf(problem.candidates[row.c].author);
    const x = left + step * (at + 0.5) + (shown.indexOf(row.c) - (shown.length - 1) / 2) * Math.min(9, step / (shown.length + 1));
    const [value, low, high, decided] = row.s;
    const clock = data.run.clock;
    svg.append(g("g", {}, g("title", {}, `${problem.candidates[row.c].origin}, ${cases[at].size}: ${ratioText(value)} ${spanText(low, high)} on ${clock}${decided || clock === "batch" ? "" : ", undecided"}`),
      g("path", {d: `M${x} ${y.place(low)}V${y.place(high)}`, stroke: colour(series), "stroke-width": 2, fill: "none"}),
      marker(series, x, y.place(value), !decided && clock !== "batch")));
  }
  return h("figure", {class: "chart", tabindex: "0", "aria-label": svg.getAttribute("aria-label").split(". ")[0]}, svg, legend(shown.map((c) => [seriesOf(problem.candidates[c].author), problem.candidates[c].origin]), false),
    h("figcaption", {class: "fine"}, data.run.clock === "batch" ? "Protocol paper gives no intervals." : "Hollow marks are undecided: their interval reaches further than 1 % to either side."));
}

// Where each case lies under the roof of bandwidth and FP32 peak, from the task's own counts of bytes and operations.
function roofline(problem, cases, shown) {
  const {bandwidth, flops} = data.run;
  const points = cases.flatMap((one) => one.flops > 0 && one.bytes > 0
    ? one.rows.filter((row) => isNumber(row.us) && shown.includes(row.c)).map((row) => ({one, row, x: one.flops / one.bytes, y: one.flops / row.us * 1e6}))
    : []);
  if (points.length === 0 || !(bandwidth > 0) || !(flops > 0)) {
    return h("p", {class: "fine"}, cases.some((one) => one.flops > 0) ? "No roofline: the device's rates are unknown, or nothing was timed."
                                                                     : "No roofline: the task states no floating-point operations.");
  }
  const {width, height, left, right, top, bottom} = plot;
  const ridge = flops / bandwidth;
  const x = logScale([...points.map((p) => p.x), ridge / 4, ridge * 4], 10, left, width - right, 7);
  const y = logScale([...points.map((p) => p.y), flops], 10, height - bottom, top, 7);
  const svg = frame("Roofline", "Attained operations per second over operations per byte, under the device's limits; the table of cases gives each share of the limit.",
    "operations per byte", "operations per second", y.ticks.map(([at, k]) => [at, superscript(k)]), x.ticks.map(([at, k]) => [at, superscript(k)]));
  const start = Math.max(x.least, y.least / bandwidth);
  svg.append(g("path", {class: "ceiling", d: `M${x.place(start)} ${y.place(start * bandwidth)}L${x.place(ridge)} ${y.place(flops)}H${width - right}`}));
  for (const {one, row, x: intensity, y: rate} of points) {
    const series = seriesOf(problem.candidates[row.c].author);
    svg.append(g("g", {}, g("title", {}, `${problem.candidates[row.c].origin}, ${one.size}: ${shareText(row.limit)} of the limit`),
      marker(series, x.place(intensity), y.place(rate), false)));
  }
  const tensor = problem.precision === "bf16" ? " Matrix units can exceed the FP32 vector peak." : "";
  return h("figure", {class: "chart", tabindex: "0", "aria-label": svg.getAttribute("aria-label").split(". ")[0]}, svg, legend(shown.map((c) => [seriesOf(problem.candidates[c].author), problem.candidates[c].origin]), false),
    h("figcaption", {class: "fine"}, "The roof is the data sheet's memory bandwidth and FP32 vector peak." + tensor));
}
