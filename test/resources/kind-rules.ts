/** The kind tests share this: the rules of one kind on the committed schema, errors as texts. */
import type { Test } from 'tap';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';
import { builtInRules } from '../../src/types/built-in/built-in-type.ts';
import type { ObjectRules, UpdatedPart } from '../../src/types/resource-type.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { model } from '../codec/proto-model.ts';
import type { Change } from '../support/kind-cases.ts';

export const MODEL = model;

/** One broken rule: what is changed in a valid object, and the errors it then has. */
export type RuleCase = readonly [rule: string, change: Change, errors: readonly string[]];

/** An update: changes of the stored object and of the new one. */
export type UpdateCase = readonly [
  rule: string,
  stored: Change,
  change: Change,
  errors: readonly string[],
];

/** Errors as the message of a Status shows them. */
export function texts(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

export class KindRules {
  readonly #base: ApiObject;
  readonly #validator: ObjectRules;

  /** `members` make a valid object of the kind; its metadata is added here. */
  constructor(kind: BuiltInKind, members: Change) {
    const metadata = { name: 'a', uid: 'u', resourceVersion: '7' };
    const namespaced = kind.namespaced ? { ...metadata, namespace: 'ns' } : metadata;
    this.#base = { metadata: namespaced, ...members };
    this.#validator = builtInRules(kind, MODEL, compileValidators(MODEL, [kind.message]));
  }

  object(change: Change = {}): ApiObject {
    return merged(this.#base, change) as ApiObject;
  }

  create(change: Change = {}): string[] {
    return texts(this.#validator.validateCreate(this.object(change)));
  }

  update(stored: Change, change: Change, part: UpdatedPart = ''): string[] {
    const before = this.object(stored);
    return texts(this.#validator.validateUpdate(merged(before, change) as ApiObject, before, part));
  }

  checkCreates(t: Test, cases: readonly RuleCase[]): void {
    t.same(this.create(), [], 'a valid object has no errors');
    for (const [rule, change, errors] of cases) t.same(this.create(change), errors, rule);
  }

  checkUpdates(t: Test, cases: readonly UpdateCase[]): void {
    t.same(this.update({}, {}), [], 'an object can be written as it is');
    for (const [rule, stored, change, errors] of cases) {
      t.same(this.update(stored, change), errors, rule);
    }
  }
}

/** A copy of `base` with `change` merged in; lists are replaced, undefined removes a member. */
export function merged(base: unknown, change: unknown): unknown {
  if (!isPlain(base) || !isPlain(change)) return change;
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) delete result[key];
    else result[key] = key in base ? merged(base[key], value) : value;
  }
  return result;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
