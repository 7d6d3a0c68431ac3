/**
 * Objects of another type that were looked up, kept for as long as nothing of the type has changed
 * since, or for a moment where that will do.
 */
import { RecentMap } from '../../base/recent-map.ts';

export interface LookUpOptions<T> {
  readonly find: (namespace: string, name: string) => Promise<T | undefined>;
  /** The newest change of the type that anybody may have been told of. */
  readonly version: () => number;
  /** So old a look-up may be, even if something has changed since. */
  readonly ageMsMax: number;
  readonly nowMs: () => number;
}

interface LookUp<T> {
  readonly version: number;
  readonly timeMs: number;
  found: T | undefined | Promise<T | undefined>;
}

/** Most tokens in use are of fewer accounts than this. */
const KEPT = 1_024;

export class KeptLookUps<T> {
  readonly #options: LookUpOptions<T>;
  readonly #kept = new RecentMap<string, LookUp<T>>(KEPT);

  constructor(options: LookUpOptions<T>) {
    this.#options = options;
  }

  /** At once where it is kept. Rejects as `find` does. */
  get(namespace: string, name: string): T | undefined | Promise<T | undefined> {
    const { find, version, ageMsMax, nowMs } = this.#options;
    const key = `${namespace}/${name}`;
    const now = { version: version(), timeMs: nowMs() };
    const kept = this.#kept.get(key);
    const isFresh =
      kept !== undefined && (kept.version === now.version || now.timeMs - kept.timeMs < ageMsMax);
    if (isFresh) return kept.found;
    const found = find(namespace, name);
    const lookUp: LookUp<T> = { ...now, found };
    this.#kept.set(key, lookUp);
    const isKept = (): boolean => this.#kept.get(key) === lookUp;
    found.then(
      (object) => (lookUp.found = object),
      () => isKept() && this.#kept.delete(key),
    );
    return found;
  }
}
