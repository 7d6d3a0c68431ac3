/** Options of the laboratory (src/laboratory/README.md). */
import { ConfigError } from '../base/options/config-error.ts';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { switchOf } from '../base/options/option-values.ts';

const LABORATORY = 'laboratory';

export const LABORATORY_FLAGS = {
  [LABORATORY]: {
    value: 'BOOL',
    preset: 'false',
    help: 'let administrators have the server lie and go back: faults, stale views, the past',
    isSwitch: true,
  },
} as const satisfies Record<string, Flag>;

export interface LaboratoryConfig {
  readonly isOn: boolean;
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
  return { isOn };
}
