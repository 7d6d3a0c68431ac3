/** Numbers over time, as SVG. */
import type { Line, Plot } from './report.ts';
import { quoted } from './html.ts';

const WIDTH = 800;
const HEIGHT = 200;
const LEFT = 64;
const BOTTOM = 24;
const TOP = 8;
const TICKS = 5;
const COLOURS = 8;
const LEGEND_ROW = 16;

/** Where a point is drawn: `across,down`. */
type Place = (x: number, y: number) => string;

export function plotSvg({ title, unit, lines }: Plot): string {
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return '';
  const xMax = points.reduce((most, [x]) => Math.max(most, x), 0) || 1;
  const highest = points.reduce((most, [, y]) => Math.max(most, y), 0);
  const [xStep, yStep] = [stepOf(xMax), stepOf(highest)];
  const yMax = Math.max(yStep, Math.ceil(highest / yStep) * yStep);
  const at: Place = (x, y) => {
    const across = LEFT + (x / xMax) * (WIDTH - LEFT - TOP);
    const down = TOP + (1 - y / yMax) * (HEIGHT - TOP - BOTTOM);
    return `${round(across)},${round(down)}`;
  };
  const drawn = [
    ...ticks(yMax, yStep).map((y) => {
      const [, height] = at(0, y).split(',');
      return (
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - TOP}" y1="${height}" y2="${height}"/>` +
        `<text x="${LEFT - 6}" y="${height}" dy="4" text-anchor="end">${shown(y)}</text>`
      );
    }),
    ...ticks(xMax, xStep).map((x) => {
      const [across] = at(x, 0).split(',');
      return `<text x="${across}" y="${HEIGHT - 6}" text-anchor="middle">${shown(x)} s</text>`;
    }),
    ...lines.map((line, number) => drawnLine(line, number, at)),
  ];
  const label = quoted(`${title} in ${unit}`);
  const box = `0 0 ${WIDTH} ${HEIGHT + legendHeight(lines)}`;
  return (
    `<h3>${quoted(title)} <span class="faint">${quoted(unit)}</span></h3>` +
    `<svg viewBox="${box}" role="img" aria-label="${label}">` +
    `${drawn.join('')}${lines.map((line, number) => legend(line, number)).join('')}</svg>`
  );
}

function drawnLine({ name, points }: Line, number: number, at: Place): string {
  const path = points.map(([x, y]) => at(x, y)).join(' ');
  const title = `<title>${quoted(name)}</title>`;
  return `<polyline class="plot ${colour(number)}" points="${path}">${title}</polyline>`;
}

function legend({ name }: Line, number: number): string {
  const y = HEIGHT + number * LEGEND_ROW + TOP;
  return (
    `<line class="plot ${colour(number)}" x1="${LEFT}" x2="${LEFT + 24}" y1="${y}" y2="${y}"/>` +
    `<text x="${LEFT + 32}" y="${y}" dy="4">${quoted(name)}</text>`
  );
}

function legendHeight({ length }: readonly Line[]): number {
  return length * LEGEND_ROW + TOP;
}

function colour(number: number): string {
  return `c${(number % COLOURS) + 1}`;
}

/** 1, 2 or 5 of a power of ten, of which some reach up to it. */
function stepOf(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most / TICKS));
  const step = [1, 2, 5, 10].find((one) => power * one * TICKS >= most) ?? 10;
  return power * step;
}

function ticks(most: number, step: number): readonly number[] {
  const count = Math.floor(most / step + 1e-9) + 1;
  return Array.from({ length: count }, (_, at) => at * step);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A number for people. */
export function shown(value: number): string {
  if (value === 0) return '0';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4;
  return Number(value.toFixed(digits)).toLocaleString('en-US', { maximumFractionDigits: 4 });
}
