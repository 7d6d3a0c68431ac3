/** Decoded schemas as plain JSON, which values are pruned and validated by. */
import { setMember } from '../../base/set-member.ts';
import { RawJson } from '../../codec/json/raw-json.ts';
import { StructuralSchema } from '../../schema/structural-schema.ts';
import { parseUnstructured } from '../../schema/unstructured.ts';
import type { Schema } from './schema-node.ts';

/** The reference does not check that the default of such a schema is an integer or a string. */
const NOT_FOR_DEFAULTS = 'x-kubernetes-int-or-string';

/** The schemas of defaults. Each is made when it is asked for, and once. */
export class PlainSchemas {
  readonly #made = new Map<object, unknown>();

  of(schema: Schema): StructuralSchema {
    return new StructuralSchema(this.#plain(schema) as Schema);
  }

  #plain(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof RawJson) return parseUnstructured(value.text);
    let made = this.#made.get(value);
    if (made === undefined) {
      made = Array.isArray(value)
        ? value.map((item) => this.#plain(item))
        : this.#plainMembers(value as Schema);
      this.#made.set(value, made);
    }
    return made;
  }

  #plainMembers(value: Schema): Record<string, unknown> {
    const plain = Object.create(null) as Record<string, unknown>;
    for (const [name, member] of Object.entries(value)) {
      // A member of this name that is no boolean is a property's schema, and stays.
      if (name === NOT_FOR_DEFAULTS && typeof member === 'boolean') continue;
      setMember(plain, name, this.#plain(member));
    }
    return plain;
  }
}
