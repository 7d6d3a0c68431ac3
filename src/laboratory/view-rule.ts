/** A rule that has clients read the past (README.md#stale-views). */
import { isVersion, readWhat, readWho, type What, type Who } from './lab-request.ts';
import { Members } from './members.ts';

const RULE = ['name', 'who', 'what', 'at', 'reads'];
const READS = ['all', 'cached'] as const;
const MS = 1_000;

/** Where a view begins: as of a version, which is moved by request, or always so far behind. */
export type ViewStart =
  | { readonly is: 'version'; readonly version: number | undefined }
  | { readonly is: 'versionsAgo'; readonly count: number }
  | { readonly is: 'timeAgo'; readonly ms: number };

export interface ViewRule {
  readonly name: string;
  readonly who: Who;
  readonly what: What;
  readonly start: ViewStart;
  /** Which reads: all, or those that a server may answer from a cache that is behind. */
  readonly reads: (typeof READS)[number];
  /** As it was sent. */
  readonly sent: object;
}

/** Throws StatusError 400. */
export function readViewRule(body: unknown): ViewRule {
  const members = new Members(body, '', RULE);
  return {
    name: members.name(),
    who: readWho(members),
    what: readWhat(members),
    start: readStart(members),
    reads: members.has('reads') ? members.oneOf('reads', READS) : 'all',
    sent: body as object,
  };
}

/** Without `at` it is the newest version of this moment. */
function readStart(members: Members): ViewStart {
  const at = members.value('at');
  if (at === undefined) return { is: 'version', version: undefined };
  // Versions are texts in objects.
  if (typeof at === 'string' && isVersion(at)) {
    return { is: 'version', version: Number(at) };
  }
  if (typeof at === 'number') return { is: 'version', version: members.count('at') };
  if (typeof at !== 'object') {
    throw members.wrong('at', 'a version, {"versionsAgo": N} or {"secondsAgo": N}');
  }
  const part = members.part('at', ['versionsAgo', 'secondsAgo']);
  const count = part.count('versionsAgo');
  if (count !== undefined) return { is: 'versionsAgo', count };
  const seconds = part.count('secondsAgo');
  if (seconds === undefined) throw part.wrong('versionsAgo', 'a whole number from 0 on');
  return { is: 'timeAgo', ms: seconds * MS };
}
