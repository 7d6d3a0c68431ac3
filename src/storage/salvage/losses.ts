/** What is missing of a log, between the versions that are there. */

/** A place in a log where something is unreadable. */
export interface Loss {
  /** Its versions are above this one; 0 where there is none before it. */
  readonly after: number;
  /** Its versions are below this one; Infinity where there is none after it. */
  readonly before: number;
  readonly what: string;
}

interface FoundLoss {
  /** How many records had been found. */
  readonly position: number;
  readonly what: string;
}

/** Versions of a log as they are found, and where some were lost between them. */
export class FoundVersions {
  readonly rvs: number[] = [];
  readonly #known = new Set<number>();
  readonly #losses: FoundLoss[] = [];

  /** False for one that is there already. */
  add(rv: number): boolean {
    if (this.#known.has(rv)) return false;
    this.#known.add(rv);
    this.rvs.push(rv);
    return true;
  }

  lost(what: string): void {
    this.#losses.push({ position: this.rvs.length, what });
  }

  losses(): Loss[] {
    return this.#losses.map(({ position, what }) => {
      const before = smallest(this.rvs, position);
      let after = 0;
      // Where nodes have changed places the order is not that of versions.
      for (const rv of this.rvs) if (rv < before && rv > after) after = rv;
      return { after, before, what };
    });
  }
}

function smallest(rvs: readonly number[], from: number): number {
  let found = Infinity;
  for (let at = from; at < rvs.length; at++) found = Math.min(found, rvs[at] ?? Infinity);
  return found;
}
