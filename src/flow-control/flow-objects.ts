/** Schemas and levels of flow control as requests are held against them. */
import type {
  FlowSchema,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
} from '#messages/flowcontrol.v1beta2';
import { FIXED_LEVELS, FIXED_SCHEMAS } from '../resources/flowcontrol/fixed-specs.ts';

/** A FlowSchema. */
export interface Schema {
  readonly name: string;
  readonly uid: string;
  /** The name of its priority level. */
  readonly level: string;
  /** Of several schemas that match the one with the lowest number counts, then by name. */
  readonly precedence: number;
  /** What tells the flows of the schema apart; absent where all its requests are one flow. */
  readonly by?: 'ByNamespace' | 'ByUser';
  readonly rules: readonly PolicyRulesWithSubjects[];
}

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly lengthMax: number;
}

/** A PriorityLevelConfiguration. */
export interface Level {
  readonly name: string;
  readonly uid: string;
  readonly isExempt: boolean;
  /** What part of the seats of the server is its own. */
  readonly shares: number;
  /** How much of them others may borrow, and how much it may borrow; undefined for no bound. */
  readonly lendablePercent: number;
  readonly borrowingPercent: number | undefined;
  /** Absent where a request that finds no seat is refused. */
  readonly queuing?: Queuing;
}

const EXEMPT = 'exempt';
const CATCH_ALL = 'catch-all';
/** As definitions of the API have them for what is not said. */
const QUEUING_DEFAULT = { queues: 64, handSize: 8, queueLengthLimit: 50 };
const PRECEDENCE_DEFAULT = 1_000;
const SHARES_DEFAULT = 30;

/** The schemas without which requests would have no place, for when there are no such objects. */
export const MANDATORY_SCHEMAS: readonly Schema[] = [EXEMPT, CATCH_ALL].map((name) =>
  schemaOf({ metadata: { name }, spec: FIXED_SCHEMAS[name]! }),
);
/** The same of levels. */
export const MANDATORY_LEVELS: readonly Level[] = [EXEMPT, CATCH_ALL].map((name) =>
  levelOf({ metadata: { name }, spec: FIXED_LEVELS[name]! }),
);

/** Reads an object in the version that is stored. */
export function schemaOf({ metadata, spec = {} }: FlowSchema): Schema {
  const { type } = spec.distinguisherMethod ?? {};
  return {
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    level: spec.priorityLevelConfiguration?.name ?? '',
    precedence: spec.matchingPrecedence ?? PRECEDENCE_DEFAULT,
    ...((type === 'ByUser' || type === 'ByNamespace') && { by: type }),
    rules: spec.rules ?? [],
  };
}

/** Reads an object in the version that is stored. */
export function levelOf({ metadata, spec = {} }: PriorityLevelConfiguration): Level {
  const { limited, exempt } = spec;
  const isExempt = spec.type === 'Exempt';
  const { type, queuing } = limited?.limitResponse ?? {};
  const { queues, handSize, queueLengthLimit } = { ...QUEUING_DEFAULT, ...queuing };
  const shares = isExempt
    ? (exempt?.nominalConcurrencyShares ?? 0)
    : (limited?.assuredConcurrencyShares ?? SHARES_DEFAULT);
  return {
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    isExempt,
    shares,
    lendablePercent: (isExempt ? exempt : limited)?.lendablePercent ?? 0,
    borrowingPercent: isExempt ? undefined : limited?.borrowingLimitPercent,
    ...(type === 'Queue' && { queuing: { queues, handSize, lengthMax: queueLengthLimit } }),
  };
}

/** In the order in which they are asked. */
export function bySchemaOrder(a: Schema, b: Schema): number {
  if (a.precedence !== b.precedence) return a.precedence - b.precedence;
  return a.name < b.name ? -1 : 1;
}
