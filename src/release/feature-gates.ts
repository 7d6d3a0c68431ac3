/**
 * The features that `--feature-gates` switches, as a release has them
 * (src/resources/README.md#features).
 */
import { FALSE_TEXTS, TRUE_TEXTS } from '../base/text/truth-texts.ts';
import { FEATURE_GATES } from './data/feature-gates.ts';
import { ON_EARLY } from './data/changes.ts';
import { EFFECTS_SINCE, GATE_EFFECTS } from './gate-effects.ts';
import type { Release } from './release.ts';

export type FeatureGate = keyof typeof FEATURE_GATES;

/** Those that are on. */
export type FeatureGates = ReadonlySet<FeatureGate>;

const STAGE_NAMES = ['alpha', 'beta', 'GA', 'deprecated'] as const;
/**
 * `alpha` is off and `beta` on unless its history says otherwise, `GA` is on, and `deprecated` is
 * about to go.
 */
type Stage = (typeof STAGE_NAMES)[number];

/** The state of a feature in a release. */
export interface GateState {
  readonly stage: Stage;
  /** Whether it is on by default. */
  readonly isOn: boolean;
  /** Whether it stays so. */
  readonly isLocked: boolean;
}

interface Step extends GateState {
  readonly since: number;
}

export interface GateHistory {
  readonly steps: readonly Step[];
  /** The first minor that does not have the gate any more: what it gated stays as it was. */
  readonly until: number;
}

/** Reads a history as `data/feature-gates.ts` writes it. */
function parseHistory(text: string): GateHistory {
  const steps: Step[] = [];
  let until = Infinity;
  for (const part of text.split(', ')) {
    const [what, minor, ...marks] = part.split(' ');
    const since = Number(minor);
    const stage = STAGE_NAMES.find((name) => name === what);
    if (stage === undefined) {
      until = since;
      continue;
    }
    const isOn = marks.includes('on') || (stage !== 'alpha' && !marks.includes('off'));
    steps.push({ since, stage, isOn, isLocked: marks.includes('locked') });
  }
  return { steps, until };
}

const ALL_GATES = Object.keys(FEATURE_GATES) as readonly FeatureGate[];
const HISTORIES = new Map(
  ALL_GATES.map((gate) => [gate, parseHistory(FEATURE_GATES[gate])] as const),
);

/** The history of a feature over all releases. */
export function historyOf(gate: FeatureGate): GateHistory {
  return HISTORIES.get(gate) ?? { steps: [], until: 0 };
}

/** The gates that a release has. */
export function gatesOf({ minor }: Release): readonly FeatureGate[] {
  return ALL_GATES.filter((gate) => {
    const { steps, until } = historyOf(gate);
    return minor < until && steps.some(({ since }) => since <= minor);
  });
}

/** Finds the state of a feature in a release: it is off where it did not exist yet. */
export function stateOf(gate: FeatureGate, { minor }: Release): GateState {
  const step = historyOf(gate).steps.findLast(({ since }) => since <= minor);
  const { stage, isOn, isLocked } = step ?? { stage: 'alpha', isOn: false, isLocked: true };
  return { stage, isOn: isOn || isOnEarly(gate, minor), isLocked };
}

function isOnEarly(gate: FeatureGate, minor: number): boolean {
  return ON_EARLY.some(({ name, since }) => name === gate && since <= minor);
}

/** The features that are on in a release where nobody switches any. */
export function defaultGates(release: Release): FeatureGates {
  return new Set(ALL_GATES.filter((gate) => stateOf(gate, release).isOn));
}

function hasEffect(gate: FeatureGate, release: Release): boolean {
  const isKnown = (one: string): one is keyof typeof GATE_EFFECTS =>
    Object.hasOwn(GATE_EFFECTS, one);
  if (!isKnown(gate)) return false;
  const change = EFFECTS_SINCE[gate];
  return change === undefined || release.has(change);
}

/** The gates of a release that change what this server does, and what each is about. */
export function gatesWithEffect(release: Release): readonly (readonly [FeatureGate, string])[] {
  const known = new Set(gatesOf(release));
  return Object.entries(GATE_EFFECTS)
    .map(([name, about]) => [name as keyof typeof GATE_EFFECTS, about] as const)
    .filter(([gate]) => known.has(gate) && !stateOf(gate, release).isLocked)
    .filter(([gate]) => hasEffect(gate, release));
}

/** Switch all features of a stage that are not switched by their names. */
const STAGES: ReadonlyMap<string, Stage> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/**
 * Reads pairs as `IdentifyPodOS=true,AllBeta=false`; of pairs with one name the last counts. Throws
 * RangeError for a name that the release does not have, for a value that is no boolean, and for a
 * feature that is switched against its lock.
 */
export function parseFeatureGates(pairs: string, release: Release): FeatureGates {
  const given = readPairs(pairs, release);
  const gates = new Set(defaultGates(release));
  const known = gatesOf(release);
  const set = (gate: FeatureGate, isOn: boolean): void => {
    if (isOn) gates.add(gate);
    else gates.delete(gate);
  };
  for (const [name, stage] of STAGES) {
    const isOn = given.get(name);
    if (isOn === undefined) continue;
    for (const gate of known) {
      const state = stateOf(gate, release);
      if (state.stage === stage && !state.isLocked) set(gate, isOn);
    }
  }
  for (const gate of known) set(gate, given.get(gate) ?? gates.has(gate));
  return gates;
}

/** Warnings about valid `pairs`: features that are about to go, or that change nothing here. */
export function featureGateWarnings(pairs: string, release: Release): readonly string[] {
  return [...readPairs(pairs, release)].flatMap(([name, isOn]) => {
    const gate = gateNamed(name, release);
    if (gate === undefined) return [];
    const { stage } = stateOf(gate, release);
    if (stage === 'GA' || stage === 'deprecated') {
      const what = `setting ${stage} feature gate ${name}=${String(isOn)}`;
      return [`${what}: it will be removed in a future release`];
    }
    return hasEffect(gate, release) ? [] : [`${name} changes nothing in this server`];
  });
}

function gateNamed(name: string, release: Release): FeatureGate | undefined {
  if (!Object.hasOwn(FEATURE_GATES, name)) return undefined;
  const gate = name as FeatureGate;
  return gatesOf(release).includes(gate) ? gate : undefined;
}

function readPairs(pairs: string, release: Release): ReadonlyMap<string, boolean> {
  const given = new Map<string, boolean>();
  for (const pair of pairs.split(',')) {
    if (pair.trim() === '') continue;
    const [name = '', value = '', ...more] = pair.split('=').map((part) => part.trim());
    const gate = gateNamed(name, release);
    if (gate === undefined && !STAGES.has(name)) {
      const known = [...STAGES.keys(), ...gatesWithEffect(release).map(([one]) => one)].join(', ');
      throw new RangeError(`there is no feature gate "${name}", only ${known}`);
    }
    const isOn = TRUE_TEXTS.has(value);
    if (more.length > 0 || !(isOn || FALSE_TEXTS.has(value))) {
      throw new RangeError(`"${pair.trim()}" is not ${name}=true or ${name}=false`);
    }
    const state = gate && stateOf(gate, release);
    if (state?.isLocked === true && state.isOn !== isOn) {
      const way = state.isOn ? 'off' : 'on';
      throw new RangeError(`${name} cannot be switched ${way}: it is locked to ${state.isOn}`);
    }
    given.set(name, isOn);
  }
  return given;
}
