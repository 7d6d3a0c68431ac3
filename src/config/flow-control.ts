/** Options about how many requests are served at once, and for how long. */
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { durationOf, switchOf } from '../base/options/option-values.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import { countOf } from './values.ts';

const READING = 'max-requests-inflight';
const MUTATING = 'max-mutating-requests-inflight';
const FAIRNESS = 'enable-priority-and-fairness';
const TIMEOUT = 'request-timeout';

export const FLOW_FLAGS = {
  [READING]: {
    value: 'N',
    preset: '400',
    help: 'seats for requests, those that read; 0 for no limit of its own',
  },
  [MUTATING]: {
    value: 'N',
    preset: '200',
    help: 'seats for requests, those that write; added to the others for priority and fairness',
  },
  [FAIRNESS]: {
    value: 'BOOL',
    preset: 'true',
    help: 'divide the seats by FlowSchemas and PriorityLevelConfigurations',
    isSwitch: true,
  },
  [TIMEOUT]: {
    value: 'DURATION',
    preset: '1m',
    help: 'how long a request may take that is no watch, log, session or proxy',
  },
} as const satisfies Record<string, Flag>;

export interface FlowConfig {
  /** Seats are divided by the objects of flow control. */
  readonly isFair: boolean;
  /** Numbers of requests; 0 for no limit. */
  readonly limits: { readonly reading: number; readonly mutating: number };
  readonly requestTimeoutMs: number;
}

/** Throws ConfigError. */
export function flowConfig(values: FlagValues<typeof FLOW_FLAGS>, gates: FeatureGates): FlowConfig {
  const limits = {
    reading: countOf(READING, values[READING]),
    mutating: countOf(MUTATING, values[MUTATING]),
  };
  const isFair = switchOf(FAIRNESS, values[FAIRNESS]) && gates.has('APIPriorityAndFairness');
  if (isFair && limits.reading + limits.mutating === 0) {
    throw new ConfigError(
      `--${READING} and --${MUTATING} are both 0: give at least one, or --${FAIRNESS}=false`,
    );
  }
  const requestTimeoutMs = durationOf(TIMEOUT, values[TIMEOUT]);
  if (requestTimeoutMs === 0) {
    throw new ConfigError(`--${TIMEOUT} is "${values[TIMEOUT]}": give more than none`);
  }
  return { isFair, limits, requestTimeoutMs };
}
