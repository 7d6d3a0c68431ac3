/** What happened when, in lanes, as SVG and as a table. */
import { quoted, table } from './html.ts';
import type { Lane, Mark } from './report.ts';

const WIDTH = 1_000;
const LEFT = 190;
const LANE = 24;
const BAR = 10;
const TICKS = 8;
const ROWS_MAX = 1_000;
const NAME_LENGTH_MAX = 30;

export function timelineHtml(lanes: readonly Lane[]): string {
  const marks = lanes.flatMap((lane) => lane.marks);
  if (marks.length === 0) return '';
  const first = marks.reduce((least, { ms }) => Math.min(least, ms), Infinity);
  const last = marks.reduce((most, { ms, endMs = ms }) => Math.max(most, endMs), first + 1);
  const at = (ms: number): number =>
    Math.round((LEFT + ((ms - first) / (last - first)) * (WIDTH - LEFT - BAR)) * 10) / 10;
  const height = lanes.length * LANE + LANE;
  const grid = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const ms = first + ((last - first) * tick) / TICKS;
    const anchor = tick === TICKS ? 'end' : 'middle';
    return (
      `<line class="grid" x1="${at(ms)}" x2="${at(ms)}" y1="0" y2="${height - LANE}"/>` +
      `<text x="${at(ms)}" y="${height - 8}" text-anchor="${anchor}">${Math.round(ms)} ms</text>`
    );
  });
  const drawn = lanes.map((lane, row) => {
    const name = quoted(lane.name.slice(0, NAME_LENGTH_MAX));
    const title = `<text x="0" y="${row * LANE + 16}">${name}</text>`;
    return title + lane.marks.map((mark) => bar(mark, row, at)).join('');
  });
  const svg =
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="timeline">` +
    `${grid.join('')}${drawn.join('')}</svg>`;
  return `${svg}<details><summary>all of it, in order</summary>${rows(lanes)}</details>`;
}

function bar(
  { ms, endMs = ms, kind, text }: Mark,
  row: number,
  at: (ms: number) => number,
): string {
  const width = Math.max(3, at(endMs) - at(ms));
  const title = quoted(`${Math.round(ms)} ms: ${text}`);
  return (
    `<rect class="${kind}" x="${at(ms)}" y="${row * LANE + 7}" width="${width}" height="${BAR}">` +
    `<title>${title}</title></rect>`
  );
}

function rows(lanes: readonly Lane[]): string {
  const all = lanes.flatMap(({ name, marks }) => marks.map((mark) => ({ name, mark })));
  const sorted = all.sort((one, other) => one.mark.ms - other.mark.ms).slice(0, ROWS_MAX);
  return table(
    ['ms', 'who', 'what'],
    sorted.map(({ name, mark }) => [
      mark.ms.toFixed(1),
      quoted(name),
      `<span class="${mark.kind === 'error' ? 'failed' : ''}">${quoted(mark.text)}</span>`,
    ]),
  );
}
