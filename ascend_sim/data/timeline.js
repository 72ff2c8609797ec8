"use strict";
(() => {
const began = performance.now();
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const chart = $("chart"), overview = $("overview"), stage = $("stage"), tip = $("tip");
const { texts, sites, marks, categories: CATEGORIES } = data;
const FIELDS = 9, EDGE_FIELDS = 8;
const GUTTER = 190, RULER = 26, HEAD = 22, ROW = 24, THIN = 15, CORES = 46, MEMORY = 50;
const MOST_ARROWS = 400;

// The fills are the simulator's; here is the ink on them, and fill and ink of those that differ on dark paper.
const INKS = {
  "call": ["#1a2027", "#66788b", "#ffffff"], "sync": ["#1a2027", "#3b4754", "#e4eaf0"], "callback": ["#1a2027"],
  "copy in": ["#10181f"], "copy out": ["#0b1a14"], "copy": ["#1f1019"], "kernel": ["#1f1500"], "operator": ["#1f1d00"],
  "mark": ["#ffffff"], "wait": ["#46515c", "#232b34", "#aab6c2"], "pending": ["#8c1d18", "#4a1f1c", "#ffb4ab"],
};
const MEANINGS = {}, LOOKS = {}, HATCHED = new Set();
data.looks.forEach(([meaning, , fill, hatched], i) => {
  const category = CATEGORIES[i];
  MEANINGS[category] = meaning;
  LOOKS[category] = [fill, ...INKS[category]];
  if (hatched) HATCHED.add(category);
});
const EDGE_LOOKS = { event: "#0072b2", flag: "#0072b2", notify: "#8659c9", value: "#8659c9", sync: "#57626d", callback: "#8659c9", submit: "#9aa5b1" };
const EDGE_WORDS = {
  event: ["lets go on", "waited for"], flag: ["sets the flag for", "waited for the flag set by"],
  notify: ["notifies", "was notified by"], value: ["writes the value for", "waited for the value of"],
  sync: ["ends the wait of", "waited for"], callback: ["is served by", "serves"], submit: ["submits", "was submitted by"],
};

let dark = matchMedia("(prefers-color-scheme: dark)").matches;
let ink = {};
let arrows = true, scroll = 0, hover = null, selected = null, found = null, hits = [], hit = -1, range = null;
let current = -1; // the finding that is shown
const span0 = Math.max(data.end - data.start, 1), margin = span0 * 0.015;
const all = { t0: data.start - margin, t1: data.end + margin };
const view = { ...all };

// -- the lanes ------------------------------------------------------------------------------------------------------

// A row holds slices that do not overlap, so that both ends are sorted and every search is a bisection.
class Row {
  constructor(y, height) { this.y = y; this.height = height; this.items = []; }
  seal() { this.starts = Float64Array.from(this.items, (s) => s.start); this.ends = Float64Array.from(this.items, (s) => s.end); }
}
const bisect = (array, value, from = 0) => { // the first place whose value is greater
  let lo = from, hi = array.length;
  while (lo < hi) { const mid = (lo + hi) >> 1; if (array[mid] > value) hi = mid; else lo = mid + 1; }
  return lo;
};

const lanes = []; // { label, y, height, kind, rows, track | counter | group }
const slices = data.tracks.map(() => []);
let total = 0, most = 1;
const add = (lane) => { lane.y = total; total += lane.height; lanes.push(lane); return lane; };
const KINDS = { thread: "thread", stream: "stream", engine: "", cores: "" };

for (const [group, title] of data.groups) {
  if (group !== data.host || data.groups.length > 1) add({ kind: "group", label: title, height: HEAD, rows: [] });
  data.tracks.forEach((track, number) => {
    if (track.group !== group) return;
    const cores = track.kind === "cores", engine = track.kind === "engine";
    const unit = cores ? Math.max(1, Math.min(12, CORES / track.rows)) : engine ? THIN : ROW;
    let used = engine || !cores ? 0 : track.rows;
    const packed = track.slices, byRow = new Map();
    for (let i = 0; i < packed.length; i += FIELDS) {
      const s = {
        track: number, index: i / FIELDS, start: packed[i], end: packed[i] + packed[i + 1], category: CATEGORIES[packed[i + 2]],
        name: texts[packed[i + 3]].replaceAll("`", ""), site: packed[i + 4], lines: packed[i + 5], depth: packed[i + 6], rows: packed[i + 7], fault: packed[i + 8],
      };
      slices[number].push(s);
      const key = `${s.depth} ${s.rows}`;
      if (!byRow.has(key)) byRow.set(key, []);
      byRow.get(key).push(s);
      used = Math.max(used, s.depth + s.rows);
    }
    const lane = add({ kind: track.kind, label: track.name, height: Math.max(unit * used, THIN) + (cores ? 8 : 4), rows: [], track: number });
    track.lane = lane;
    for (const items of byRow.values()) {
      const first = items[0];
      const row = new Row(lane.y + 2 + first.depth * unit, Math.max(unit * first.rows - (cores ? 0.5 : 2), 1));
      row.items = items; row.seal(); row.lane = lane; lane.rows.push(row);
      for (const s of items) s.row = row;
    }
  });
  for (const counter of data.counters) {
    if (counter.group !== group) continue;
    const lane = add({ kind: "memory", label: counter.name, height: MEMORY, rows: [], counter });
    counter.times = []; counter.values = [];
    for (let i = 0; i < counter.points.length; i += 4) { counter.times.push(counter.points[i]); counter.values.push(counter.points[i + 1]); }
    counter.times = Float64Array.from(counter.times);
    counter.most = Math.max(1, ...[0].concat(counter.values.reduce((m, v) => Math.max(m, v), 0)));
    lane.times = counter.times;
  }
}

// Edges by the slices at their ends.
const edges = [];
for (let i = 0; i < data.edges.length; i += EDGE_FIELDS) {
  const e = data.edges;
  const edge = {
    kind: data.kinds[e[i]], from: e[i + 1], start: e[i + 2], to: e[i + 3], end: e[i + 4], name: texts[e[i + 5]],
    cause: slices[e[i + 1]][e[i + 6]] || null, effect: slices[e[i + 3]][e[i + 7]] || null,
  };
  edges.push(edge);
  if (edge.cause) (edge.cause.effects = edge.cause.effects || []).push(edge);
  if (edge.effect) (edge.effect.causes = edge.effect.causes || []).push(edge);
}
const shownEdges = edges.filter((edge) => edge.kind !== "submit").sort((a, b) => a.end - b.end);
const edgeEnds = Float64Array.from(shownEdges, (edge) => edge.end);
marks.forEach((mark, i) => { mark.index = i; });
const marksInTime = [...marks].sort((a, b) => a.time - b.time);

// -- texts ----------------------------------------------------------------------------------------------------------

const trim = (number, digits) => number.toFixed(digits).replace(/\.?0+$/, "");
const duration = (ns) => {
  const size = Math.abs(ns);
  if (size >= 1e9) return `${trim(ns / 1e9, 3)} s`;
  if (size >= 1e6) return `${trim(ns / 1e6, 3)} ms`;
  if (size >= 1e3) return `${trim(ns / 1e3, 3)} \u00b5s`;
  return `${Math.round(ns)} ns`;
};
const amount = (bytes) => {
  for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) if (bytes >= size) return `${trim(bytes / size, 2)} ${unit}`;
  return `${bytes} B`;
};
const base = (path) => path.slice(path.lastIndexOf("/") + 1);
const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const element = (tag, text, name) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (name) e.className = name; return e; };

// -- drawing --------------------------------------------------------------------------------------------------------

let width = 0, height = 0, charWidth = 6.6, patterns = {};
const context = chart.getContext("2d", { alpha: false });
const FONT = '11px ui-monospace, "SFMono-Regular", Menlo, "DejaVu Sans Mono", monospace';
const LABEL = '12px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
const look = (category) => { const l = LOOKS[category]; return dark && l.length > 2 ? [l[2], l[3]] : l; };

const hatch = (fill, line) => {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const c = tile.getContext("2d");
  c.fillStyle = fill; c.fillRect(0, 0, 8, 8);
  c.strokeStyle = line; c.lineWidth = 1.4;
  c.beginPath();
  for (const x of [-8, 0, 8]) { c.moveTo(x, 8); c.lineTo(x + 8, 0); }
  c.stroke();
  return context.createPattern(tile, "repeat");
};

const paint = () => {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const style = getComputedStyle(document.documentElement);
  for (const name of ["paper", "panel", "line", "grid", "ink", "faint", "accent", "error", "warning", "note", "stripe"]) ink[name] = style.getPropertyValue(`--${name}`).trim();
  patterns = {};
  for (const category of CATEGORIES) {
    const [fill, text] = look(category);
    patterns[category] = HATCHED.has(category) ? hatch(fill, category === "pending" ? (dark ? "#8c3a34" : "#e9a39c") : dark ? "#4b5865" : "#c0c9d2") : fill;
  }
  legend();
  resize();
};

const resize = () => {
  const ratio = window.devicePixelRatio || 1;
  width = stage.clientWidth; height = stage.clientHeight;
  chart.width = Math.round(width * ratio); chart.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = FONT;
  charWidth = context.measureText("0123456789").width / 10;
  overview.width = Math.round(width * ratio); overview.height = Math.round(40 * ratio);
  drawn = null;
  draw();
};

const X = (t) => GUTTER + (t - view.t0) / (view.t1 - view.t0) * (width - GUTTER);
const T = (x) => view.t0 + (x - GUTTER) / (width - GUTTER) * (view.t1 - view.t0);
const bottom = () => Math.max(0, total + 8 - (height - RULER));

const step = (span, pixels) => { // 1, 2 or 5 times a power of ten, about 110 pixels wide
  const rough = span / Math.max(pixels / 110, 1), power = 10 ** Math.floor(Math.log10(rough));
  for (const n of [1, 2, 5, 10]) if (n * power >= rough) return Math.max(n * power, 1);
  return power;
};

const draw = () => {
  const before = performance.now();
  const c = context;
  scroll = Math.min(Math.max(scroll, 0), bottom());
  c.fillStyle = ink.paper; c.fillRect(0, 0, width, height);
  const tick = step(view.t1 - view.t0, width - GUTTER), first = Math.ceil(view.t0 / tick);
  c.save();
  c.beginPath(); c.rect(0, RULER, width, height - RULER); c.clip();
  lanes.forEach((lane, i) => {
    const y = RULER + lane.y - scroll;
    if (y > height || y + lane.height < RULER) return;
    c.fillStyle = lane.kind === "group" ? ink.panel : i % 2 ? ink.stripe : ink.paper;
    c.fillRect(0, y, width, lane.height);
  });
  c.strokeStyle = ink.grid; c.lineWidth = 1;
  c.beginPath();
  for (let n = first; n * tick <= view.t1; n++) { const x = Math.round(X(n * tick)) + 0.5; if (x >= GUTTER) { c.moveTo(x, RULER); c.lineTo(x, height); } }
  c.stroke();
  c.save();
  c.beginPath(); c.rect(GUTTER, RULER, width - GUTTER, height - RULER); c.clip();
  for (const lane of lanes) {
    const y = RULER + lane.y - scroll;
    if (y > height || y + lane.height < RULER) continue;
    if (lane.kind === "memory") drawMemory(c, lane, y);
    for (const row of lane.rows) drawRow(c, row);
  }
  drawMarkLines(c);
  drawEdges(c);
  drawSelection(c);
  drawMarks(c);
  c.restore();
  drawNames(c);
  c.restore();
  drawRuler(c, tick, first);
  drawRange(c);
  drawOverview();
  window.timeline.drawn = performance.now() - before;
};

const drawRow = (c, row) => {
  const { starts, ends, items } = row;
  const y = RULER + row.y - scroll, h = row.height;
  const scale = (width - GUTTER) / (view.t1 - view.t0);
  let i = bisect(ends, view.t0), last = "";
  c.font = FONT; c.textBaseline = "middle";
  while (i < items.length && starts[i] < view.t1) {
    const s = items[i];
    const x0 = GUTTER + (starts[i] - view.t0) * scale, x1 = GUTTER + (ends[i] - view.t0) * scale;
    const left = Math.max(x0, GUTTER - 2), right = Math.min(x1, width + 2), w = right - left;
    const faded = found && !found.has(s);
    if (faded) c.globalAlpha = 0.22;
    const fill = patterns[s.category];
    if (fill !== last) { c.fillStyle = fill; last = fill; }
    c.fillRect(left, y, Math.max(w - (w > 3 ? 0.6 : 0), 1), h);
    if (s.fault && w > 2) { c.fillStyle = last = ink.error; c.fillRect(left, y + h - 2.5, Math.max(w - 0.6, 1), 2.5); }
    if (w > 22 && h >= 9) {
      const room = Math.floor((w - 8) / charWidth);
      const name = s.name.length > room && s.category === "wait" ? s.name.replace("waits for ", "") : s.name;
      const text = name.length <= room ? name : room > 2 ? name.slice(0, room - 1) + "\u2026" : "";
      if (text) {
        const middle = Math.round(y + h / 2) + 0.5;
        if (HATCHED.has(s.category)) { c.fillStyle = look(s.category)[0]; c.fillRect(left + 2, y + 2, text.length * charWidth + 6, h - 4); }
        c.fillStyle = last = look(s.category)[1];
        c.fillText(text, left + 4, middle);
      }
    }
    if (faded) c.globalAlpha = 1;
    // What ends in the same pixel is not seen: go on behind it.
    i = w < 1 ? Math.max(i + 1, bisect(ends, view.t0 + (Math.floor(x1) + 1 - GUTTER) / scale, i)) : i + 1;
  }
};

const drawMemory = (c, lane, y) => {
  const { times, values, most: top } = lane.counter, h = lane.height - 8;
  const at = (value) => y + 4 + h - value / top * (h - 2);
  let i = Math.max(bisect(times, view.t0) - 1, 0);
  c.beginPath();
  let x = GUTTER, level = at(times.length && times[i] <= view.t0 ? values[i] : 0);
  c.moveTo(x, y + 4 + h); c.lineTo(x, level);
  for (; i < times.length && times[i] <= view.t1; i++) {
    x = Math.max(X(times[i]), GUTTER);
    c.lineTo(x, level); level = at(values[i]); c.lineTo(x, level);
    const next = bisect(times, T(Math.floor(x) + 1), i);
    if (next > i + 1) { // many changes in one pixel: from the least to the most
      let lo = values[i], hi = values[i];
      for (let k = i; k < next; k++) { lo = Math.min(lo, values[k]); hi = Math.max(hi, values[k]); }
      c.lineTo(x, at(hi)); c.lineTo(x, at(lo)); level = at(values[next - 1]); c.lineTo(x, level);
      i = next - 1;
    }
  }
  const end = Math.min(X(data.end), width);
  c.lineTo(Math.max(end, x), level); c.lineTo(Math.max(end, x), y + 4 + h);
  c.closePath();
  c.fillStyle = dark ? "#2b5f86" : "#bfe0f4"; c.fill();
  c.strokeStyle = dark ? "#56b4e9" : "#0072b2"; c.lineWidth = 1; c.stroke();
};

const middle = (track, s) => {
  const lane = data.tracks[track].lane;
  const row = s && s.row;
  return RULER - scroll + (row ? row.y + row.height / 2 : lane.y + lane.height / 2);
};

const arrow = (c, edge) => {
  const x0 = X(edge.start), x1 = X(edge.end), y0 = middle(edge.from, edge.cause), y1 = middle(edge.to, edge.effect);
  if (Math.max(x0, x1) < GUTTER || Math.min(x0, x1) > width) return;
  const side = edge.kind === "submit" ? 0 : Math.max(14, Math.min(40, Math.abs(x1 - x0) / 2));
  c.moveTo(x0, y0);
  c.bezierCurveTo(x0 + side, y0 + (y1 - y0) * 0.3, x1 - side, y1 - (y1 - y0) * 0.3, x1, y1);
  const down = y1 > y0 ? 1 : -1;
  c.moveTo(x1 - 4.5, y1 - 5.5 * down); c.lineTo(x1, y1); c.lineTo(x1 - 5.5 + (side ? 0 : 9), y1 - (side ? -1.5 : 5.5) * down);
};

let hidden = 0;
const drawEdges = (c) => {
  hidden = 0;
  if (arrows && !found) {
    const from = bisect(edgeEnds, view.t0), to = bisect(edgeEnds, view.t1);
    const visible = [];
    for (let i = from; i < to && visible.length <= MOST_ARROWS; i++) visible.push(shownEdges[i]);
    if (visible.length > MOST_ARROWS) hidden = to - from;
    else for (const kind of Object.keys(EDGE_LOOKS)) {
      c.strokeStyle = EDGE_LOOKS[kind]; c.lineWidth = 1.2; c.globalAlpha = dark ? 0.85 : 0.7;
      if (dark && kind !== "sync") c.strokeStyle = "#7cc4ff";
      c.setLineDash(kind === "sync" ? [3, 3] : []);
      c.beginPath();
      for (const edge of visible) if (edge.kind === kind) arrow(c, edge);
      c.stroke();
    }
    c.setLineDash([]); c.globalAlpha = 1;
  }
};

const outline = (c, s, colour, thick) => {
  const x0 = Math.max(X(s.start), GUTTER - 4), x1 = Math.min(X(s.end), width + 4);
  c.strokeStyle = colour; c.lineWidth = thick;
  c.strokeRect(x0 - 1, RULER + s.row.y - scroll - 1, Math.max(x1 - x0, 1) + 2, s.row.height + 2);
};

const drawSelection = (c) => {
  for (const s of [hover, selected]) {
    if (!s) continue;
    c.strokeStyle = ink.ink; c.lineWidth = 1.6;
    c.beginPath();
    for (const edge of (s.causes || []).slice(-60)) arrow(c, edge);
    for (const edge of (s.effects || []).slice(0, 60)) arrow(c, edge);
    c.stroke();
    outline(c, s, s === selected ? ink.accent : ink.ink, s === selected ? 2.5 : 1.2);
  }
};

const drawMarkLines = (c) => {
  for (const mark of marks) {
    const x = X(mark.time);
    if (x < GUTTER || x > width) continue;
    c.strokeStyle = ink[mark.severity]; c.lineWidth = mark.index === current ? 1.6 : 1;
    c.globalAlpha = mark.index === current ? 0.9 : 0.4;
    c.setLineDash([4, 3]);
    c.beginPath(); c.moveTo(x, RULER); c.lineTo(x, height); c.stroke();
  }
  c.setLineDash([]); c.globalAlpha = 1;
};

const symbol = (c, mark, x, y, r) => { // the shape says the severity, too
  c.fillStyle = ink[mark.severity];
  c.strokeStyle = ink.paper; c.lineWidth = 1.5;
  c.beginPath();
  if (mark.severity === "error") c.arc(x, y, r, 0, 7);
  else if (mark.severity === "warning") { c.moveTo(x, y - r); c.lineTo(x + r * 1.1, y + r * 0.9); c.lineTo(x - r * 1.1, y + r * 0.9); c.closePath(); }
  else c.rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6);
  c.fill(); c.stroke();
  c.fillStyle = ink.paper; c.font = `bold ${Math.round(r * 1.4)}px system-ui, sans-serif`; c.textAlign = "center"; c.textBaseline = "middle";
  c.fillText(mark.severity === "note" ? "i" : "!", x, y + (mark.severity === "warning" ? 1.5 : 0.5));
  c.textAlign = "left";
};

const drawMarks = (c) => {
  const places = new Map();
  for (const mark of marksInTime) {
    const lane = data.tracks[mark.track].lane;
    let x = X(mark.time);
    if (x < GUTTER - 8 || x > width + 8) { mark.x = null; continue; }
    const taken = places.get(lane);
    if (taken !== undefined && x - taken < 15 && x >= taken - 400) x = taken + 15;
    places.set(lane, x);
    mark.x = x; mark.y = RULER + lane.y - scroll + Math.min(lane.height / 2, 13);
    symbol(c, mark, x, mark.y, 7);
    if (mark.index === current) { c.strokeStyle = ink.accent; c.lineWidth = 2; c.beginPath(); c.arc(mark.x, mark.y, 10, 0, 7); c.stroke(); }
  }
};

const cut = (c, text, room) => {
  if (c.measureText(text).width <= room) return text;
  let n = Math.max(3, Math.floor(text.length * room / c.measureText(text).width));
  while (n > 3 && c.measureText(text.slice(0, n) + "\u2026").width > room) n--;
  return text.slice(0, n) + "\u2026";
};

const drawNames = (c) => {
  c.fillStyle = ink.panel; c.fillRect(0, RULER, GUTTER, height - RULER);
  c.textBaseline = "middle";
  for (const lane of lanes) {
    const y = RULER + lane.y - scroll;
    if (y > height || y + lane.height < RULER) continue;
    const group = lane.kind === "group";
    c.fillStyle = group ? ink.ink : lane.kind === "thread" || lane.kind === "stream" ? ink.ink : ink.faint;
    c.font = group ? `600 ${LABEL}` : LABEL;
    const indent = group ? 10 : 20, word = KINDS[lane.kind] || "";
    const line = group || lane.height < 34 ? y + lane.height / 2 : y + 15;
    let room = GUTTER - indent - 8;
    if (lane.kind === "stream" && !lane.label.includes("stream")) {
      c.fillStyle = ink.faint; c.fillText(word, indent, line);
      const w = c.measureText(word).width + 6;
      c.fillStyle = ink.ink; c.fillText(cut(c, lane.label, room - w), indent + w, line);
    } else c.fillText(cut(c, lane.label, room), indent, line);
    if (lane.kind === "memory") { c.fillStyle = ink.faint; c.fillText(`most ${amount(lane.counter.most)}`, indent, y + 33); }
    if (lane.kind === "cores") { c.fillText(`${data.tracks[lane.track].rows} of them`, indent, y + 33); }
    c.strokeStyle = ink.grid; c.lineWidth = 1;
    c.beginPath(); c.moveTo(0, Math.round(y + lane.height) - 0.5); c.lineTo(width, Math.round(y + lane.height) - 0.5); c.stroke();
  }
  c.strokeStyle = ink.line; c.beginPath(); c.moveTo(GUTTER + 0.5, RULER); c.lineTo(GUTTER + 0.5, height); c.stroke();
  if (bottom() > 0) { // where in the lanes we are
    const h = height - RULER, part = h / (total + 8);
    c.fillStyle = ink.faint; c.globalAlpha = 0.5;
    c.fillRect(width - 7, RULER + scroll * part + 2, 4, Math.max(h * part - 4, 20));
    c.globalAlpha = 1;
  }
};

const drawRuler = (c, tick, first) => {
  c.fillStyle = ink.panel; c.fillRect(0, 0, width, RULER);
  c.strokeStyle = ink.line; c.beginPath(); c.moveTo(0, RULER - 0.5); c.lineTo(width, RULER - 0.5); c.stroke();
  c.font = LABEL; c.fillStyle = ink.faint; c.textBaseline = "middle"; c.textAlign = "left";
  c.fillText("virtual time", 10, RULER / 2);
  const digits = (unit) => Math.max(0, Math.min(6, -Math.floor(Math.log10(tick / unit) + 1e-9)));
  const biggest = Math.max(Math.abs(view.t0), Math.abs(view.t1));
  const [name, unit] = biggest >= 1e9 ? ["s", 1e9] : biggest >= 1e6 ? ["ms", 1e6] : biggest >= 1e3 ? ["\u00b5s", 1e3] : ["ns", 1];
  c.fillStyle = ink.ink;
  for (let n = first; n * tick <= view.t1; n++) {
    const x = X(n * tick);
    if (x < GUTTER) continue;
    const text = `${(n * tick / unit).toFixed(digits(unit))} ${name}`;
    if (x + 4 + c.measureText(text).width > width) continue;
    c.fillText(text, x + 4, RULER / 2);
    c.strokeStyle = ink.line; c.beginPath(); c.moveTo(Math.round(x) + 0.5, RULER - 8); c.lineTo(Math.round(x) + 0.5, RULER); c.stroke();
  }
  if (hidden) {
    const text = `${hidden.toLocaleString("en")} arrows: zoom in to see them`;
    c.font = LABEL;
    const w = c.measureText(text).width + 16;
    c.fillStyle = ink.panel; c.fillRect(width - w - 14, height - 28, w, 22);
    c.strokeStyle = ink.line; c.strokeRect(width - w - 13.5, height - 27.5, w, 22);
    c.fillStyle = ink.faint; c.fillText(text, width - w - 6, height - 16);
  }
};

const drawRange = (c) => {
  if (!range) return;
  const a = Math.max(Math.min(range.x0, range.x1), GUTTER), b = Math.max(range.x0, range.x1);
  c.fillStyle = ink.accent; c.globalAlpha = 0.16; c.fillRect(a, 0, b - a, height); c.globalAlpha = 1;
  c.strokeStyle = ink.accent; c.lineWidth = 1; c.strokeRect(a + 0.5, 0.5, b - a, height);
  const text = duration(T(b) - T(a));
  c.font = `600 ${LABEL}`; c.textBaseline = "middle";
  const w = c.measureText(text).width + 12;
  const x = Math.min(Math.max((a + b) / 2 - w / 2, GUTTER), width - w);
  c.fillStyle = ink.accent; c.fillRect(x, RULER + 4, w, 20);
  c.fillStyle = ink.paper; c.fillText(text, x + 6, RULER + 14);
};

let drawn = null; // the overview without its window
const drawOverview = () => {
  const ratio = window.devicePixelRatio || 1, o = overview.getContext("2d");
  const w = width - GUTTER, at = (t) => GUTTER + (t - all.t0) / (all.t1 - all.t0) * w;
  if (!drawn) {
    drawn = document.createElement("canvas");
    drawn.width = overview.width; drawn.height = overview.height;
    const c = drawn.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = ink.panel; c.fillRect(0, 0, width, 40);
    const rows = lanes.filter((lane) => lane.rows.length && (lane.kind === "thread" || lane.kind === "stream"));
    const h = Math.max(1, 34 / Math.max(rows.length, 1));
    rows.forEach((lane, n) => {
      for (const row of lane.rows) {
        for (let i = 0; i < row.items.length;) {
          const s = row.items[i], x0 = at(s.start), x1 = at(s.end);
          if (s.depth === 0 && s.category !== "wait") {
            c.fillStyle = HATCHED.has(s.category) ? (dark ? "#3b4754" : "#d3dae1") : look(s.category)[0];
            c.fillRect(x0, 3 + n * h, Math.max(x1 - x0, 0.8), Math.max(h - 1, 1));
          }
          i = x1 - x0 < 0.5 ? Math.max(i + 1, bisect(row.ends, all.t0 + (x1 + 0.5 - GUTTER) / w * (all.t1 - all.t0), i)) : i + 1;
        }
      }
    });
    c.fillStyle = ink.faint; c.font = LABEL; c.textBaseline = "middle";
    c.fillText("overview", 10, 20);
    for (const mark of marks) { c.fillStyle = ink[mark.severity]; c.fillRect(at(mark.time) - 1, 0, 2, 40); }
  }
  o.setTransform(1, 0, 0, 1, 0, 0);
  o.drawImage(drawn, 0, 0);
  o.setTransform(ratio, 0, 0, ratio, 0, 0);
  const a = at(Math.max(view.t0, all.t0)), b = Math.max(at(Math.min(view.t1, all.t1)), a + 3);
  o.fillStyle = ink.paper; o.globalAlpha = 0.62;
  o.fillRect(GUTTER, 0, a - GUTTER, 40); o.fillRect(b, 0, width - b, 40);
  o.globalAlpha = 1; o.strokeStyle = ink.accent; o.lineWidth = 2; o.strokeRect(a, 1, b - a, 38);
};

let asked = false;
const later = () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; draw(); }); } };

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
  const found = [["from", `${duration(s.start)} to ${duration(s.end)}`], ["length", duration(s.end - s.start)]];
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
  box.append(where, element("span", name && name !== "<module>" ? ` in ${name}` : "", "faint"));
  if (source) { box.append(element("br"), element("code", source)); }
  return box;
};
const laneName = (track) => { const t = data.tracks[track]; return t.kind === "stream" && !t.name.includes("stream") ? `stream ${t.name}` : t.name; };

const describe = (box, s) => {
  box.append(element("b", s.name), element("span", `  on ${laneName(s.track)}`, "faint"), list(pairs(s)));
  const where = place(s.site);
  if (where) box.append(where);
};

const describeMark = (box, mark) => {
  const head = element("div");
  head.append(element("span", `${mark.severity}[${mark.kind}]`, mark.severity), element("span", ` ${mark.id} at ${duration(mark.time)}${mark.count > 1 ? `, ${mark.count} times` : ""}${mark.suppressed ? ", suppressed" : ""}`, "faint"));
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
  if (mark.order) box.append(list([["order", mark.order]]));
  if (mark.fix) box.append(list([["help", mark.fix]]));
};

const describeMemory = (box, lane, x) => {
  const { counter } = lane, i = bisect(counter.times, T(x)) - 1;
  box.append(element("b", `${amount(i < 0 ? 0 : counter.values[i])} of ${counter.name} in use`), element("span", `  most ${amount(counter.most)}`, "faint"));
  if (i >= 0 && texts[counter.points[4 * i + 2]]) {
    box.append(list([["last change", `${texts[counter.points[4 * i + 2]]} at ${duration(counter.times[i])}`]]));
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
  if (!s) { box.append(element("h2", "Details"), element("span", "Point at something, or click it to keep it here.", "faint")); later(); return; }
  describe(box, s);
  const links = (edgesOf, word, other) => {
    for (const edge of edgesOf.slice(0, 12)) {
      const target = edge[other];
      if (!target) continue;
      const name = edge.name ? ` (${edge.name.replaceAll("`", "")})` : "";
      const link = element("button", `${EDGE_WORDS[edge.kind][word]}${name}: ${target.name} on ${laneName(target.track)}`, "link");
      link.onclick = () => select(target, true);
      box.append(link);
    }
    if (edgesOf.length > 12) box.append(element("div", `and ${edgesOf.length - 12} more`, "faint"));
  };
  const submit = (edge) => edge.kind === "submit"; // the least interesting of them
  links((s.causes || []).toSorted((a, b) => submit(a) - submit(b)), 1, "cause");
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
  if (kinds.size) box.append(element("span", `arrows: ${[...kinds].join(", ")}`));
};

const listFindings = () => {
  const box = $("findings");
  const count = marks.length;
  box.append(element("h2", count ? plural(count, "finding") : "Findings"));
  if (!count) box.append(element("span", "There were none in this run.", "faint"));
  marks.forEach((mark, i) => {
    const button = element("button");
    button.append(element("span", `${mark.severity}[${mark.kind}]`, mark.severity), element("span", ` ${mark.title}`), element("span", duration(mark.time), "faint"));
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
  $("hits").textContent = wanted ? `${hits.length.toLocaleString("en")} hit${hits.length === 1 ? "" : "s"}` : "";
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
$("in").onclick = () => zoom(0.6); $("out").onclick = () => zoom(1 / 0.6); $("fit").onclick = actions[0];
$("edges").onclick = toggleArrows; $("theme").onclick = toggleTheme; $("help").onclick = actions["?"];
new ResizeObserver(() => { if (stage.clientWidth !== width || stage.clientHeight !== height) resize(); }).observe(stage);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => { dark = event.matches; paint(); });

// What tests and curious people may look at.
window.timeline = { view, zoom, pan, show, draw, lanes, slices, edges, marks, select, X, T, drawn: 0, loaded: 0 };

$("about").textContent = [
  data.profile, plural(data.devices, "device"), plural(data.tasks, "task"), plural(data.calls, "call"), duration(data.last - data.start),
  `seed ${data.seed}`, data.schedule,
].join(" \u00b7 ");
listFindings();
select(null);
paint();
window.timeline.loaded = performance.now() - began;
})();
