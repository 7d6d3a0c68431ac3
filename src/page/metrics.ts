/** Numbers of `/metrics`: reads the text, and compares two readings. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** A reading: the samples of each name. */
export interface Reading {
  /** Milliseconds of a clock that only goes forward. */
  readonly atMs: number;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads a text of Prometheus. */
export function readMetrics(text: string, atMs: number): Reading {
  const samples = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === '') continue;
    const found = samples.get(name) ?? [];
    if (found.length === 0) samples.set(name, found);
    found.push({ labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) });
  }
  return { atMs, samples };
}

function labelsOf(text: string): Labels {
  const found = [...text.matchAll(LABEL)];
  return Object.fromEntries(
    found.map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
    ]),
  );
}

/** The sum of a name's samples by a key of their labels; samples without a key are left out. */
export function sumBy(
  reading: Reading,
  name: string,
  keyOf: (labels: Labels) => string | undefined,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of reading.samples.get(name) ?? []) {
    const key = keyOf(labels);
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

/** How much a counter grew per second between two readings, by key. */
export function ratesBy(
  before: Reading,
  now: Reading,
  name: string,
  keyOf: (labels: Labels) => string | undefined,
): ReadonlyMap<string, number> {
  const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1_000);
  const old = sumBy(before, name, keyOf);
  const rates = new Map<string, number>();
  for (const [key, value] of sumBy(now, name, keyOf)) {
    // A server that was started again counts from nothing.
    const grown = value - (old.get(key) ?? 0);
    rates.set(key, Math.max(0, grown) / seconds);
  }
  return rates;
}

/**
 * A quantile of what a histogram counted between two readings, by key, within its bucket evenly;
 * there is none where nothing was counted. `name` is without `_bucket`.
 */
export function quantilesBy(
  [before, now]: readonly [Reading, Reading],
  name: string,
  quantile: number,
  keyOf: (labels: Labels) => string | undefined,
): ReadonlyMap<string, number> {
  const buckets = new Map<string, [bound: number, count: number][]>();
  const bucketOf = (labels: Labels): string | undefined => {
    const key = keyOf(labels);
    return key === undefined ? undefined : `${labels['le'] ?? ''} ${key}`;
  };
  const old = sumBy(before, `${name}_bucket`, bucketOf);
  for (const [both, value] of sumBy(now, `${name}_bucket`, bucketOf)) {
    const at = both.indexOf(' ');
    const bound = Number(both.slice(0, at).replace('+Inf', 'Infinity'));
    const key = both.slice(at + 1);
    const found = buckets.get(key) ?? [];
    if (found.length === 0) buckets.set(key, found);
    found.push([bound, Math.max(0, value - (old.get(both) ?? 0))]);
  }
  const quantiles = new Map<string, number>();
  for (const [key, counts] of buckets) {
    const found = quantileOf(counts, quantile);
    if (found !== undefined) quantiles.set(key, found);
  }
  return quantiles;
}

/** `counts` are cumulative, as the text has them. */
function quantileOf(
  counts: readonly (readonly [bound: number, count: number])[],
  quantile: number,
): number | undefined {
  const sorted = counts.toSorted(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const wanted = quantile * total;
  let below: readonly [number, number] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= wanted && count > below[1]) {
      // All that is known of the last bucket is where it begins.
      if (bound === Infinity) return below[0];
      const share = (wanted - below[1]) / (count - below[1]);
      return below[0] + share * (bound - below[0]);
    }
    below = [bound, count];
  }
  return below[0];
}
