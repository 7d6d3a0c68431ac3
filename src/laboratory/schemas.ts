/** The forms of what the laboratory is sent, as JSON schemas. */
import { RESETS, SIDES, WATCH_FAULTS } from './fault-rule.ts';
import { WHAT, WHO } from './lab-request.ts';
import { WHEN } from './occasions.ts';

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const FLAG = { type: 'boolean' };
const COUNT = { type: 'integer', minimum: 0 };
const NUMBER = { type: 'number' };

function object(properties: Schema, required: readonly string[] = []): Schema {
  const demands = required.length > 0 ? { required } : {};
  return { type: 'object', properties, ...demands, additionalProperties: false };
}

/** Members of the same form but for those that are given. */
function members(
  names: readonly string[],
  form: Schema,
  others: Schema,
  required: readonly string[] = [],
): Schema {
  const same = Object.fromEntries(names.map((name) => [name, form]));
  return object({ ...same, ...others }, required);
}

const RULE = {
  name: TEXT,
  who: members(WHO, TEXTS, {}),
  what: members(WHAT, TEXTS, { labelSelector: TEXT, dryRun: FLAG }),
};

const EFFECTS = object({
  delay: object({ ms: COUNT, toMs: COUNT, at: { enum: SIDES } }, ['ms']),
  refuse: object({ code: COUNT, reason: TEXT, message: TEXT, retryAfterSeconds: COUNT }, ['code']),
  loseAnswer: FLAG,
  reset: { enum: RESETS },
  watch: { enum: WATCH_FAULTS },
  ms: COUNT,
  barrier: { enum: SIDES },
  webhook: TEXT,
});

const WHEN_SCHEMA = members(WHEN, COUNT, { share: NUMBER, once: FLAG, from: TEXT, until: TEXT });

export const FAULT = members(['then'], EFFECTS, { ...RULE, when: WHEN_SCHEMA }, ['name', 'then']);

export const VIEW = object(
  {
    ...RULE,
    reads: { enum: ['all', 'cached'] },
    at: { oneOf: [TEXT, COUNT, object({ versionsAgo: COUNT, secondsAgo: COUNT })] },
  },
  ['name'],
);

export const ADVANCE = object({ to: COUNT, by: COUNT, events: COUNT });
export const RELEASE = object({ count: COUNT });
export const RECORDING_BEGUN = object({ name: TEXT, maskSecrets: FLAG }, ['name']);
export const SNAPSHOT = object({ name: TEXT }, ['name']);
export const FORK = object({ port: COUNT, ahead: COUNT });
export const MOVE = object({ advance: TEXT, set: TEXT, factor: NUMBER });
