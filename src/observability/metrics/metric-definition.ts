/** Definitions of metrics, and which of them are shown (../README.md#stability). */

export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface MetricDefinition {
  readonly type: MetricType;
  readonly help: string;
  /** Sorted, as they are shown. */
  readonly labels: readonly string[];
  /** Absent for figures of the process, which are of nobody's API. */
  readonly stability?: 'ALPHA' | 'BETA' | 'STABLE';
  /** The release from which on it is deprecated, where that has come: `1.23`. */
  readonly deprecatedSince?: string;
  /** Upper bounds of a histogram, without the last one, which is infinite. */
  readonly buckets?: readonly number[];
}

/** For so many releases a deprecated metric is still shown. */
const RELEASES_SHOWN = 3;

/** The text of a metric for people, with its class. */
export function helpOf({ help, stability, deprecatedSince }: MetricDefinition): string {
  const since = deprecatedSince === undefined ? '' : `(Deprecated from ${deprecatedSince}) `;
  return stability === undefined ? help : `[${stability}] ${since}${help}`;
}

/**
 * Whether a metric is hidden in a release: one that was deprecated three releases ago, or before.
 * Those that the release before still showed are shown where it is asked for that one.
 */
export function isHidden(
  { deprecatedSince }: Pick<MetricDefinition, 'deprecatedSince'>,
  release: string,
  shownFor = '',
): boolean {
  if (deprecatedSince === undefined) return false;
  const hiddenIn = minorOf(deprecatedSince) + RELEASES_SHOWN;
  if (hiddenIn > minorOf(release)) return false;
  return shownFor === '' || hiddenIn <= minorOf(shownFor);
}

/** The release before: the only one whose hidden metrics can be shown. */
export function releaseBefore(release: string): string {
  const [major] = release.split('.');
  return `${major}.${minorOf(release) - 1}`;
}

function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
