"use strict";
// Texts enter the page as text nodes only, whatever stands in them.
const data = JSON.parse(document.getElementById("data").textContent);
const svgNames = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined) node.append(child instanceof Node ? child : String(child));
  }
  return node;
}
const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const g = (name, attributes, ...children) => fill(document.createElementNS(svgNames, name), attributes, children);

// The same figures as the other formats of the report print.
const none = "\u2013";
const isNumber = (x) => typeof x === "number" && isFinite(x);
const ratioText = (x) => !isNumber(x) ? none : x.toFixed(Math.abs(x) >= 999.5 ? 0 : Math.abs(x) >= 99.95 ? 1 : 2);
const timeText = (x) => !isNumber(x) ? none : x.toFixed(x >= 999.95 ? 0 : x >= 99.995 ? 1 : x >= 9.9995 ? 2 : 3);
const shareText = (x) => !isNumber(x) ? none : (x * 100).toFixed(0) + "%";
const spanText = (low, high) => low === high ? "" : ratioText(low) + "\u2013" + ratioText(high);
const countText = (x) => !isNumber(x) ? "unknown" : Math.round(x).toLocaleString("en");
const moneyText = (x) => !isNumber(x) ? "unknown" : "$" + x.toFixed(x < 0.1 ? 4 : 2);
const verdictKind = (verdict) => verdict === "passed" ? "good" : verdict === "skipped" ? "part" : "bad";

// columns: [title, is a figure]; rows: lists of cells (texts or nodes), the first one names the row.
function makeTable(caption, columns, rows) {
  const cell = (content, i) => i === 0 ? h("th", {scope: "row"}, content)
                                       : h("td", {class: columns[i][1] ? "n" : null}, content);
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    h("table", {}, h("caption", {class: "hidden"}, caption),
      h("thead", {}, h("tr", {}, columns.map(([title, figure]) => h("th", {scope: "col", class: figure ? "n" : null}, title)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map(cell))))));
}
