/** Options of the laboratory (src/laboratory/README.md). */
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { switchOf } from '../base/options/option-values.ts';

const LABORATORY = 'laboratory';
const CLOCK = 'clock';

export const LABORATORY_FLAGS = {
  [LABORATORY]: {
    value: 'BOOL',
    preset: 'false',
    help: 'let administrators have the server lie and go back: faults, stale views, the past',
    isSwitch: true,
  },
  [CLOCK]: {
    value: 'real|laboratory',
    preset: 'real',
    help: 'whose time counts for objects and tokens: one that the laboratory moves needs it',
  },
} as const satisfies Record<string, Flag>;

export interface LaboratoryConfig {
  readonly isOn: boolean;
  /** Whether the server's time is moved by requests. */
  readonly movesClock: boolean;
}

/** What a laboratory cannot be beside. */
export interface BesideLaboratory {
  readonly fronts: number;
  readonly store: string;
}

/** Throws ConfigError. */
export function laboratoryConfig(
  values: FlagValues<typeof LABORATORY_FLAGS>,
  { fronts, store }: BesideLaboratory,
): LaboratoryConfig {
  const isOn = switchOf(LABORATORY, values[LABORATORY]);
  if (isOn && fronts > 1) {
    throw new ConfigError(`--${LABORATORY} is of one front: leave --fronts out, or give 1`);
  }
  if (isOn && store !== 'local') {
    throw new ConfigError(`--${LABORATORY} is of one server: leave --store out, or give local`);
  }
  const clock = values[CLOCK];
  if (clock !== 'real' && clock !== 'laboratory') {
    throw new ConfigError(`--${CLOCK} is "${clock}": give real or laboratory`);
  }
  const movesClock = clock === 'laboratory';
  if (movesClock && !isOn) throw new ConfigError(`--${CLOCK}=laboratory needs --${LABORATORY}`);
  return { isOn, movesClock };
}
