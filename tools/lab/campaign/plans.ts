/** Which plans two runs without faults lead to. */
import type { EventRef, Kind, Plan } from './plan.ts';
import { nameOf, type Asked, type Target, type Traffic, type TypeRef } from './traffic.ts';

const CODES = [500, 409, 503];

/** An event of a type, in the order in which they came. */
export interface TypeEvent {
  readonly of: TypeRef;
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
}

export interface PlansOptions {
  readonly kinds: readonly Kind[];
  /** Resources of which nothing is planned. */
  readonly skipped: ReadonlySet<string>;
}

/** The types of which the controller reads what a server may answer from a cache. */
export function readTypes({ asked }: Traffic, skipped: ReadonlySet<string>): readonly TypeRef[] {
  const types = new Map<string, TypeRef>();
  for (const { isController, isCached, type, code = 500 } of asked) {
    if (!isController || !isCached || code >= 300 || skipped.has(type.resource)) continue;
    const key = `${type.group}/${type.resource}`;
    if (!types.has(key)) types.set(key, type);
  }
  return [...types.values()];
}

/**
 * Each kind in turn, so that the first of them are of all kinds. Names that only one of the runs
 * had are generated: what is done to them is counted without the name.
 */
export function plansOf(
  first: Traffic,
  second: Traffic,
  events: readonly TypeEvent[],
  { kinds, skipped }: PlansOptions,
): readonly Plan[] {
  const isKept = (resource: string, namespace: string, name: string): boolean =>
    first.names.has(nameOf(resource, namespace, name));
  const writes = counted(second.asked.filter((asked) => isPlanned(asked, skipped)).map(named));
  const seen = counted(events.map((event) => ({ event, ...eventNamed(event) })));
  const byKind: Readonly<Record<Kind, readonly Plan[]>> = {
    crash: writes.map(({ target, nth }) => ({ kind: 'crash', write: target, nth })),
    lost: writes.map(({ target, nth }) => ({ kind: 'lost', write: target, nth })),
    error: CODES.flatMap((code) =>
      writes.map(({ target, nth }) => ({ kind: 'error' as const, write: target, nth, code })),
    ),
    stale: seen.map((one) => ({ kind: 'stale', of: one.event.of, event: refOf(one) })),
    travel: seen.map((one) => ({ kind: 'travel', of: one.event.of, event: refOf(one) })),
    missed: seen.flatMap((one, at) => {
      const isFollowed = seen.slice(at + 1).some(({ key }) => key === one.key);
      if (one.ref.name === '' || !isFollowed) return [];
      return [{ kind: 'missed' as const, of: one.event.of, event: refOf(one) }];
    }),
  };
  return inTurn(kinds.map((kind) => byKind[kind]));

  function named({ target }: Asked): { target: Target; counter: string } {
    const { resource, namespace, name } = target;
    // A create names nothing in its path.
    const kept = name !== '' && isKept(resource, namespace, name) ? name : '';
    // A namespace is in itself.
    const inside = resource === 'namespaces' ? '' : namespace;
    const written = { ...target, namespace: inside, name: kept };
    return { target: written, counter: JSON.stringify(written) };
  }

  function eventNamed({ of, type, namespace, name }: TypeEvent): Named {
    const kept = isKept(of.resource, namespace, name) ? name : '';
    const ref = { type, namespace, name: kept };
    const key = `${of.group}/${of.resource} ${namespace}/${name}`;
    return { ref, key, counter: JSON.stringify([of, ref]) };
  }
}

interface Named {
  readonly ref: Omit<EventRef, 'nth'>;
  readonly key: string;
  readonly counter: string;
}

function refOf({ ref, nth }: Named & { readonly nth: number }): EventRef {
  return { ...ref, nth };
}

/** Each with how many of its like there were up to it. */
function counted<T extends { readonly counter: string }>(
  all: readonly T[],
): (T & { nth: number })[] {
  const counts = new Map<string, number>();
  return all.map((one) => {
    const nth = (counts.get(one.counter) ?? 0) + 1;
    counts.set(one.counter, nth);
    return { ...one, nth };
  });
}

function isPlanned(asked: Asked, skipped: ReadonlySet<string>): boolean {
  const { isController, isWrite, target, code = 500 } = asked;
  return isController && isWrite && code < 300 && !skipped.has(target.resource);
}

function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const rounds = Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  );
  return rounds.flat();
}
