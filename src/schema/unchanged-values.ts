/**
 * Lets an update off what its object broke before (README.md#unchanged-values): errors of values
 * that are as they were do not count.
 */
import { deepEqual } from '../base/deep-equal.ts';
import { DEFAULT_GATES } from '../release/own-gates.ts';
import type { FieldError } from '../semantics/errors/field-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

const RATCHETS = DEFAULT_GATES.has('CRDValidationRatcheting');

interface Updated {
  readonly schema: StructuralSchema;
  readonly value: unknown;
  /** The value before; undefined where there was none. */
  readonly before: unknown;
}

/** The errors of a whole object that count. */
export function changedErrors(
  errors: FieldError[],
  { schema, value, before }: Updated,
): FieldError[] {
  if (!RATCHETS || errors.length === 0 || before === undefined) return errors;
  const unchanged = new Unchanged();
  unchanged.visit(schema, value, before, '');
  return errors.filter(({ field }) => !unchanged.has(field));
}

/** The paths of what is as it was. */
class Unchanged {
  readonly #values = new Set<string>();
  /** Starts of values with members or items: those are unchanged too. */
  readonly #starts: string[] = [];

  has(path: string): boolean {
    return this.#values.has(path) || this.#starts.some((start) => path.startsWith(start));
  }

  visit(schema: StructuralSchema | undefined, value: unknown, before: unknown, path: string): void {
    if (before === undefined || value === undefined) return;
    if (deepEqual(value, before)) {
      this.#add(value, path);
    } else if (Array.isArray(value)) {
      if (Array.isArray(before)) this.#visitItems(schema, value, before, path);
    } else if (isMembers(value) && isMembers(before) && schema?.isAtomicMap !== true) {
      for (const name of Object.keys(value)) {
        if (path === '' && (name === 'apiVersion' || name === 'kind')) continue;
        const dotted = path === '' ? name : `${path}.${name}`;
        const old = Object.hasOwn(before, name) ? before[name] : undefined;
        this.visit(schema?.member(name), value[name], old, dotted);
      }
    }
  }

  /** Only items that have keys are found again. */
  #visitItems(
    schema: StructuralSchema | undefined,
    items: readonly unknown[],
    before: readonly unknown[],
    path: string,
  ): void {
    if (schema?.listType !== 'map') return;
    const keyOf = (item: unknown): string =>
      isMembers(item) ? JSON.stringify(schema.listMapKeys.map((key) => item[key] ?? null)) : '';
    const known = new Map(before.map((item) => [keyOf(item), item]));
    items.forEach((item, at) => {
      this.visit(schema.items, item, known.get(keyOf(item)), `${path}[${at}]`);
    });
  }

  #add(value: unknown, path: string): void {
    this.#values.add(path);
    if (typeof value !== 'object' || value === null) return;
    if (path === '') this.#starts.push('');
    else this.#starts.push(`${path}.`, `${path}[`);
  }
}

/** Whether a value is an object. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
