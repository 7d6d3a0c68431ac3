/** Writes down the defaults of a version where the other one would have others. */
import { isMembers, type Members } from './members.ts';
import type { DefaultDifference } from './manifest-version.ts';
import type { ApiObject } from '../resources/kind.ts';

/** Run before the rules of `toStored`: writes down the defaults of this version. */
export function writeOwnDefaults(object: ApiObject, all: readonly DefaultDifference[]): void {
  writeDefaults(object, all, ({ here }) => here);
}

/** Run before the rules of `fromStored`: writes down the defaults of the stored version. */
export function writeStoredDefaults(object: ApiObject, all: readonly DefaultDifference[]): void {
  writeDefaults(object, all, ({ stored }) => stored);
}

function writeDefaults(
  object: ApiObject,
  all: readonly DefaultDifference[],
  valueOf: (difference: DefaultDifference) => unknown,
): void {
  // Whether a default applies is asked of the object as it was sent.
  const applying = all.filter(({ applies }) => applies === undefined || applies(object));
  for (const difference of applying) {
    const value = valueOf(difference);
    if (value !== undefined) setMissing(object, difference.path.split('.'), value);
  }
}

function setMissing(object: Members, path: readonly string[], value: unknown): void {
  const [step = '', ...rest] = path;
  if (step.endsWith('[]')) {
    const items = object[step.slice(0, -2)];
    if (!Array.isArray(items)) return;
    for (const item of items) if (isMembers(item)) setMissing(item, rest, value);
    return;
  }
  if (rest.length === 0) {
    object[step] ??= structuredClone(value);
    return;
  }
  const below = (object[step] ??= {});
  if (isMembers(below)) setMissing(below, rest, value);
}
