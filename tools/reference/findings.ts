/** The differences of a run, grouped; which of them are accepted; and how they are told. */
import type { Difference } from './differences.ts';
import { isIn } from '../../src/release/life.ts';
import { ownRelease } from '../../src/release/release.ts';
import { ACCEPTED, type AcceptedDifference } from '../../test/reference/accepted-differences.ts';

const OF_RELEASE = ACCEPTED.filter((accepted) => isIn(accepted, ownRelease().minor));

/** A request that shows a difference. */
export interface Example {
  /** The origin of the request: `random 2, request 117`, or the row. */
  readonly origin: string;
  readonly request: string;
  readonly body?: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface Group {
  /** `apps/v1 Deployment`. */
  readonly kind: string;
  /** `create`, `patch strategic status`. */
  readonly request: string;
  readonly difference: Difference;
  count: number;
  readonly example: Example;
  /** The origins of the first requests that show it. */
  readonly origins: string[];
  /** Why it is accepted. */
  readonly reason?: string;
}

/** More origins of one group are not kept. */
const ORIGINS_MAX = 400;

export class Findings {
  readonly #groups = new Map<string, Group>();
  /** Answers that were compared, and those of them that differ. */
  compared = 0;
  differing = 0;

  /** Counts one compared answer with what differs in it. */
  add(
    kind: string,
    what: string,
    differences: readonly Difference[],
    example: () => Example,
    /** The peculiarities of the body, in words that follow those of the request. */
    peculiarities: readonly string[] = [],
  ): void {
    const request = what + peculiarities.join('');
    const requests = [...peculiarities.map((peculiarity) => what + peculiarity), what];
    this.compared += 1;
    if (differences.length > 0) this.differing += 1;
    for (const difference of new Set(differences)) {
      const { origin } = example();
      const reason = reasonFor({ kind, requests, difference, origin });
      const key = [kind, request, difference, reason].join('\n');
      const group = this.#groups.get(key);
      if (group !== undefined) {
        group.count += 1;
        if (group.origins.length < ORIGINS_MAX) group.origins.push(origin);
      } else {
        this.#groups.set(key, {
          kind,
          request,
          difference,
          count: 1,
          example: example(),
          origins: [origin],
          ...(reason !== undefined && { reason }),
        });
      }
    }
  }

  /** The most frequent first. */
  get groups(): Group[] {
    return [...this.#groups.values()].toSorted((one, other) => other.count - one.count);
  }

  get unexplained(): Group[] {
    return this.groups.filter(({ reason }) => reason === undefined);
  }
}

interface Told {
  readonly kind: string;
  /** With each of its peculiarities, and without. */
  readonly requests: readonly string[];
  readonly difference: Difference;
  readonly origin: string;
}

function reasonFor(told: Told): string | undefined {
  return OF_RELEASE.find((accepted) => covers(accepted, told))?.reason;
}

function covers(
  { kinds, requests, differences, origins }: AcceptedDifference,
  { kind, requests: those, difference, origin }: Told,
): boolean {
  return (
    (kinds === undefined || kinds.test(kind)) &&
    (requests === undefined || those.some((request) => requests.test(request))) &&
    (origins === undefined || origins.test(origin)) &&
    differences.test(difference)
  );
}

/** For people: one paragraph for each difference, over all kinds and requests that show it. */
export function groupsText(groups: readonly Group[]): string {
  const byDifference = Map.groupBy(groups, ({ difference }) => difference);
  const sums = [...byDifference].map(([difference, alike]) => ({
    difference,
    alike,
    sum: alike.reduce((total, { count }) => total + count, 0),
  }));
  const paragraphs = sums
    .toSorted((one, other) => other.sum - one.sum)
    .map(({ difference, alike, sum }) => {
      const where = alike.map(({ kind, request, count }) => `${kind} ${request} ${count}`);
      const more = where.length > 12 ? `, and ${where.length - 12} more` : '';
      const { origin, request, body, ours, theirs } = alike[0]?.example ?? NO_EXAMPLE;
      const lines = [
        `${sum} × ${difference}`,
        `    in ${where.slice(0, 12).join(', ')}${more}`,
        `    ${origin}: ${request}${body === undefined ? '' : ` ${body.slice(0, 600)}`}`,
        `    ours   ${ours.slice(0, 400)}`,
        `    theirs ${theirs.slice(0, 400)}`,
      ];
      const reason = alike[0]?.reason;
      return [...lines, ...(reason === undefined ? [] : [`    accepted: ${reason}`])].join('\n');
    });
  return paragraphs.join('\n\n');
}

const NO_EXAMPLE: Example = { origin: '', request: '', ours: '', theirs: '' };
