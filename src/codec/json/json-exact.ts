/**
 * The second attempt at a document in which the text of a number matters (`NEEDS_NUMBER_TEXT`).
 * Walks only the members that the schema knows: unknown ones, however many, are skipped.
 */
import { setMember } from '../../base/set-member.ts';
import { NumberLiteral } from './go-errors.ts';
import { JsonCursor } from './json-cursor.ts';
import { SCHEMA_MESSAGE, SCHEMA_VARIANTS } from '../model/schema-model.ts';
import type { FieldSchema, SchemaModel } from '../model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../model/schema-walk.ts';

/**
 * Parses valid text of a message as `JSON.parse` does, but numbers are `NumberLiteral`, and members
 * that the message does not have are left out, as are the members of objects in the place of
 * leaves.
 */
export function parseExactly(model: SchemaModel, messageName: string, text: string): unknown {
  const cursor = new JsonCursor(text);
  cursor.skipSpace();
  return new ExactParser(model, cursor).message(messageName);
}

/** Reads one value at the cursor. */
type ReadValue = () => unknown;

class ExactParser {
  readonly #model: SchemaModel;
  readonly #cursor: JsonCursor;
  readonly #fields = new Map<string, ReadonlyMap<string, FieldSchema>>();

  constructor(model: SchemaModel, cursor: JsonCursor) {
    this.#model = model;
    this.#cursor = cursor;
  }

  message(messageName: string): unknown {
    if (this.#cursor.peek() !== '{') return this.#leaf();
    const fields = this.#fieldsOf(messageName);
    const members: Record<string, unknown> = {};
    this.#cursor.forEachMember((key) => {
      const field = fields.get(key);
      if (field !== undefined) members[key] = this.#field(field, messageName);
      else if (key === 'kind' || key === 'apiVersion') members[key] = this.#leaf();
      else this.#cursor.skipValue();
    });
    return members;
  }

  #field(field: FieldSchema, messageName: string): unknown {
    const item = this.#item(field, messageName);
    if (field.container === 'list' && this.#cursor.peek() === '[') {
      const items: unknown[] = [];
      this.#cursor.forEachItem(() => items.push(item()));
      return items;
    }
    if (field.container === 'map' && this.#cursor.peek() === '{') {
      const map = Object.create(null) as Record<string, unknown>;
      this.#cursor.forEachMember((key) => {
        setMember(map, key, item());
      });
      return map;
    }
    return field.container === 'single' ? item() : this.#leaf();
  }

  #item(field: FieldSchema, messageName: string): ReadValue {
    if (isMessageType(field.type)) return () => this.message(field.type);
    if (!SCHEMA_VARIANTS.has(`${messageName}.${field.name}`)) return () => this.#leaf();
    return () => {
      if (this.#cursor.peek() !== '[') return this.message(SCHEMA_MESSAGE);
      const items: unknown[] = [];
      this.#cursor.forEachItem(() => items.push(this.message(SCHEMA_MESSAGE)));
      return items;
    };
  }

  #leaf(): unknown {
    const first = this.#cursor.peek();
    const text = this.#cursor.takeValue();
    if (first === '{') return {};
    if (first === '[') return JSON.parse(text);
    return /[-0-9]/.test(first) ? new NumberLiteral(text) : JSON.parse(text);
  }

  #fieldsOf(messageName: string): ReadonlyMap<string, FieldSchema> {
    let fields = this.#fields.get(messageName);
    if (fields === undefined) {
      const all = jsonFields(this.#model, messageNamed(this.#model, messageName));
      fields = new Map(all.map((field) => [field.name, field]));
      this.#fields.set(messageName, fields);
    }
    return fields;
  }
}
