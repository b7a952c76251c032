/** A line of a chart. Its numbers are above 0, because both axes are logarithmic. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A chart. Several stand beside each other and share the legend. */
export interface Panel {
  readonly title: string;
  readonly xTitle: string;
  readonly series: readonly Series[];
}

const WIDTH = 460;
const HEIGHT = 330;
/** The space around the axes. */
const MARGIN = { top: 40, right: 20, bottom: 50, left: 64 };
const LEGEND = 30;
/** Long labels start before the axis of numbers, and end beyond the axis of pages. */
const EDGE = 8;
/** Readable on white and on black. */
const COLORS = ['#2f81f7', '#1a9c6b', '#d9730d', '#a371f7'];
const DASHES = ['', '6 3', '', '6 3'];
const STYLE = `text { font: 12px system-ui, sans-serif; fill: #59636e } .title { font-weight: 600 }
.axis { stroke: #8b949e } .grid { stroke: #8b949e; opacity: 0.25 }
@media (prefers-color-scheme: dark) { text { fill: #b1bac4 } }`;

/** Draws charts beside each other as SVG, without a background, for light and dark pages. */
export function chart(panels: readonly Panel[], description: string): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const width = WIDTH * panels.length;
  const legend = names.map((name, index) => {
    const x = MARGIN.left + index * ((width - MARGIN.left) / names.length);
    const y = HEIGHT + LEGEND / 2;
    return `${line([x, y], [x + 24, y], strokeOf(index))}${text(name, x + 30, y + 4)}`;
  });
  const body = panels.map((panel, index) => `<g transform="translate(${index * WIDTH} 0)">${draw(panel, names)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-EDGE} 0 ${width + 2 * EDGE} ${HEIGHT + LEGEND}" role="img" aria-label="${escaped(description)}">
<style>${STYLE}</style>
${[...body, ...legend].join('\n')}
</svg>
`;
}

function draw({ title, xTitle, series }: Panel, names: readonly string[]): string {
  const points = series.flatMap((one) => one.points);
  const [left, right] = [MARGIN.left, WIDTH - MARGIN.right];
  const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom];
  const xs = axis(points.map(([x]) => x));
  const ys = axis(points.map(([, y]) => y));
  const atX = (x: number) => left + xs.share(x) * (right - left);
  const atY = (y: number) => bottom - ys.share(y) * (bottom - top);
  return [
    text(title, (left + right) / 2, top - 18, 'class="title" text-anchor="middle"'),
    text(xTitle, (left + right) / 2, bottom + 38, 'text-anchor="middle"'),
    ...xs.ticks.map((x) => text(x.toLocaleString('en'), atX(x), bottom + 18, 'text-anchor="middle"')),
    ...ys.ticks.flatMap((y) => [
      line([left, atY(y)], [right, atY(y)], 'class="grid"'),
      text(y.toLocaleString('en', { maximumFractionDigits: 3 }), left - 8, atY(y) + 4, 'text-anchor="end"'),
    ]),
    line([left, bottom], [right, bottom], 'class="axis"'),
    ...series.map((one) => {
      const path = one.points.map(([x, y]) => `${round(atX(x))},${round(atY(y))}`);
      const dots = path.map(
        (point) => `<circle cx="${point.replace(',', '" cy="')}" r="3" fill="${colorOf(one, names)}"/>`,
      );
      return `<polyline points="${path.join(' ')}" fill="none" ${strokeOf(names.indexOf(one.name))}/>${dots.join('')}`;
    }),
  ].join('\n');
}

/** A logarithmic axis from a power of ten to another. */
function axis(values: readonly number[]) {
  const lowest = Math.floor(Math.log10(Math.min(...values)));
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    share: (value: number) => (Math.log10(value) - lowest) / (highest - lowest),
    ticks: Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index)),
  };
}

const colorOf = ({ name }: Series, names: readonly string[]) => COLORS[names.indexOf(name) % COLORS.length];
const strokeOf = (index: number) =>
  `stroke="${COLORS[index % COLORS.length]}" stroke-width="2" stroke-dasharray="${DASHES[index % DASHES.length]}"`;
const round = (value: number) => Math.round(value * 10) / 10;
const escaped = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const text = (value: string, x: number, y: number, attributes = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(value)}</text>`;
const line = ([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], attributes: string) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${attributes}/>`;
