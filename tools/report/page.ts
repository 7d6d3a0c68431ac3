/** Reports as pages: one file each, without scripts, of which browsers load nothing else. */
import { createHash } from 'node:crypto';
import { quoted, table } from './html.ts';
import { plotSvg, shown } from './plot.ts';
import { isPage, keptText, reportText, writeReportFile } from './report.ts';
import type { Case, Figure, Plot, Report } from './report.ts';
import { STYLE } from './style.ts';
import { timelineHtml } from './timeline.ts';

/** As a page where the file's name says so, else as JSON. Throws OptionsError. */
export function writeReport(file: string, report: Report): void {
  writeReportFile(file, isPage(file) ? reportPage(report) : `${reportText(report)}\n`);
}

export function reportPage(report: Report): string {
  const { title, made, passed, says, facts, figures, plots, cases } = report;
  return page(title, [
    `<h1>${quoted(title)}</h1>`,
    `<p class="${passed ? 'passed' : 'failed'}">${quoted(says)}</p>`,
    `<p class="faint">${quoted(made)}</p>`,
    table(
      ['', ''],
      Object.entries(facts).map(([name, value]) => [quoted(name), quoted(value)]),
    ),
    figures.length === 0 ? '' : '<h2>Figures</h2>',
    table(
      ['what', 'value', 'unit'],
      figures.map(({ name, value, unit }) => [quoted(name), shown(value), quoted(unit)]),
    ),
    plots.length === 0 ? '' : '<h2>Over time</h2>',
    ...plots.map(plotSvg),
    ...casesHtml(cases),
    keptText(report),
  ]);
}

/** Two reports of the same kind: what each has found, and how many times as much. */
export function comparisonPage(one: Report, other: Report): string {
  const named = new Map(other.figures.map((figure) => [keyOf(figure), figure]));
  const figures = one.figures.flatMap((figure) => {
    const second = named.get(keyOf(figure));
    if (second === undefined) return [];
    const times = figure.value === 0 ? '–' : shown(second.value / figure.value);
    const { name, value, unit } = figure;
    return [[quoted(name), shown(value), shown(second.value), times, quoted(unit)]];
  });
  const second = new Map(other.cases.map((one) => [one.name, one]));
  const cases = one.cases.flatMap((first) => {
    const later = second.get(first.name);
    if (later === undefined) return [];
    const changed = later.outcome !== first.outcome;
    if (!changed && first.outcome === 'passed') return [];
    return [[quoted(first.name), outcomeHtml(first), outcomeHtml(later)]];
  });
  return page(`${one.title} – ${other.title}`, [
    '<h1>Two reports</h1>',
    table(
      ['', 'title', 'made', ''],
      [one, other].map(({ title, made, says, passed }, at) => [
        'AB'[at] ?? '',
        quoted(title),
        quoted(made),
        `<span class="${passed ? 'passed' : 'failed'}">${quoted(says)}</span>`,
      ]),
    ),
    figures.length === 0 ? '' : '<h2>Figures</h2>',
    table(['what', 'A', 'B', 'B / A', 'unit'], figures),
    ...both(one.plots, other.plots).map(plotSvg),
    cases.length === 0 ? '' : '<h2>Cases that failed in one of them</h2>',
    table(['case', 'A', 'B'], cases),
  ]);
}

function keyOf({ name, unit }: Figure): string {
  return `${name} ${unit}`;
}

/** Lines of plots with the same title in one. */
function both(first: readonly Plot[], second: readonly Plot[]): readonly Plot[] {
  const lines = (of: string, { lines: all }: Plot): Plot['lines'] =>
    all.map(({ name, points }) => ({ name: `${of}: ${name}`, points }));
  return first.flatMap((plot) => {
    const other = second.find(({ title, unit }) => title === plot.title && unit === plot.unit);
    if (other === undefined) return [];
    return [{ ...plot, lines: [...lines('A', plot), ...lines('B', other)] }];
  });
}

function casesHtml(cases: readonly Case[]): readonly string[] {
  const passed = cases.filter(({ outcome }) => outcome === 'passed');
  const others = cases.filter(({ outcome }) => outcome !== 'passed');
  const rows = passed.map(({ name, seconds }) => [quoted(name), seconds.toFixed(2)]);
  return [
    ...others.map(failureHtml),
    rows.length === 0
      ? ''
      : `<details><summary>${rows.length} passed</summary>${table(['', 's'], rows)}</details>`,
  ];
}

function failureHtml(one: Case): string {
  const { name, says, texts = {}, timeline = [] } = one;
  const parts = Object.entries(texts).map(
    ([title, text]) =>
      `<details><summary>${quoted(title)}</summary><pre>${quoted(text)}</pre></details>`,
  );
  return (
    `<section><h2>${outcomeHtml(one)}: ${quoted(name)}</h2><pre>${quoted(says)}</pre>` +
    `${timelineHtml(timeline)}${parts.join('')}</section>`
  );
}

function outcomeHtml({ outcome }: Case): string {
  return `<span class="${outcome}">${outcome}</span>`;
}

function page(title: string, parts: readonly string[]): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${quoted(title)}</title><style>${STYLE}</style></head><body>`,
    ...parts.filter((part) => part !== ''),
    '</body></html>',
    '',
  ].join('\n');
}
