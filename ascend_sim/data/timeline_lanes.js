// The page of a timeline, 1: the lanes and what is in them. timeline/page.py puts the three parts into one function.

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
  "call": ["#1a2027", "#66788b", "#ffffff"], "sync": ["#1a2027", "#3b4754", "#e4eaf0"], "callback": ["#1a2027"], "range": ["#10201b"],
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
// The page's own texts: `words` has them in the reader's language, none of them in English. {0} stands for a value.
const spoken = (text, ...values) => values.reduce((said, value, i) => said.replace(`{${i}}`, () => value), (data.words && data.words[text]) || text);
const EDGE_LOOKS = { event: "#0072b2", flag: "#0072b2", notify: "#8659c9", value: "#8659c9", sync: "#57626d", callback: "#8659c9", replay: "#57626d", submit: "#9aa5b1" };
const EDGE_WORDS = {
  event: [spoken("lets go on"), spoken("waited for")], flag: [spoken("sets the flag for"), spoken("waited for the flag set by")],
  notify: [spoken("notifies"), spoken("was notified by")], value: [spoken("writes the value for"), spoken("waited for the value of")],
  sync: [spoken("ends the wait of"), spoken("waited for")], callback: [spoken("is served by"), spoken("serves")], replay: [spoken("executes"), spoken("was executed by")],
  submit: [spoken("submits"), spoken("was submitted by")],
};

let dark = matchMedia("(prefers-color-scheme: dark)").matches;
let ink = {};
let arrows = true, scroll = 0, hover = null, selected = null, found = null, hits = [], hit = -1, range = null;
let current = -1; // the finding that is shown
const span0 = Math.max(data.end - data.start, 1), margin = span0 * 0.015;
const all = { t0: data.start - margin, t1: data.end + margin };
const room0 = (data.busiest[1] - data.busiest[0]) * 0.015;
const busiest = { t0: data.busiest[0] - room0, t1: data.busiest[1] + room0 };
const sparse = data.busiest[0] > data.start || data.busiest[1] < data.end;
const view = { ...busiest }; // a long time-out would leave nothing to see

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
const KINDS = { thread: spoken("thread"), stream: spoken("stream"), engine: "", cores: "" };

for (const [group, title] of data.groups) {
  if (group !== data.host || data.groups.length > 1) add({ kind: "group", label: title, height: HEAD, rows: [] });
  data.tracks.forEach((track, number) => {
    if (track.group !== group) return;
    const cores = track.kind === "cores", engine = track.kind === "engine";
    let used = 0;
    if (cores) for (let i = 0; i < track.slices.length; i += FIELDS) used = Math.max(used, track.slices[i + 6] + track.slices[i + 7]);
    track.used = used;
    const unit = cores ? Math.max(1, Math.min(12, CORES / used)) : engine ? THIN : ROW;
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
// What a stream waited for is known to the task that waited: the next one in its row.
const causesOf = (s) => {
  if (s.category !== "wait") return s.causes || [];
  const next = s.row.items[s.row.items.indexOf(s) + 1];
  return (next && next.causes || []).filter((edge) => edge.kind !== "submit");
};
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
const plural = (n, word) => data.words ? spoken(`{0} ${word}`, n.toLocaleString("en")) : `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const element = (tag, text, name) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (name) e.className = name; return e; };
