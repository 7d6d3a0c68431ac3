/**
 * Drops members whose feature is off from what is written, unless the stored object has them
 * anywhere in the same place of the schema (src/resources/README.md#features).
 */
import type { SchemaModel } from '../../codec/model/schema-model.ts';
import { isMessageType, jsonFields, messageNamed } from '../../codec/model/schema-walk.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';

type Members = Record<string, unknown>;

/** A member with messages that have one to be dropped. */
interface Holding {
  readonly member: string;
  readonly isMap: boolean;
  readonly dropping: Dropping;
}

/** The members of a message that are to be dropped, and those that hold such. */
interface Dropping {
  readonly drops: readonly string[];
  readonly below: readonly Holding[];
}

export type DropGated = (object: object, stored?: object) => void;

/** Undefined where a message has no member whose feature is off. */
export function compileGated(
  model: SchemaModel,
  messageName: string,
  gates: FeatureGates,
): DropGated | undefined {
  const on: ReadonlySet<string> = gates;
  const dropping = droppingOf(model, messageName, on, []);
  if (dropping === undefined) return undefined;
  return (object, stored) => {
    // Few objects have any: these are looked at once more, with the stored ones beside them.
    if (!holdsAny(object as Members, dropping)) return;
    dropFrom([object as Members], dropping, stored && [stored as Members]);
  };
}

function droppingOf(
  model: SchemaModel,
  messageName: string,
  on: ReadonlySet<string>,
  above: readonly string[],
): Dropping | undefined {
  if (above.includes(messageName)) return undefined;
  const drops: string[] = [];
  const below: Holding[] = [];
  const fields = jsonFields(model, messageNamed(model, messageName));
  for (const { name, type, gate, container } of fields) {
    if (gate !== undefined && !on.has(gate)) {
      drops.push(name);
    } else if (isMessageType(type)) {
      const dropping = droppingOf(model, type, on, [...above, messageName]);
      const isMap = container === 'map';
      if (dropping !== undefined) below.push({ member: name, isMap, dropping });
    }
  }
  return drops.length + below.length === 0 ? undefined : { drops, below };
}

function holdsAny(object: Members, { drops, below }: Dropping): boolean {
  for (const member of drops) if (object[member] !== undefined) return true;
  for (const { member, isMap, dropping } of below) {
    const value = object[member];
    if (typeof value !== 'object' || value === null) continue;
    if (isMap || Array.isArray(value)) {
      const held = isMap ? Object.values(value) : (value as unknown[]);
      for (const one of held) if (holdsAny(one as Members, dropping)) return true;
    } else if (holdsAny(value as Members, dropping)) return true;
  }
  return false;
}

/** `stored` are the objects in the same place of the stored object. */
function dropFrom(
  objects: readonly Members[],
  { drops, below }: Dropping,
  stored: readonly Members[] = [],
): void {
  for (const member of drops) {
    const having = objects.filter((object) => object[member] !== undefined);
    if (having.length === 0 || stored.some((object) => object[member] !== undefined)) continue;
    for (const object of having) delete object[member];
  }
  for (const holding of below) {
    const held = heldBy(objects, holding);
    if (held.length > 0) dropFrom(held, holding.dropping, heldBy(stored, holding));
  }
}

/** The objects that a member holds: one, those of a list, or those of a map. */
function heldBy(objects: readonly Members[], { member, isMap }: Holding): readonly Members[] {
  return objects.flatMap((object) => {
    const value = object[member];
    if (typeof value !== 'object' || value === null) return [];
    if (isMap) return Object.values(value) as Members[];
    return Array.isArray(value) ? (value as Members[]) : [value as Members];
  });
}
