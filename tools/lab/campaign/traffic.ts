/** What a recording tells of a run: who asked for what, and which events came to whom. */
import { endOfEvent, FRAME_LENGTH_BYTES } from '../../../src/codec/event-ends.ts';
import { readResourcePath } from '../../../src/front/requests/resource-path.ts';
import { matches, type LabRequest, type Who } from '../../../src/laboratory/lab-request.ts';
import { readEvents } from '../../../src/laboratory/watch-event.ts';
import { FOLLOWER } from '../../backup/api.ts';
import type { Part, Played } from '../recorded.ts';

const WRITES: ReadonlySet<string> = new Set([
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]);
const NO_WHAT = {
  verbs: [],
  groups: [],
  resources: [],
  subresources: [],
  namespaces: [],
  names: [],
  labels: undefined,
  dryRun: undefined,
};

/** A resource type in a version, as paths name it. */
export interface TypeRef {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A request as rules of the laboratory name it; '' is any name, or none. */
export type Target = Pick<
  LabRequest,
  'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name'
>;

/** One request of a run. */
export interface Asked {
  readonly n: number;
  readonly startMs: number;
  /** Infinity where it had no end. */
  readonly endMs: number;
  readonly user: string;
  readonly userAgent: string;
  readonly isController: boolean;
  readonly target: Target;
  readonly type: TypeRef;
  /** Undefined where there was no answer. */
  readonly code: number | undefined;
  readonly isWrite: boolean;
  /** A read that a server may answer from a cache that is behind. */
  readonly isCached: boolean;
}

/** One event as it went out to a watch. */
export interface Delivered {
  readonly ms: number;
  readonly resource: string;
  readonly type: string;
  /** Namespace and name. */
  readonly key: string;
}

export interface Traffic {
  /** In the order in which they were asked, but for those of this tool. */
  readonly asked: readonly Asked[];
  /** To the controller. */
  readonly delivered: readonly Delivered[];
  /** Names of objects that were there, by resource: `pods default/a`. */
  readonly names: ReadonlySet<string>;
}

/** Whether a request, as recorded, is one of these clients. */
export function isOf(who: Who, user: string, groups: readonly string[], agent: string): boolean {
  const none = { address: '', verb: '', group: '', resource: '', subresource: '' };
  const rest = { ...none, namespace: '', name: '', selects: [], dryRun: false };
  return matches({ who, what: NO_WHAT }, { user, groups, userAgent: agent, ...rest });
}

export function isWriteVerb(verb: string): boolean {
  return WRITES.has(verb);
}

/** `who` are the controller's requests. */
export function trafficOf(recording: readonly Played[], who: Who): Traffic {
  const asked: Asked[] = [];
  const delivered: Delivered[] = [];
  const names = new Set<string>();
  for (const played of recording) {
    if (played.request.userAgent === FOLLOWER) continue;
    const one = askedOf(played, who);
    if (one === undefined) continue;
    asked.push(one);
    const { resource, namespace, name } = one.target;
    if (name !== '') names.add(nameOf(resource, namespace, name));
    for (const made of namesIn(played)) names.add(nameOf(resource, made.namespace, made.name));
    if (one.target.verb !== 'watch') continue;
    for (const event of eventsOf(played)) {
      names.add(`${resource} ${event.key}`);
      if (one.isController) delivered.push({ ...event, resource });
    }
  }
  return { asked, delivered, names };
}

export function nameOf(resource: string, namespace: string, name: string): string {
  return `${resource} ${namespace}/${name}`;
}

function askedOf({ n, request, startMs, endMs, code }: Played, who: Who): Asked | undefined {
  const { pathname, searchParams: query } = new URL(request.url, 'http://server');
  const segments = pathname.split('/').slice(1).map(decodeURIComponent);
  const isCore = segments[0] === 'api';
  if (!isCore && segments[0] !== 'apis') return undefined;
  const versionAt = isCore ? 1 : 2;
  const path = readResourcePath(segments, versionAt + 1);
  if (path.resource === '') return undefined;
  const { verb, user, userAgent, groups } = request;
  const group = isCore ? '' : (segments[1] ?? '');
  const { resource, subresource, namespace, name } = path;
  const isNewest = (query.get('resourceVersion') ?? '') === '';
  const isExact = query.get('resourceVersionMatch') === 'Exact';
  return {
    n,
    startMs,
    endMs,
    user,
    userAgent,
    isController: isOf(who, user, groups, userAgent),
    target: { verb, group, resource, subresource, namespace, name },
    type: { group, version: segments[versionAt] ?? '', resource },
    code,
    isWrite: isWriteVerb(verb) && !query.has('dryRun'),
    isCached: verb === 'watch' || ((verb === 'get' || verb === 'list') && !isNewest && !isExact),
  };
}

interface Metadata {
  readonly name?: string;
  readonly namespace?: string;
}

/** Names that a create has given, where its answer is JSON. */
function namesIn({ request, answer }: Played): readonly { name: string; namespace: string }[] {
  if (request.verb !== 'create' || answer[0] !== 0x7b) return [];
  try {
    const { metadata } = JSON.parse(answer.toString()) as { readonly metadata?: Metadata };
    const { name = '', namespace = '' } = metadata ?? {};
    return name === '' ? [] : [{ name, namespace }];
  } catch {
    // An answer that was cut.
    return [];
  }
}

function eventsOf({ parts, contentType }: Played): Omit<Delivered, 'resource'>[] {
  const encoding = contentType.includes('protobuf') ? 'protobuf' : 'json';
  let rest: Buffer = Buffer.alloc(0);
  return parts.flatMap(({ ms, bytes }: Part) => {
    rest = Buffer.concat([rest, bytes]);
    const end = endOfWhole(rest, encoding);
    const whole = rest.subarray(0, end);
    rest = rest.subarray(end);
    const events = readEvents(whole, encoding).filter(({ key }) => key !== '');
    return events.map(({ type, key }) => ({ ms, type, key }));
  });
}

/** Where the last event ends that is there as a whole. */
function endOfWhole(bytes: Buffer, encoding: 'json' | 'protobuf'): number {
  if (encoding === 'json') return bytes.lastIndexOf('\n') + 1;
  let end = 0;
  while (bytes.length - end >= FRAME_LENGTH_BYTES) {
    const next = endOfEvent(bytes, end, encoding);
    if (next > bytes.length) break;
    end = next;
  }
  return end;
}
