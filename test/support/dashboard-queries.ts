/** Whether a scrape has what the queries of a dashboard ask for. */

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface DashboardQuery {
  readonly title: string;
  readonly expression: string;
  readonly legend: string;
}

interface Series {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly isDeprecated: boolean;
}

const SERIES = /\b([a-z]\w*_\w+)(?:\{([^}]*)\})?/g;
const FUNCTIONS = ['histogram_quantile', 'label_join', 'label_replace'];
/** Stands between what one release answers, and what another one does. */
const OR_ELSE = ' or on() ';

export function dashboardQueries(dashboard: string): readonly DashboardQuery[] {
  const { panels } = JSON.parse(dashboard) as { panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expression: expr, legend: legendFormat })),
  );
}

/** All series of a scrape in Prometheus text. */
export function seriesOf(scrape: string): readonly Series[] {
  const series: Series[] = [];
  let isDeprecated = false;
  for (const line of scrape.split('\n')) {
    if (line.startsWith('# HELP')) isDeprecated = line.includes('(Deprecated ');
    const [, name, text = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name !== undefined) series.push({ name, labels: labelsIn(text), isDeprecated });
  }
  return series;
}

/**
 * Gives the part of a query that no series has and that is to stay; undefined where there is one
 * for each part, or for each of an alternative.
 */
export function unanswered(
  { title, expression, legend }: DashboardQuery,
  series: readonly Series[],
): string | undefined {
  const [first = '', ...others] = expression.split(OR_ELSE);
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
  if (others.length === 0) return missingPart(title, first, shown, series);
  const missing = [first, ...others].map((part) => missingPart(title, part, [], series));
  return missing.includes(undefined) ? undefined : missing.join(' and ');
}

function missingPart(
  title: string,
  expression: string,
  shown: readonly string[],
  series: readonly Series[],
): string | undefined {
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, by = '']) =>
    by.split(', '),
  );
  const wanted = [...grouped, ...shown];
  const plain = expression.replaceAll(/by \([^)]*\)|\[\$\w+\]|"[^"{}=]*"(?=[,)])/g, '');
  for (const [text, name = '', matchers = ''] of plain.matchAll(SERIES)) {
    if (FUNCTIONS.includes(name)) continue;
    const isThere = series.some(
      (one) =>
        one.name === name &&
        !one.isDeprecated &&
        wanted.every((label) => one.labels.has(label)) &&
        isMatched(one.labels, matchers),
    );
    if (!isThere) return `${title}: ${text}`;
  }
  return undefined;
}

function isMatched(labels: ReadonlyMap<string, string>, matchers: string): boolean {
  return [...matchers.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)].every(
    ([, label = '', operator, value = '']) => {
      const found = labels.get(label) ?? '';
      if (operator === '=~') return new RegExp(`^(?:${value})$`).test(found);
      return (found === value) === (operator === '=');
    },
  );
}

function labelsIn(text: string): ReadonlyMap<string, string> {
  const labels = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return new Map([...labels].map(([, name = '', value = '']) => [name, value]));
}
