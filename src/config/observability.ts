/** Options about what the server tells of itself. */
import { SERVED_MINOR } from '../base/served-version.ts';
import { releaseBefore } from '../observability/metrics/metric-definition.ts';
import { ConfigError } from './config-error.ts';
import type { Flag, FlagValues } from './flag.ts';
import { switchOf } from './values.ts';

export const OBSERVABILITY_FLAGS = {
  'show-hidden-metrics-for-version': {
    value: 'RELEASE',
    preset: '',
    help: `show metrics that are hidden since this release: ${releaseBefore(SERVED_MINOR)} alone`,
  },
  profiling: {
    value: 'BOOL',
    preset: 'true',
    help: 'let administrators take CPU and heap profiles at /debug/pprof/',
    isSwitch: true,
  },
} as const satisfies Record<string, Flag>;

export interface ObservabilityConfig {
  /** A release whose hidden metrics are shown; '' for none. */
  readonly shownMetrics: string;
  /** Administrators may take profiles of threads. */
  readonly profiling: boolean;
}

/** Throws ConfigError. */
export function observabilityConfig(
  values: FlagValues<typeof OBSERVABILITY_FLAGS>,
): ObservabilityConfig {
  const shownMetrics = values['show-hidden-metrics-for-version'];
  const before = releaseBefore(SERVED_MINOR);
  if (shownMetrics !== '' && shownMetrics !== before) {
    throw new ConfigError(
      `--show-hidden-metrics-for-version is "${shownMetrics}": leave it out, or give ${before}`,
    );
  }
  return { shownMetrics, profiling: switchOf('profiling', values.profiling) };
}
