'use strict';
// Draws the pictures of the page from the JSON in it: what explain --format=json prints, the
// texts of the specs, and the emitted loops. The page loads nothing.
const report = JSON.parse(document.getElementById('report').textContent);

const FLOPS_OF_FUNCTION = 20;  // about: a call of exp or log, for instance
const SIZES = {f64: 8, i64: 8, f32: 4, i32: 4, f16: 2, bf16: 2, i8: 1, u8: 1, bool: 1};

/// An element with attributes and children, which are elements or texts.
function node(name, attributes, ...children) {
  const svg = ['svg', 'g', 'rect', 'path', 'text', 'circle', 'line', 'title', 'tspan'];
  const made = svg.includes(name) ? document.createElementNS('http:/' + '/www.w3.org/2000/svg', name)
                                  : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const plural = (count, noun) => count + ' ' + noun + (count === 1 ? '' : noun.endsWith('s') ? 'es' : 's');
const qualified = (kernel) => (kernel.namespace ? kernel.namespace + '::' : '') + kernel.name;
const hue = (statement) => (statement * 67 + 150) % 360;
const statementsOf = (kernel) => kernel.stages.flatMap((stage) => stage.statements);

/// The classes and the style of what belongs to statements.
function marked(statements) {
  if (statements.length === 0) return {};
  return {'data-s': ' ' + statements.join(' ') + ' ', style: '--hue: ' + hue(statements[0])};
}

// The spec's lines.

/// Which statements each line of the spec belongs to. A statement ends with its semicolon.
function linesOfStatements(kernel, lines) {
  const owner = new Map();
  for (const statement of statementsOf(kernel)) {
    if (/^\w+: /.test(statement.text)) continue;  // of a rule that this one calls
    for (let at = statement.line; at <= lines.length; ++at) {
      owner.set(at, [...(owner.get(at) || []), statement.number]);
      if (/[;{}]\s*(\/\/.*)?$/.test(lines[at - 1])) break;
    }
  }
  return owner;
}

function specPane(kernel) {
  const lines = (report.specs[kernel.spec] || '').split('\n');
  const owner = linesOfStatements(kernel, lines);
  let first = kernel.line, last = Math.max(kernel.line, ...owner.keys());
  while (first > 1 && /^(template|MSHADOW_|\s)/.test(lines[first - 2])) --first;
  while (last < lines.length && !/^\}/.test(lines[last - 1])) ++last;
  const code = node('div', {class: 'code'});
  for (let at = first; at <= last; ++at) {
    const statements = owner.get(at) || [];
    const number = node('span', {class: 'number'}, String(at).padStart(4) + '  ');
    code.append(node('span', {class: 'line' + (statements.length ? ' mark' : ''), ...marked(statements)},
                     number, lines[at - 1] || ''));
  }
  const called = statementsOf(kernel).filter((statement) => /^\w+: /.test(statement.text));
  if (called.length) code.append(node('span', {class: 'line number'}, '\nStatements of the rules that it calls'));
  for (const statement of called) {
    const number = node('span', {class: 'number'}, String(statement.number).padStart(4) + '  ');
    code.append(node('span', {class: 'line mark', ...marked([statement.number])}, number, statement.text));
  }
  return node('div', {}, node('h3', {}, 'The rule, in ' + kernel.spec), code);
}

// The emitted loops.

/// The functions of the rule's kernels in the text of a .map.inc, as lists of lines.
function functionsOf(kernel, text) {
  const name = new RegExp('\\b(?:\\w*_)?' + kernel.name + '(?:Stage\\d+)?[A-Z][a-z]+\\d*\\(');
  return text.split(/\n\n(?=\/\/\/ )/).filter((piece) => {
    const head = piece.split('\n').find((line) => line.includes('MSHADOW_BODY'));
    return head && name.test(head);
  }).map((piece) => piece.trimEnd().split('\n'));
}

/// The statements of each line: those of the comment at its end, or of the line that ends it.
function statementsOfLines(lines) {
  const owner = lines.map(() => []);
  let pending = [];
  for (let at = lines.length - 1; at >= 0; --at) {
    const line = lines[at];
    const comment = /\/\/ (\d+(?:, \d+)*)$/.exec(line);
    if (comment) {
      pending = comment[1].split(', ').map(Number);
    } else if (/[;{}]\s*(\/\/.*)?$|^\s*\/\/|MSHADOW_INLINED/.test(line)) {
      pending = [];
    }
    owner[at] = pending;
  }
  return owner;
}

function loopsPane(kernel) {
  const code = node('div', {class: 'code'});
  for (const lines of functionsOf(kernel, report.loops[kernel.spec] || '')) {
    const owner = statementsOfLines(lines);
    lines.forEach((line, at) => {
      const statements = owner[at];
      code.append(node('span', {class: 'line' + (statements.length ? ' mark' : ''), ...marked(statements)},
                       line || ' '));
    });
    code.append(node('span', {class: 'line'}, ' '));
  }
  return node('div', {}, node('h3', {}, 'The loops that it became'), code);
}

// The graph: operands, passes, results.

const WIDTH = 900, COLUMN = 190, MIDDLE = 260, LINE = 20;

function bytesOf(kernel, name) {
  const operand = kernel.operands.find((other) => other.name === name) ||
                  kernel.temporaries.find((other) => other.name === name);
  if (!operand) return '';
  if (!['identity', 'memory'].includes(operand.map)) return operand.map === 'one' ? 'a value' : 'a vector';
  const promoted = /^promoted</.test(operand.type);
  const type = operand.type in SIZES ? operand.type : kernel.instances[0][0];
  const size = promoted ? Math.max(4, SIZES[type] || 4) : SIZES[type];
  return size ? plural(size, 'byte') : '';
}

/// The lines of text of a box in the middle column.
function textOfPart(part, passes) {
  if (part.kind === 'product') return ['matrix product'];
  if (part.kind === 'sort') return ['sort of rows'];
  if (part.kind === 'scatter') return ['scatter-add: ' + plural(part.flops, 'flop')];
  const functions = Object.entries(part.functions).map(([name, count]) => count + ' ' + name);
  const cost = [plural(part.flops, 'flop'), ...functions].join(', ');
  const lines = [(part.kind === 'once' ? 'after it, once' : 'pass ' + passes) + ': ' + cost];
  if (part.reduces.length) lines.push('reduces ' + part.reduces.join(', '));
  return lines;
}

/// Boxes from top to bottom. A part knows where its box is, and the statements in it.
function layOut(kernel) {
  let y = 10, passes = 0, stage = 0;
  return kernel.parts.map((part) => {
    passes += part.kind === 'sweep';
    const stops = [];
    if (part.begins_because) {
      const why = part.begins_because;
      stops.push(why.reads + ' is complete only after statement ' + why.given_by);
    }
    if ((part.stage || 0) !== stage) {
      const apart = kernel.stages[part.stage].apart;
      const isNextTo = (kind) => [part.stage, stage].some((at) => kernel.stages[at].kind === kind);
      stops.push(apart ? apart.join(' and ') + ' may overlap'
                       : isNextTo('product') ? 'BLAS computes the product'
                       : isNextTo('scatter') ? 'rows are added in the order of the indices'
                       : isNextTo('sort') ? 'whole rows are sorted'
                                             : 'a kernel of its own');
    }
    stage = part.stage || 0;
    const gap = stops.length ? 14 + LINE * stops.length : 12;
    const lines = textOfPart(part, passes);
    const box = {part, lines, stops, top: y + (y > 10 ? gap : 0), height: LINE * (lines.length + 1) + 12};
    y = box.top + box.height;
    return box;
  });
}

function boxOfPart(box) {
  const left = (WIDTH - MIDDLE) / 2;
  const group = node('g', {}, node('rect', {class: 'box', x: left, y: box.top, width: MIDDLE, height: box.height, rx: 5}));
  box.lines.forEach((line, at) => {
    group.append(node('text', {x: left + 10, y: box.top + LINE * (at + 1)}, line));
  });
  box.part.statements.forEach((statement, at) => {
    const x = left + 10 + at * 28, y = box.top + LINE * box.lines.length + 7;
    group.append(node('g', marked([statement]),
                      node('rect', {class: 'chip', x, y, width: 24, height: 18, rx: 4}),
                      node('text', {x: x + 12, y: y + 13, 'text-anchor': 'middle'}, String(statement))));
  });
  box.stops.forEach((stop, at) => {
    const y = box.top - 8 - LINE * (box.stops.length - 1 - at);
    group.append(node('text', {class: 'stop', x: left + 22, y}, stop));
  });
  return group;
}

/// Names beside the middle column, each at the height of the boxes that it is joined to.
function side(kernel, boxes, names, isLeft) {
  const group = node('g', {});
  let free = 10;
  const users = names.map((name) => {
    const of = boxes.filter((box) => box.part[isLeft ? 'loads' : 'stores'].includes(name));
    return {name, of, at: of.reduce((sum, box) => sum + box.top + box.height / 2, 0) / of.length};
  }).sort((a, b) => a.at - b.at);
  for (const {name, of, at} of users) {
    const y = Math.max(free, at - 14), x = isLeft ? 10 : WIDTH - COLUMN - 10;
    free = y + 36;
    const label = bytesOf(kernel, name);
    group.append(node('rect', {class: 'box', x, y, width: COLUMN, height: 28, rx: 14}),
                 node('text', {x: x + COLUMN / 2, y: y + 19, 'text-anchor': 'middle'}, name,
                      node('tspan', {class: 'quiet'}, label && '  ' + label)));
    for (const box of of) {
      const [from, to] = [isLeft ? x + COLUMN : (WIDTH + MIDDLE) / 2, isLeft ? (WIDTH - MIDDLE) / 2 : x];
      const [start, end] = isLeft ? [y + 14, box.top + box.height / 2] : [box.top + box.height / 2, y + 14];
      const bend = (from + to) / 2;
      group.prepend(node('path', {class: 'edge', d: `M${from} ${start} C${bend} ${start} ${bend} ${end} ${to} ${end}`},
                         node('title', {}, name + (label && ': ' + label))));
    }
  }
  return [group, free];
}

function graph(kernel) {
  const boxes = layOut(kernel);
  const used = (key) => [...new Set(boxes.flatMap((box) => box.part[key]))];
  const [left, leftEnd] = side(kernel, boxes, used('loads'), true);
  const [right, rightEnd] = side(kernel, boxes, used('stores'), false);
  const last = boxes[boxes.length - 1];
  const height = Math.max(leftEnd, rightEnd, last ? last.top + last.height : 0) + 10;
  const what = 'What ' + kernel.name + ' loads, its passes, and what it stores';
  const svg = node('svg', {viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': what}, left, right);
  boxes.slice(1).forEach((box, at) => {
    const from = boxes[at].top + boxes[at].height, stop = box.stops.length > 0;
    const x = (WIDTH - MIDDLE) / 2 + 12;
    svg.append(node('path', {class: 'edge' + (stop ? ' stop' : ''), d: `M${x} ${from} L${x} ${box.top}`}));
  });
  svg.append(...boxes.map(boxOfPart));
  return node('div', {class: 'wide'}, node('h3', {}, 'What each pass loads and stores'), svg);
}

// The roofline.

const machine = {bandwidth: 20, peak: 100};  // GB/s and Gflop/s

/// Bytes and operations of an element, without matrix products.
function costOf(kernel) {
  let flops = 0;
  for (const part of kernel.parts) {
    const calls = Object.values(part.functions).reduce((sum, count) => sum + count, 0);
    flops += part.kind === 'once' ? 0 : part.flops + FLOPS_OF_FUNCTION * calls;
  }
  return {bytes: kernel.bytes_per_element, flops};
}

function drawRoofline() {
  const chart = {left: 60, right: 20, top: 16, bottom: 40, width: WIDTH, height: 330};
  const costs = report.kernels.map((kernel) => ({kernel, ...costOf(kernel)}))
                    .filter((cost) => cost.bytes > 0 && cost.flops > 0);
  const ridge = machine.peak / machine.bandwidth;
  const intensities = [...costs.map((cost) => cost.flops / cost.bytes), ridge];
  const [minX, maxX] = [Math.min(...intensities) / 2, Math.max(...intensities) * 2];
  const maxY = machine.peak * 2, minY = Math.min(machine.bandwidth * minX, machine.peak) / 2;
  const scale = (value, low, high, from, to) =>
      from + (to - from) * Math.log(value / low) / Math.log(high / low);
  const x = (value) => scale(value, minX, maxX, chart.left, chart.width - chart.right);
  const y = (value) => scale(value, minY, maxY, chart.height - chart.bottom, chart.top);
  const roof = (value) => Math.min(machine.peak, machine.bandwidth * value);
  const svg = node('svg', {viewBox: `0 0 ${chart.width} ${chart.height}`, role: 'img',
                           'aria-label': 'How fast each rule can be on this machine'});
  const path = [minX, ridge, maxX].map((value) => x(value) + ' ' + y(roof(value))).join(' L');
  svg.append(node('line', {class: 'axis', x1: chart.left, x2: chart.width - chart.right,
                           y1: chart.height - chart.bottom, y2: chart.height - chart.bottom}),
             node('line', {class: 'axis', x1: chart.left, x2: chart.left, y1: chart.top, y2: chart.height - chart.bottom}),
             node('path', {class: 'roof', d: 'M' + path}),
             node('text', {class: 'quiet', x: chart.width - chart.right, y: chart.height - 12, 'text-anchor': 'end'},
                  'flops for each byte'),
             node('text', {class: 'quiet', x: chart.left + 6, y: chart.top + 8}, 'Gflop/s at most'),
             node('text', {class: 'quiet', x: x(ridge), y: y(machine.peak) - 8, 'text-anchor': 'middle'},
                  `${machine.peak} Gflop/s at ${ridge.toPrecision(2)} flops for each byte`));
  const labels = [];
  for (const {kernel, bytes, flops} of costs.sort((a, b) => a.flops / a.bytes - b.flops / b.bytes)) {
    const dot = {x: x(flops / bytes), y: y(roof(flops / bytes))};
    const label = freePlace(dot, 7.2 * kernel.name.length, labels);
    svg.append(node('g', {}, node('line', {class: 'axis', x1: dot.x, y1: dot.y, x2: label.left, y2: label.y - 4}),
                    node('circle', {class: 'dot', cx: dot.x, cy: dot.y, r: 5}),
                    node('text', {x: label.left + 2, y: label.y}, kernel.name),
                    node('title', {}, `${qualified(kernel)}: ${bytes} bytes and about ${flops} flops an element`)));
  }
  return svg;
}

/// A place for a label below a dot where no other label is, which is added to the labels.
function freePlace(dot, width, labels) {
  const label = {left: dot.x + 10, right: dot.x + 14 + width, y: dot.y + 18};
  const meets = (other) => label.left < other.right && other.left < label.right && Math.abs(label.y - other.y) < 15;
  while (labels.some(meets)) label.y += 4;
  labels.push(label);
  return label;
}

/// Which share of the time of an element goes to memory, and which to arithmetic, if the machine did
/// one after the other.
function sharesOf(kernel) {
  const {bytes, flops} = costOf(kernel);
  const memory = bytes / machine.bandwidth, arithmetic = flops / machine.peak;
  if (memory + arithmetic === 0) return node('p', {});
  const percent = Math.round(100 * memory / (memory + arithmetic));
  return node('div', {},
              node('div', {class: 'shares'}, node('div', {class: 'fused', style: `width: ${percent}%`}),
                   node('div', {class: 'arithmetic', style: `width: ${100 - percent}%`})),
              node('p', {class: 'quiet'}, `Memory ${percent} %, arithmetic ${100 - percent} % of an element's time.`));
}

/// The rate at which this browser copies 64 MiB, the fastest of several times, in GB/s.
function measureCopy() {
  const from = new Float64Array(8 << 20).fill(1), to = new Float64Array(8 << 20);
  let best = 0;
  for (let round = 0; round < 8; ++round) {
    const begin = performance.now();
    to.set(from);
    best = Math.max(best, 2 * from.byteLength / (performance.now() - begin) / 1e6);
  }
  return Math.round(best * 10) / 10;
}

function field(label, key) {
  const input = node('input', {type: 'number', min: '0.1', step: 'any', value: machine[key], 'data-key': key});
  input.addEventListener('input', () => {
    if (!(input.valueAsNumber > 0)) return;
    machine[key] = input.valueAsNumber;
    drawMachine();
  });
  return node('label', {}, label + ' ', input);
}

function drawMachine() {
  document.getElementById('chart').replaceChildren(drawRoofline());
  for (const kernel of report.kernels) {
    document.getElementById('shares ' + qualified(kernel)).replaceChildren(sharesOf(kernel));
  }
}

function addRoofline() {
  const measure = node('button', {type: 'button'}, 'measure a copy here');
  measure.addEventListener('click', () => {
    machine.bandwidth = measureCopy();
    document.querySelector('input[data-key=bandwidth]').value = machine.bandwidth;
    drawMachine();
  });
  document.getElementById('roofline').append(
      node('h3', {}, 'How fast each rule can be'),
      node('p', {}, field('memory, GB/s', 'bandwidth'), field('arithmetic, Gflop/s', 'peak'), measure),
      node('p', {class: 'quiet'}, 'Write the numbers of your machine. A call of an elementary function counts as ' +
           FLOPS_OF_FUNCTION + ' flops; matrix products are left out.'),
      node('div', {class: 'wide', id: 'chart'}));
}

// The page.

function draw(kernel) {
  const place = document.querySelector(`.picture[data-rule="${CSS.escape(qualified(kernel))}"]`);
  const types = kernel.instances.map((types) => types.join(' and ')).filter(Boolean).join(', ');
  const facts = [plural(statementsOf(kernel).length, 'statement') + ' in ' + plural(kernel.passes, 'pass'),
                 kernel.bytes_per_element + ' bytes an element instead of ' + kernel.unfused_bytes_per_element];
  if (types) facts.unshift(types);
  place.append(node('p', {}, facts.join(' \u00b7 ')), node('div', {id: 'shares ' + qualified(kernel)}),
               node('div', {class: 'panes'}, specPane(kernel), loopsPane(kernel)), graph(kernel));
  for (const note of kernel.performance) place.append(node('p', {class: 'stop'}, note));
}

/// Whatever belongs to the statement under the pointer is lit, in the whole picture.
function light(event) {
  const under = event.target.closest('[data-s]');
  const picture = event.target.closest('.picture');
  for (const lit of document.querySelectorAll('.lit')) lit.classList.remove('lit');
  if (!under || !picture) return;
  for (const statement of under.dataset.s.trim().split(' ')) {
    for (const same of picture.querySelectorAll(`[data-s*=" ${statement} "]`)) same.classList.add('lit');
  }
}

addRoofline();
report.kernels.forEach(draw);
drawMachine();
document.addEventListener('pointerover', light);
document.addEventListener('click', light);
