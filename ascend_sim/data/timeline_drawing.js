// The page of a timeline, 2: drawing. timeline/page.py puts the three parts into one function.

// -- drawing --------------------------------------------------------------------------------------------------------

let width = 0, height = 0, charWidth = 6.6, patterns = {};
const context = chart.getContext("2d", { alpha: false });
const FONT = '11px ui-monospace, "SFMono-Regular", Menlo, "DejaVu Sans Mono", monospace';
const LABEL = '12px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
const look = (category) => { const l = LOOKS[category]; return dark && l.length > 2 ? [l[2], l[3]] : l; };

const HIDE = new Set(["wait", "call", "sync"]); // their names begin alike: where there is no room, that part goes first

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
  if (!width || !height) return; // in a frame that has no size yet
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
      const name = s.name.length > room && HIDE.has(s.category) ? s.name.replace(/^(waits for |acl(rt|mdl|op)?(?=[A-Z]))/, "") : s.name;
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
    for (const edge of causesOf(s).slice(-60)) arrow(c, edge);
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
    if (lane.kind === "stream" && !lane.label.includes(spoken("stream"))) {
      c.fillStyle = ink.faint; c.fillText(word, indent, line);
      const w = c.measureText(word).width + 6;
      c.fillStyle = ink.ink; c.fillText(cut(c, lane.label, room - w), indent + w, line);
    } else c.fillText(cut(c, lane.label, room), indent, line);
    if (lane.kind === "memory") { c.fillStyle = ink.faint; c.fillText(spoken("most {0}", amount(lane.counter.most)), indent, y + 33); }
    if (lane.kind === "cores" && lane.height >= 40) c.fillText(spoken("at most {0} of {1}", data.tracks[lane.track].used, data.tracks[lane.track].rows), indent, y + 33);
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
  c.fillText(spoken("virtual time"), 10, RULER / 2);
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
  const shown = sparse && view.t0 === busiest.t0 && view.t1 === busiest.t1;
  const chips = [
    hidden && spoken("{0} arrows: zoom in to see them", hidden.toLocaleString("en")),
    shown && spoken("the busiest {0} of {1}; 0 shows all", duration(data.busiest[1] - data.busiest[0]), duration(data.last - data.start)),
  ].filter(Boolean);
  chips.forEach((text, n) => {
    c.font = LABEL;
    const w = c.measureText(text).width + 16, y = height - 28 - 26 * n;
    c.fillStyle = ink.panel; c.fillRect(width - w - 14, y, w, 22);
    c.strokeStyle = ink.line; c.strokeRect(width - w - 13.5, y + 0.5, w, 22);
    c.fillStyle = ink.faint; c.fillText(text, width - w - 6, y + 12);
  });
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
    c.fillText(spoken("overview"), 10, 20);
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
