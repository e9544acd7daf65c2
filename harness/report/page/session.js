// The lines of a difference, each with its sign; colour only repeats it.
function diffView(diff, label) {
  if (!diff) return null;
  if (diff.note) return h("p", {class: "fine"}, diff.note);
  if (diff.text === "") return h("p", {class: "fine"}, "No difference.");
  const kinds = {"+": "add", "-": "del", "@": "hunk"};
  return h("pre", {class: "diff", tabindex: "0", "aria-label": label},
    diff.text.replace(/\n$/, "").split("\n").map((line) => h("span", {class: kinds[line[0]] || null}, line + "\n")));
}

function spokenOf(event) {
  const spent = [];
  if (isNumber(event.input) || isNumber(event.output)) spent.push(`${countText(event.input)} tokens in, ${countText(event.output)} out`);
  if (isNumber(event.cost)) spent.push(moneyText(event.cost));
  return spent.join(", ");
}

function eventView(event) {
  if (event.kind === "evaluation") {
    const speedups = Object.entries(event.speedups).map(([set, p]) => `P ${ratioText(p)} at ${set}`).join(", ");
    return h("li", {}, h("div", {}, h("span", {class: "what"}, `Evaluation ${event.number} `),
      h("span", {class: "verdict " + verdictKind(event.verdict)}, event.verdict), " ",
      h("span", {class: "of"}, [event.sets.join(", "), speedups, event.class, event.flags.join(" ")].filter(Boolean).join(" \u00b7 "))),
      event.detail ? h("p", {class: "text"}, event.detail) : null,
      event.same ? h("p", {class: "fine"}, "The same text as before.")
                 : event.diff ? h("details", {}, h("summary", {}, "What changed in the kernel"), diffView(event.diff, "Difference of evaluation " + event.number)) : null);
  }
  const long = event.text && event.text.text && event.text.text.length > 700;
  const text = event.text && (event.text.text || event.text.note);
  return h("li", {}, h("div", {}, h("span", {class: "what"}, event.role || event.kind), " ", h("span", {class: "of"}, spokenOf(event))),
    !text ? null : long ? h("details", {}, h("summary", {}, text.slice(0, 160).replace(/\s+/g, " ") + "\u2026"), h("p", {class: "text"}, text))
                        : h("p", {class: "text"}, text));
}

function sessionView(session) {
  const spent = `evaluations ${countText(session.evaluations)}, tokens ${countText(session.tokens)}, cost ${moneyText(session.money)}, ${isNumber(session.wall_s) ? session.wall_s.toFixed(0) + " s" : "time unknown"}`;
  let money = 0, known = false;
  const events = session.events.map((event) => {
    if (isNumber(event.cost)) { money += event.cost; known = true; }
    const item = eventView(event);
    if (event.kind === "evaluation" && known) item.firstChild.append(h("span", {class: "of"}, ` \u00b7 ${moneyText(money)} so far`));
    return item;
  });
  return [h("h3", {}, "Session"),
    h("p", {}, `${session.optimizer}${session.model ? " with " + session.model : ""}: ${session.ended ? session.ending.replaceAll("_", " ") : "cut off"}${session.detail ? " (" + session.detail + ")" : ""}. Spent: ${spent}.`),
    session.class_before || session.class_after
      ? h("p", {}, `Bottleneck class before: ${session.class_before || "unknown"}; after: ${session.class_after || "unknown"}.`) : null,
    h("ol", {class: "events"}, events)];
}
