/** Options of the lease by which the controller of elections is seen to run. */
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { durationOf } from '../base/options/option-values.ts';

const LEASE = 'coordinated-leadership-lease-duration';
const DEADLINE = 'coordinated-leadership-renew-deadline';
const RETRY = 'coordinated-leadership-retry-period';

export const LEADERSHIP_FLAGS = {
  [LEASE]: {
    value: 'DURATION',
    preset: '15s',
    help: 'for how long the lease holds by which others see that leaders are elected',
  },
  [DEADLINE]: {
    value: 'DURATION',
    preset: '10s',
    help: 'until when it is to be renewed: between the other two',
  },
  [RETRY]: { value: 'DURATION', preset: '2s', help: 'how often it is renewed' },
} as const satisfies Record<string, Flag>;

export interface LeadershipConfig {
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** Throws ConfigError. */
export function leadershipConfig(values: FlagValues<typeof LEADERSHIP_FLAGS>): LeadershipConfig {
  const [leaseMs, deadlineMs, renewMs] = [
    durationOf(LEASE, values[LEASE]),
    durationOf(DEADLINE, values[DEADLINE]),
    durationOf(RETRY, values[RETRY]),
  ];
  if (leaseMs <= deadlineMs) throw new ConfigError(`--${LEASE} must be greater than --${DEADLINE}`);
  if (deadlineMs <= renewMs) throw new ConfigError(`--${DEADLINE} must be greater than --${RETRY}`);
  return { leaseMs, renewMs };
}
