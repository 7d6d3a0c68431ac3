/** One way in which a run goes wrong, and the file that keeps it. */
import { readFileSync } from 'node:fs';
import { OptionsError } from '../../flags.ts';
import type { Target, TypeRef } from './traffic.ts';

export const KINDS = ['stale', 'crash', 'travel', 'missed', 'lost', 'error'] as const;
export type Kind = (typeof KINDS)[number];

/** The `nth` event of this type of the object; without a name of any that the run makes. */
export interface EventRef {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly nth: number;
}

/** What happens in a run. */
export type Plan =
  | { readonly kind: 'crash' | 'lost'; readonly write: Target; readonly nth: number }
  | {
      readonly kind: 'error';
      readonly write: Target;
      readonly nth: number;
      readonly code: number;
    }
  | {
      readonly kind: 'stale' | 'travel' | 'missed';
      readonly of: TypeRef;
      readonly event: EventRef;
    };

/** What is run, and as whom the controller asks. */
export interface Setting {
  readonly snapshot: string;
  readonly command: string;
  /** '' where the command runs it. */
  readonly scenario: string;
  readonly check: string;
  readonly who: { readonly users: readonly string[]; readonly userAgents: readonly string[] };
  /** The time limit of a run. */
  readonly seconds: number;
  /** How long the controller must be quiet to have done what it can. */
  readonly quietMs: number;
  /** Without a request for so long, a state that is wrong stays wrong; 0 to wait for the limit. */
  readonly giveUpMs: number;
}

const FORM = 'shardplane-campaign-plan';

/** A plan as a line for people. */
export function describe(plan: Plan): string {
  switch (plan.kind) {
    case 'crash':
      return `the controller is killed after ${writeText(plan.write, plan.nth)}, and started again`;
    case 'lost':
      return `the answer is lost to ${writeText(plan.write, plan.nth)}`;
    case 'error':
      return `the answer is ${plan.code} to ${writeText(plan.write, plan.nth)}`;
    case 'stale':
      return `${plan.of.resource} are seen as before ${eventText(plan.event)}, then live`;
    case 'travel':
      return (
        `the controller is killed after ${eventText(plan.event)} of ${plan.of.resource}, ` +
        'and sees them as before when it is started again, then live'
      );
    case 'missed':
      return `of ${plan.of.resource}, ${eventText(plan.event)} and the next one are seen as one`;
  }
}

const STEPS = { error: 1, lost: 1, crash: 2, stale: 2, missed: 3, travel: 4 } as const;

/** How much it does to a run. */
export function stepsOf({ kind }: Plan): number {
  return STEPS[kind];
}

/** A name for the file of a plan: letters, digits and dashes. */
export function fileNameOf(plan: Plan): string {
  const parts =
    'write' in plan
      ? [plan.kind, plan.write.verb, plan.write.resource, plan.write.subresource, plan.write.name]
      : [plan.kind, plan.of.resource, plan.event.type.toLowerCase(), plan.event.name];
  const nth = 'write' in plan ? plan.nth : plan.event.nth;
  const code = plan.kind === 'error' ? [plan.code] : [];
  const text = [...parts, nth, ...code].filter((part) => part !== '').join('-');
  return text.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 120);
}

function writeText({ verb, resource, subresource, namespace, name }: Target, nth: number): string {
  const type = subresource === '' ? resource : `${resource}/${subresource}`;
  const of = name === '' ? type : `${type} ${name}`;
  return `the ${ordinal(nth)} ${verb} of ${of}${namespace === '' ? '' : ` in ${namespace}`}`;
}

function eventText({ type, namespace, name, nth }: EventRef): string {
  const of = name === '' ? 'any' : name;
  return `the ${ordinal(nth)} ${type} of ${namespace === '' ? of : `${namespace}/${of}`}`;
}

const ORDINALS = ['first', 'second', 'third'];

function ordinal(nth: number): string {
  return ORDINALS[nth - 1] ?? `${nth}th`;
}

export function planText(setting: Setting, plan: Plan): string {
  return `${JSON.stringify({ [FORM]: 1, does: describe(plan), setting, plan }, undefined, 2)}\n`;
}

/** Throws OptionsError for what is no file of a plan. */
export function readPlan(file: string): { readonly setting: Setting; readonly plan: Plan } {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OptionsError(`cannot read ${file}: ${(error as Error).message}`);
  }
  const read = content as { readonly setting?: Setting; readonly plan?: Plan } | null;
  const isPlan = typeof read === 'object' && read !== null && FORM in read;
  const { setting, plan } = isPlan ? read : {};
  if (setting === undefined || plan === undefined || !KINDS.includes(plan.kind)) {
    throw new OptionsError(`${file} is no plan of a campaign`);
  }
  return { setting, plan };
}
