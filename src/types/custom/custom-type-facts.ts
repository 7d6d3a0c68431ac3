/** A custom type as it is sent to the threads that serve it: its definition, and places. */
import { KINDS, resourceKey } from '../../resources/registry.ts';
import type { DefinitionFacts, VersionFacts } from './definition-facts.ts';

export interface CustomTypeFacts {
  readonly definition: DefinitionFacts;
  /**
   * Names of versions by their places, from 1 on; place 0 is that of the stored one, whichever that
   * is. A name keeps its place as long as the type is there, so that requests that are under way
   * while the definition changes are made in the version that they meant.
   */
  readonly places: readonly string[];
  /**
   * The names of the selectable fields of all versions, by their places, which they keep likewise:
   * watches that were opened before a change know them by those.
   */
  readonly fields: readonly string[];
}

type Places = Pick<CustomTypeFacts, 'places' | 'fields'>;

export const NO_PLACES: Places = { places: [], fields: [] };

/** The places after a change of the definition; `before` are those until then. */
export function placesAfter(before: Places, versions: readonly VersionFacts[]): Places {
  const names = versions.map(({ name }) => name);
  const fields = versions.flatMap(({ selectableFields = [] }) => selectableFields);
  return { places: withNew(before.places, names), fields: withNew(before.fields, fields) };
}

/** Names by their places after a change; `before` are those until then. */
export function withNew(before: readonly string[], names: readonly string[]): readonly string[] {
  const all = new Set([...before, ...names]);
  return all.size === before.length ? before : [...all];
}

const BUILT_IN_KEYS: ReadonlySet<string> = new Set(KINDS.map(resourceKey));

/**
 * The name of the shard of a custom type: that of its definition, unless a built-in type has it in
 * the other dialect's names.
 */
export function customKey(definitionName: string): string {
  return BUILT_IN_KEYS.has(definitionName) ? `${definitionName}/custom` : definitionName;
}

/**
 * The name of its log: a definition that was made anew has another. The name of the definition may
 * be another one in the other dialect, so it is no part of it.
 */
export function customLogName({ uid }: Pick<DefinitionFacts, 'uid'>): string {
  return uid;
}

/** The version that is stored. Throws an Error for a definition that has none. */
export function storageVersion({ versions, name }: DefinitionFacts): VersionFacts {
  const storage = versions.find((version) => version.storage);
  if (storage === undefined) throw new Error(`the definition ${name} stores no version`);
  return storage;
}

/** `example.com/v1`. */
export function groupVersionIn({ group }: DefinitionFacts, { name }: VersionFacts): string {
  return `${group}/${name}`;
}
