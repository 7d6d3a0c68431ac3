/** Options about what the server tells of itself. */
import type { Release } from '../release/release.ts';
import { LOG_FORMATS, type LogSettings } from '../observability/log/log.ts';
import { releaseBefore } from '../observability/metrics/metric-definition.ts';
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { durationOf, switchOf } from '../base/options/option-values.ts';

/** From here on the log tells of each request. */
export const REQUESTS_VERBOSITY = 3;

export const OBSERVABILITY_FLAGS = {
  'show-hidden-metrics-for-version': {
    value: 'RELEASE',
    preset: '',
    help: 'show metrics that are hidden since this release: the one before that which is served',
  },
  profiling: {
    value: 'BOOL',
    preset: 'true',
    help: 'let administrators take CPU and heap profiles at /debug/pprof/',
    isSwitch: true,
  },
  'log-format': {
    value: 'FORMAT',
    preset: 'text',
    help: 'of the lines on stderr: text, or json with a document on each',
  },
  v: {
    value: 'N',
    preset: '0',
    help: `how much the server tells of itself; from ${REQUESTS_VERBOSITY} on every request`,
    short: 'v',
  },
  'slow-request-threshold': {
    value: 'DURATION',
    preset: '0s',
    help: 'tell of requests that take longer, and what took how long; 0s for none',
  },
} as const satisfies Record<string, Flag>;

export interface ObservabilityConfig {
  /** A release whose hidden metrics are shown; '' for none. */
  readonly shownMetrics: string;
  /** Administrators may take profiles of threads. */
  readonly profiling: boolean;
  readonly log: LogSettings;
  readonly verbosity: number;
  /** 0 for none. */
  readonly slowRequestMs: number;
}

/** Throws ConfigError. */
export function observabilityConfig(
  values: FlagValues<typeof OBSERVABILITY_FLAGS>,
  release: Release,
): ObservabilityConfig {
  const shownMetrics = values['show-hidden-metrics-for-version'];
  const before = releaseBefore(release.name);
  if (shownMetrics !== '' && shownMetrics !== before) {
    throw new ConfigError(
      `--show-hidden-metrics-for-version is "${shownMetrics}": leave it out, or give ${before}`,
    );
  }
  const format = LOG_FORMATS.find((one) => one === values['log-format']);
  if (format === undefined) {
    const choices = LOG_FORMATS.join(' or ');
    throw new ConfigError(`--log-format is "${values['log-format']}": give ${choices}`);
  }
  const slow = 'slow-request-threshold';
  return {
    shownMetrics,
    profiling: switchOf('profiling', values.profiling),
    log: { format },
    verbosity: verbosityOf(values.v),
    slowRequestMs: durationOf(slow, values[slow]),
  };
}

/** `-v=3` is taken as well as `-v 3`. */
function verbosityOf(value: string): number {
  const text = value.replace(/^=/, '');
  if (/^[0-9]{1,2}$/.test(text)) return Number(text);
  throw new ConfigError(`--v is "${text}": give a whole number`);
}
