/** Writes as they are sent, and what is noted of them before they are answered. */
import { writtenKind } from './custom-kinds.ts';
import { minimalObject, objectPath, typePath } from '../support/kinds.ts';
import type { Members, TestObject } from '../support/kinds.ts';
import { PATCH_TYPES } from '../support/send-patch.ts';
import type { RequestHeaders } from '../support/server.ts';
import { secretTypeOf } from './live-run.ts';
import { NOTE, STAMP } from './records.ts';
import type { Patch, WriteRecord } from './records.ts';

const FINALIZER = 'example.com/hold';

export const PATCHES = ['merge', 'json', 'apply'] as const;

export interface WriteRequest {
  readonly type: string;
  readonly verb: 'create' | 'update' | 'delete' | Patch;
  readonly namespace: string;
  readonly name: string;
  /** The label, '' for none; those who apply always give one. */
  readonly app: string;
  /** Has no effect in JSON patches and applies, which leave finalizers alone. */
  readonly held: boolean;
  /** The resourceVersion to demand, 0 for none; those who apply demand none. */
  readonly expects: number;
  readonly fillerBytes: number;
  readonly patch?: {
    readonly manager: string;
    readonly force: boolean;
    /** The note that a patch writes, '' for removing one; of an apply it has the manager's name. */
    readonly note: string;
  };
}

type Asked = 'type' | 'verb' | 'stamp' | 'expects' | 'held' | 'app' | 'note' | 'owner' | 'force';

export function askedOf(request: WriteRequest, stamp: string): Pick<WriteRecord, Asked> {
  const { type, verb, app, held, expects, patch } = request;
  const note = noteOf(request, stamp);
  return {
    type,
    verb,
    stamp,
    app,
    expects: verb === 'apply' ? 0 : expects,
    held: verb === 'json' || verb === 'apply' ? undefined : held,
    owner: verb === 'apply' ? `Apply:${patch?.manager}` : `Update:${verb}`,
    force: verb === 'apply' && patch?.force === true,
    ...(note === undefined ? {} : { note }),
  };
}

function noteOf({ verb, patch }: WriteRequest, stamp: string): WriteRecord['note'] {
  if (patch === undefined || !isPatch(verb)) return undefined;
  const value = patch.note === '' ? null : stamp;
  if (verb === 'apply') return [patch.manager, value];
  // A JSON patch can only remove a member that is there.
  if (value === null && verb === 'json') return undefined;
  return [patch.note === '' ? 'a' : patch.note, value];
}

function isPatch(verb: WriteRequest['verb']): verb is Patch {
  return (PATCHES as readonly string[]).includes(verb);
}

interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: RequestHeaders;
}

export function httpRequestOf(request: WriteRequest, stamp: string): HttpRequest {
  const { verb, type, namespace, name, patch } = request;
  const kind = writtenKind(type);
  const path = objectPath(kind, name, namespace);
  if (verb === 'delete') return { method: 'DELETE', path };
  if (!isPatch(verb)) {
    const method = verb === 'create' ? 'POST' : 'PUT';
    const at = verb === 'create' ? typePath(kind, namespace) : path;
    return { method, path: `${at}?fieldManager=${verb}`, body: objectOf(request, stamp) };
  }
  const manager = verb === 'apply' ? `${patch?.manager}&force=${patch?.force}` : verb;
  return {
    method: 'PATCH',
    path: `${path}?fieldManager=${manager}`,
    body: PATCH_BODIES[verb](request, stamp),
    headers: { 'content-type': PATCH_TYPES[verb] },
  };
}

function objectOf(
  { type, namespace, name, app, held, expects, fillerBytes }: WriteRequest,
  stamp: string,
): TestObject {
  const metadata: Members = {
    namespace,
    annotations: { [STAMP]: stamp },
    ...(app === '' ? {} : { labels: { app } }),
    ...(held ? { finalizers: [FINALIZER] } : {}),
    ...(expects === 0 ? {} : { resourceVersion: String(expects) }),
  };
  const filler = { data: { filler: stamp.padEnd(fillerBytes, '.') } };
  const members = type === 'ConfigMap' ? filler : typeMembers(type, name);
  return minimalObject(writtenKind(type), name, members, metadata);
}

/** The type of a secret, which cannot change. */
function typeMembers(type: string, name: string): Members {
  return type === 'Secret' ? { type: secretTypeOf(name) } : {};
}

type BodyOf = (request: WriteRequest, stamp: string) => unknown;

const PATCH_BODIES: Readonly<Record<Patch, BodyOf>> = {
  merge: (request, stamp) => {
    const { app, held, expects } = request;
    const metadata: Members = {
      annotations: { [STAMP]: stamp, ...noteMembers(request, stamp) },
      labels: { app: app === '' ? null : app },
      finalizers: held ? [FINALIZER] : null,
      ...(expects === 0 ? {} : { resourceVersion: String(expects) }),
    };
    return { metadata };
  },
  json: (request, stamp) => {
    const { app, expects } = request;
    const value = String(expects);
    const members = { [STAMP]: stamp, ...noteMembers(request, stamp) };
    return [
      ...Object.entries(members).map(([name, text]) => {
        const path = `/metadata/annotations/${name.replaceAll('/', '~1')}`;
        return { op: 'add', path, value: text };
      }),
      { op: 'add', path: '/metadata/labels', value: app === '' ? {} : { app } },
      // Last, so that what stands before it must not remain.
      ...(expects === 0 ? [] : [{ op: 'test', path: '/metadata/resourceVersion', value }]),
    ];
  },
  apply: (request, stamp) => {
    const { type, namespace, name, app } = request;
    const annotations = { [STAMP]: stamp, ...noteMembers(request, stamp) };
    const metadata = { namespace, annotations, labels: { app } };
    // Fields that others own with other values would be a conflict.
    const data = type === 'Lease' || type === 'Widget' ? {} : { data: undefined };
    const members = { ...typeMembers(type, name), ...data };
    return minimalObject(writtenKind(type), name, members, metadata);
  },
};

/** A note that an apply leaves out is removed as well. */
function noteMembers(request: WriteRequest, stamp: string): Record<string, string | null> {
  const [name, value] = noteOf(request, stamp) ?? [];
  if (name === undefined || value === undefined) return {};
  if (request.verb === 'apply' && value === null) return {};
  return { [`${NOTE}${name}`]: value };
}
