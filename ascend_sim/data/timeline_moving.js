// The page of a timeline, 3: moving around, pointing, selecting, searching. timeline/page.py puts the three parts into one function.

// -- moving ---------------------------------------------------------------------------------------------------------

const LEAST = 50; // ns on the screen
const limit = () => {
  const most = (all.t1 - all.t0) * 1.02;
  let span = Math.min(Math.max(view.t1 - view.t0, LEAST), Math.max(most, LEAST));
  const centre = (view.t0 + view.t1) / 2;
  view.t0 = centre - span / 2; view.t1 = centre + span / 2;
  const lo = all.t0 - span * 0.5, hi = all.t1 + span * 0.5;
  if (view.t0 < lo) { view.t0 = lo; view.t1 = lo + span; }
  if (view.t1 > hi) { view.t1 = hi; view.t0 = hi - span; }
};
const zoom = (factor, x) => {
  const at = x === undefined ? (view.t0 + view.t1) / 2 : T(x);
  const span = (view.t1 - view.t0) * factor;
  if (span > (all.t1 - all.t0)) { Object.assign(view, all); later(); return; }
  view.t0 = at - (at - view.t0) * factor; view.t1 = at + (view.t1 - at) * factor;
  if (view.t1 - view.t0 < LEAST) { view.t0 = at - LEAST / 2; view.t1 = at + LEAST / 2; }
  limit(); later();
};
const pan = (share) => { const by = (view.t1 - view.t0) * share; view.t0 += by; view.t1 += by; limit(); later(); };
const show = (t0, t1) => { const room = Math.max((t1 - t0) * 0.6, LEAST / 2); view.t0 = t0 - room; view.t1 = t1 + room; limit(); later(); };
const reveal = (s) => { // moves only when it cannot be seen
  const lane = data.tracks[s.track].lane, span = view.t1 - view.t0;
  if (s.start > view.t1 || s.end < view.t0 || s.end - s.start > span * 4) show(s.start, s.end);
  else if (X(s.end) - X(s.start) < 2) { const w = Math.max((s.end - s.start) * 40, LEAST); if (w < span) { view.t0 = s.start - w / 2; view.t1 = s.end + w / 2; limit(); } }
  if (lane.y < scroll) scroll = lane.y - 8;
  else if (lane.y + lane.height > scroll + height - RULER) scroll = lane.y + lane.height - (height - RULER) + 8;
  later();
};

const at = (x, y) => {
  if (x < GUTTER || y < RULER) return null;
  for (const mark of marks) if (mark.x != null && Math.hypot(mark.x - x, mark.y - y) < 9) return { mark };
  const yy = y - RULER + scroll;
  const lane = lanes.find((l) => yy >= l.y && yy < l.y + l.height);
  if (!lane) return null;
  if (lane.kind === "memory") return { lane };
  const slack = 3 * (view.t1 - view.t0) / (width - GUTTER), t = T(x);
  let best = null, distance = Infinity;
  for (const row of lane.rows) {
    if (yy < row.y - 1 || yy > row.y + row.height + 1) continue;
    for (let i = bisect(row.ends, t - slack); i < row.items.length && row.starts[i] <= t + slack; i++) {
      const s = row.items[i], d = t < s.start ? s.start - t : t > s.end ? t - s.end : 0;
      if (d < distance) { best = s; distance = d; }
      if (i > bisect(row.ends, t - slack) + 200) break;
    }
  }
  return best ? { slice: best } : { lane };
};

// -- what is under the pointer, and what is selected -----------------------------------------------------------------

const pairs = (s) => {
  const found = [[spoken("time"), spoken("from {0} to {1}", duration(s.start), duration(s.end))], [spoken("length"), duration(s.end - s.start)]];
  for (const line of (texts[s.lines] || "").split("\n")) {
    if (!line) continue;
    const tab = line.indexOf("\t");
    found.push([line.slice(0, tab), line.slice(tab + 1)]);
  }
  return found;
};
const list = (rows) => {
  const dl = element("dl");
  for (const [label, value] of rows) { dl.append(element("dt", label), element("dd", value)); }
  return dl;
};
const place = (number) => {
  const [file, line, name, source] = sites[number];
  if (!file) return null;
  const box = element("div");
  box.style.marginTop = "4px";
  const where = element("span", `${base(file)}:${line}`);
  where.title = file;
  box.append(where, element("span", name && name !== "<module>" ? ` ${spoken("in {0}", name)}` : "", "faint"));
  if (source) { box.append(element("br"), element("code", source)); }
  return box;
};
const laneName = (track) => { const t = data.tracks[track]; return t.kind === "stream" && !t.name.includes(spoken("stream")) ? spoken("stream {0}", t.name) : t.name; };

const describe = (box, s) => {
  box.append(element("b", s.name), element("span", `  ${spoken("on {0}", laneName(s.track))}`, "faint"), list(pairs(s)));
  const where = place(s.site);
  if (where) box.append(where);
};

const describeMark = (box, mark) => {
  const head = element("div");
  head.append(element("span", `${mark.severity}[${mark.kind}]`, mark.severity), element("span", ` ${spoken("{0} at time {1}", mark.id, duration(mark.time))}${mark.count > 1 ? `, ${spoken("{0} times", mark.count)}` : ""}${mark.suppressed ? `, ${spoken("suppressed")}` : ""}`, "faint"));
  box.append(head, element("div", mark.title));
  for (const [text, site] of mark.sites) {
    const where = place(site);
    if (!where) continue;
    const row = element("div");
    row.style.marginTop = "4px";
    row.append(element("span", `${text}: `, "faint"), where);
    where.style.display = "inline"; where.style.marginTop = "0";
    box.append(row);
  }
  if (mark.order) box.append(list([[spoken("order"), mark.order]]));
  if (mark.fix) box.append(list([[spoken("help"), mark.fix]]));
};

const describeMemory = (box, lane, x) => {
  const { counter } = lane, i = bisect(counter.times, T(x)) - 1;
  box.append(element("b", spoken("{0} of {1} in use", amount(i < 0 ? 0 : counter.values[i]), counter.name)), element("span", `  ${spoken("most {0}", amount(counter.most))}`, "faint"));
  if (i >= 0 && texts[counter.points[4 * i + 2]]) {
    box.append(list([[spoken("last change"), spoken("{0} at time {1}", texts[counter.points[4 * i + 2]], duration(counter.times[i]))]]));
    const where = place(counter.points[4 * i + 3]);
    if (where) box.append(where);
  }
};

const say = (x, y, thing) => {
  tip.hidden = !thing || (thing.lane && thing.lane.kind !== "memory");
  if (tip.hidden) return;
  tip.replaceChildren();
  if (thing.mark) describeMark(tip, thing.mark);
  else if (thing.slice) describe(tip, thing.slice);
  else describeMemory(tip, thing.lane, x);
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = `${Math.max(4, x + 16 + w > width ? x - w - 12 : x + 16)}px`;
  tip.style.top = `${Math.max(4, y + 18 + h > height ? Math.min(y - h - 12, height - h - 4) : y + 18)}px`;
};

const select = (s, move) => {
  selected = s; current = s ? -1 : current;
  const box = $("details");
  box.replaceChildren();
  if (!s) { box.append(element("h2", spoken("Details")), element("span", spoken("Point at something, or click it to keep it here."), "faint")); later(); return; }
  describe(box, s);
  const links = (edgesOf, word, other) => {
    for (const edge of edgesOf.slice(0, 12)) {
      const target = edge[other];
      if (!target) continue;
      const name = edge.name ? ` (${edge.name.replaceAll("`", "")})` : "";
      const link = element("button", `${EDGE_WORDS[edge.kind][word]}${name}: ${spoken("{0} on {1}", target.name, laneName(target.track))}`, "link");
      link.onclick = () => select(target, true);
      box.append(link);
    }
    if (edgesOf.length > 12) box.append(element("div", spoken("and {0} more", edgesOf.length - 12), "faint"));
  };
  const submit = (edge) => edge.kind === "submit"; // the least interesting of them
  links([...causesOf(s)].sort((a, b) => submit(a) - submit(b)), 1, "cause");
  links(s.effects || [], 0, "effect");
  box.scrollTop = 0;
  if (move) reveal(s); else later();
};

const openMark = (i, move) => {
  current = i; selected = null;
  const mark = marks[i], box = $("details");
  box.replaceChildren();
  describeMark(box, mark);
  for (const [n, button] of [...$("findings").querySelectorAll("button")].entries()) button.setAttribute("aria-current", String(n === i));
  if (move) {
    const lane = data.tracks[mark.track].lane, span = view.t1 - view.t0;
    if (mark.time < view.t0 || mark.time > view.t1) { view.t0 = mark.time - span / 2; view.t1 = mark.time + span / 2; limit(); }
    if (lane.y < scroll || lane.y + lane.height > scroll + height - RULER) scroll = lane.y - 40;
  }
  later();
};
const nextMark = (by) => {
  if (!marksInTime.length) return;
  const i = current < 0 ? (by > 0 ? -1 : 0) : marksInTime.findIndex((mark) => mark.index === current);
  openMark(marksInTime[(i + by + marksInTime.length) % marksInTime.length].index, true);
};

const legend = () => {
  const used = new Set();
  for (const track of slices) for (const s of track) used.add(s.category);
  const box = $("legend");
  box.replaceChildren();
  for (const category of CATEGORIES) {
    if (!used.has(category)) continue;
    const chip = document.createElement("canvas");
    chip.width = 44; chip.height = 24;
    const c = chip.getContext("2d");
    c.scale(2, 2); c.fillStyle = patterns[category]; c.fillRect(0, 0, 22, 12);
    const item = element("span");
    item.setAttribute("role", "listitem");
    item.append(chip, element("span", MEANINGS[category]));
    box.append(item);
  }
  const kinds = new Set(shownEdges.map((edge) => edge.kind));
  if (kinds.size) box.append(element("span", `${spoken("arrows")}: ${[...kinds].join(", ")}`));
};

const listFindings = () => {
  const box = $("findings");
  const count = marks.length;
  box.append(element("h2", count ? plural(count, "finding") : spoken("Findings")));
  if (!count) box.append(element("span", spoken("There were none in this run."), "faint"));
  marks.forEach((mark, i) => {
    const button = element("button");
    button.append(element("span", `${mark.severity}[${mark.kind}]`, mark.severity), element("span", ` ${mark.title}`), element("span", `\u2002${spoken("at time {0}", duration(mark.time))}`, "faint"));
    button.onclick = () => openMark(i, true);
    box.append(button);
  });
};

// -- input ----------------------------------------------------------------------------------------------------------

const point = (event) => { const box = stage.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
chart.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [x] = point(event), unit = event.deltaMode === 1 ? 18 : 1;
  if (x < GUTTER || event.altKey) scroll += event.deltaY * unit;
  else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) { pan((event.deltaX || event.deltaY) * unit / (width - GUTTER)); return; }
  else { zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * unit)) * 0.0022), x); return; }
  later();
}, { passive: false });

let drag = null;
chart.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  const [x, y] = point(event);
  chart.setPointerCapture(event.pointerId);
  drag = { x, y, t0: view.t0, t1: view.t1, scroll, moved: false, measure: event.shiftKey || (y < RULER && x > GUTTER) };
  if (drag.measure) range = { x0: x, x1: x };
  tip.hidden = true;
});
chart.addEventListener("pointermove", (event) => {
  const [x, y] = point(event);
  if (!drag) {
    const thing = at(x, y);
    hover = thing && thing.slice || null;
    chart.style.cursor = y < RULER ? "col-resize" : thing && (thing.slice || thing.mark) ? "pointer" : x < GUTTER ? "ns-resize" : "default";
    say(x, y, thing);
    later();
    return;
  }
  if (Math.hypot(x - drag.x, y - drag.y) > 3) drag.moved = true;
  if (drag.measure) { range.x1 = x; later(); return; }
  if (!drag.moved) return;
  chart.style.cursor = "grabbing";
  const by = (drag.x - x) / (width - GUTTER) * (drag.t1 - drag.t0);
  if (drag.x >= GUTTER) { view.t0 = drag.t0 + by; view.t1 = drag.t1 + by; limit(); }
  scroll = drag.scroll + drag.y - y;
  later();
});
const release = (event) => {
  if (!drag) return;
  const [x, y] = point(event), was = drag;
  drag = null;
  if (was.measure) {
    const a = T(Math.max(Math.min(range.x0, range.x1), GUTTER)), b = T(Math.max(range.x0, range.x1));
    range = null;
    if (was.moved && b - a > LEAST) { view.t0 = a; view.t1 = b; limit(); }
    later();
  } else if (!was.moved) {
    const thing = at(x, y);
    if (thing && thing.mark) openMark(thing.mark.index, false); else select(thing && thing.slice || null, false);
  }
};
chart.addEventListener("pointerup", release);
chart.addEventListener("pointercancel", () => { drag = range = null; later(); });
chart.addEventListener("pointerleave", () => { hover = null; tip.hidden = true; later(); });
chart.addEventListener("dblclick", () => { if (selected) show(selected.start, selected.end); });

const jump = (event) => {
  const x = event.clientX - overview.getBoundingClientRect().left;
  if (x < GUTTER) return;
  const t = all.t0 + (x - GUTTER) / (width - GUTTER) * (all.t1 - all.t0), half = (view.t1 - view.t0) / 2;
  view.t0 = t - half; view.t1 = t + half; limit(); later();
};
overview.addEventListener("pointerdown", (event) => { overview.setPointerCapture(event.pointerId); jump(event); });
overview.addEventListener("pointermove", (event) => { if (event.buttons & 1) jump(event); });
overview.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(event.deltaY * 0.0022)); }, { passive: false });

const beside = (by) => {
  if (!selected) return;
  const row = selected.row.items, next = row[row.indexOf(selected) + by];
  if (next) select(next, true);
};
const search = (text) => {
  const wanted = text.trim().toLowerCase();
  hits = []; hit = -1; found = null;
  if (wanted) {
    const files = sites.map((site) => `${base(site[0])}:${site[1]}`.toLowerCase());
    for (const track of slices) for (const s of track) if (s.name.toLowerCase().includes(wanted) || files[s.site].includes(wanted)) hits.push(s);
    hits.sort((a, b) => a.start - b.start);
    found = new Set(hits);
  }
  $("hits").textContent = wanted ? plural(hits.length, "hit") : "";
  later();
};
$("search").addEventListener("input", (event) => search(event.target.value));
$("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && hits.length) { hit = (hit + (event.shiftKey ? -1 : 1) + hits.length) % hits.length; select(hits[hit], true); }
  if (event.key === "Escape") { event.target.value = ""; search(""); chart.focus(); }
});

const toggleArrows = () => { arrows = !arrows; $("edges").setAttribute("aria-pressed", String(arrows)); later(); };
const toggleTheme = () => { dark = !dark; paint(); };
const actions = {
  w: () => zoom(0.7, pointerX()), s: () => zoom(1 / 0.7, pointerX()), "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1 / 0.7),
  a: () => pan(-0.15), d: () => pan(0.15), ArrowLeft: () => pan(-0.15), ArrowRight: () => pan(0.15),
  ArrowUp: () => { scroll -= 40; later(); }, ArrowDown: () => { scroll += 40; later(); },
  PageUp: () => { scroll -= height * 0.8; later(); }, PageDown: () => { scroll += height * 0.8; later(); },
  0: () => { Object.assign(view, all); later(); }, Home: () => { Object.assign(view, all); later(); },
  b: () => { Object.assign(view, busiest); later(); },
  f: () => selected && show(selected.start, selected.end), n: () => nextMark(1), p: () => nextMark(-1),
  "[": () => beside(-1), "]": () => beside(1), e: toggleArrows, t: toggleTheme, "?": () => $("keys").showModal(),
  "/": () => $("search").focus(), Escape: () => { select(null); current = -1; later(); },
  Enter: () => { if (!selected) { for (const track of slices) { const s = track.find((one) => one.end >= view.t0); if (s) { select(s, true); break; } } } },
};
let pointer = null;
document.addEventListener("pointermove", (event) => { pointer = point(event)[0]; });
const pointerX = () => (pointer !== null && pointer > GUTTER && pointer < width ? pointer : undefined);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT" || $("keys").open) return;
  if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
  const action = actions[event.key];
  if (action) { event.preventDefault(); action(); }
});
$("in").onclick = () => zoom(0.6); $("out").onclick = () => zoom(1 / 0.6); $("fit").onclick = actions[0]; $("busy").onclick = actions.b; $("busy").hidden = !sparse;
$("edges").onclick = toggleArrows; $("theme").onclick = toggleTheme; $("help").onclick = actions["?"];
new ResizeObserver(() => { if (stage.clientWidth !== width || stage.clientHeight !== height) resize(); }).observe(stage);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => { dark = event.matches; paint(); });

// What tests and curious people may look at.
window.timeline = { view, zoom, pan, show, draw, lanes, slices, edges, marks, select, X, T, drawn: 0, loaded: 0 };

if (data.program) document.querySelector("h1").textContent = data.program;
$("about").textContent = [
  data.profile, plural(data.devices, "device"), plural(data.tasks, "task"), plural(data.calls, "call"), duration(data.last - data.start),
  `seed ${data.seed}`, data.schedule, ...(data.left_out ? [data.left_out] : []),
].join(" \u00b7 ");
listFindings();
select(null);
paint();
window.timeline.loaded = performance.now() - began;
