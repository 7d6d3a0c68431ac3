import type { FEATURE_GATES } from './data/feature-gates.ts';

/** From which release on something is there, and until when. */
export interface Life {
  /** The first minor that has it: `27`. Absent for what was there before all that are served. */
  readonly since?: number;
  /** The first minor that has it no more. */
  readonly until?: number;
}

/** Whether a release of that minor has it. */
export function isIn({ since = 0, until = Infinity }: Life, minor: number): boolean {
  return since <= minor && minor < until;
}

/** The life of a version of a kind. */
export interface VersionLife extends Life {
  /** The minor from which on its users are warned. */
  readonly deprecated?: number;
  /** The warning names this instead: `batch/v1 CronJob`, in neutral names. */
  readonly replacement?: string;
  /** Whether it is served by default, where that does not follow from its stage. */
  readonly isOn?: boolean;
  /** The feature without which it is not served at all. */
  readonly gate?: keyof typeof FEATURE_GATES;
  /** Releases before a minor tell their users this instead. */
  readonly toldBefore?: Told & { readonly minor: number };
}

/** The facts about the end of a version that its users are told. */
export type Told = Pick<VersionLife, 'deprecated' | 'until' | 'replacement'>;
