/** The names that definitions may not have. */
import { KINDS } from '../../resources/registry.ts';
import { VIRTUAL_KINDS } from '../../resources/virtual-kinds.ts';
import type { TakenNames } from '../../types/custom/definition-status.ts';

/** The names that the built-in types of a group have taken. */
export function builtInNames(group: string): TakenNames | undefined {
  const kinds = [...KINDS, ...VIRTUAL_KINDS].filter((kind) => kind.group === group);
  if (kinds.length === 0) return undefined;
  const resources = KINDS.filter((kind) => kind.group === group).flatMap(
    ({ plural, kind, shortNames = [] }) => [plural, kind.toLowerCase(), ...shortNames],
  );
  return { resources, kinds: kinds.flatMap(({ kind }) => [kind, `${kind}List`]) };
}
