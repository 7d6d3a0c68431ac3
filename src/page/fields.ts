/** Where the fields of an object stand in its YAML text, and who owns them. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Node } from 'yaml';
import type { Cause, FieldTree, ManagedFields } from './documents.ts';

/** The members and positions that lead to a field. */
type Path = readonly (string | number)[];

interface FieldPlace {
  readonly path: Path;
  /** From 0. */
  readonly line: number;
  /** Of an item: what it says by itself, by which owners name it. */
  readonly item?: unknown;
}

/** The fields of a YAML text and their lines; none where it cannot be read. */
export function fieldPlaces(text: string): readonly FieldPlace[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const places: FieldPlace[] = [];
  if (document.errors.length > 0) return places;
  const walk = (node: unknown, path: Path): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue;
        const inner = [...path, String(key.value)];
        places.push({ path: inner, line: lineOf(key, lines) });
        walk(value, inner);
      }
    } else if (isSeq(node)) {
      for (const [index, value] of node.items.entries()) {
        const inner = [...path, index];
        const item = (value as Node).toJS(document) as unknown;
        places.push({ path: inner, line: lineOf(value as Node, lines), item });
        walk(value, inner);
      }
    }
  };
  walk(document.contents, []);
  return places;
}

function lineOf(node: Node, lines: LineCounter): number {
  return lines.linePos(node.range?.[0] ?? 0).line - 1;
}

/** The managers of the fields that stand on each line, in the order of `managed`. */
export function ownersByLine(
  places: readonly FieldPlace[],
  managed: readonly ManagedFields[],
): ReadonlyMap<number, readonly string[]> {
  const items = new Map(places.map(({ path, item }) => [keyOf(path), item]));
  const owners = new Map<number, string[]>();
  for (const { manager = '', subresource, fieldsV1 = {} } of managed) {
    const name = subresource ? `${manager} (${subresource})` : manager;
    for (const { path, line } of places) {
      if (!owns(fieldsV1, path, items)) continue;
      const found = owners.get(line) ?? [];
      if (found.length === 0) owners.set(line, found);
      if (!found.includes(name)) found.push(name);
    }
  }
  return owners;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** Whether the tree names the field itself, not only one within it. */
function owns(tree: FieldTree, path: Path, items: ReadonlyMap<string, unknown>): boolean {
  let within: FieldTree | undefined = tree;
  for (const [depth, member] of path.entries()) {
    within =
      typeof member === 'string'
        ? within[`f:${member}`]
        : itemIn(within, items.get(keyOf(path.slice(0, depth + 1))));
    if (within === undefined) return false;
    // A field that has nothing below it in the tree is owned as a whole.
    if (Object.keys(within).length === 0) return true;
  }
  return '.' in within;
}

function itemIn(tree: FieldTree, item: unknown): FieldTree | undefined {
  for (const [name, within] of Object.entries(tree)) {
    if (name.startsWith('v:') && name.slice(2) === JSON.stringify(item)) return within;
    if (!name.startsWith('k:') || typeof item !== 'object' || item === null) continue;
    const keys = Object.entries(JSON.parse(name.slice(2)) as Record<string, unknown>);
    const members = item as Record<string, unknown>;
    if (keys.every(([key, value]) => isKeyOf(members, key, value))) return within;
  }
  return undefined;
}

/** A key that the object does not show has its default, such as the protocol of a port. */
function isKeyOf(members: Record<string, unknown>, key: string, value: unknown): boolean {
  return members[key] === undefined || members[key] === value;
}

/** `spec.containers[0].image`, as the server names fields, as a path. */
export function pathOfField(field: string): Path {
  const parts = field.matchAll(/\[("(?:[^"\\]|\\.)*"|[^\]]*)\]|[^.[\]]+/g);
  return [...parts].map(([whole, bracketed]) => {
    if (bracketed === undefined) return whole;
    return /^\d+$/.test(bracketed) ? Number(bracketed) : bracketed.replaceAll('"', '');
  });
}

/** The line of the field that a cause names, or of the nearest one around it; else undefined. */
export function lineOfCause(
  places: readonly FieldPlace[],
  { field = '' }: Cause,
): number | undefined {
  const lines = new Map(places.map(({ path, line }) => [keyOf(path), line]));
  for (let path = pathOfField(field); path.length > 0; path = path.slice(0, -1)) {
    const line = lines.get(keyOf(path));
    if (line !== undefined) return line;
  }
  return undefined;
}
