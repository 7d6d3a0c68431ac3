/** Reads the audit log of a server of this API, in JSON lines, as requests that are sent again. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ToolError } from '../backup/tool-error.ts';
import type { Played } from './recorded.ts';

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};
/** These say nothing without the body that was sent. */
const NEED_BODY: ReadonlySet<string> = new Set(['create', 'update', 'patch']);
/** Connections that are taken over by another protocol. */
const TUNNELS = /\/(?:exec|attach|portforward|proxy)(?:[/?]|$)/;

interface User {
  readonly username?: string;
  readonly groups?: readonly string[];
}

interface AuditEvent {
  readonly kind?: string;
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user?: User;
  readonly impersonatedUser?: User;
  readonly userAgent?: string;
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

export interface AuditedLoad {
  /** In the order in which they came. */
  readonly requests: readonly Played[];
  /** What cannot be sent again: writes of which the log has no body, and tunnels. */
  readonly left: number;
}

/** Rejects with ToolError for other files. */
export async function readAuditLog(file: string): Promise<AuditedLoad> {
  const events = new Map<string, AuditEvent>();
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number++;
    if (line.trim() === '') continue;
    const event = eventOf(line);
    // The last line may have been cut.
    if (event !== undefined) keep(events, event);
    else if (number === 1) throw new ToolError(`${file} is no audit log in JSON lines`);
  }
  if (events.size === 0) throw new ToolError(`${file} has no events`);
  const all = [...events.values()];
  const sent = all.filter(isSendable).sort((one, other) => startOf(one) - startOf(other));
  const beganMs = sent[0] === undefined ? 0 : startOf(sent[0]);
  return {
    requests: sent.map((event, at) => playedOf(event, at + 1, beganMs)),
    left: all.length - sent.length,
  };
}

function eventOf(line: string): AuditEvent | undefined {
  try {
    const event = JSON.parse(line) as AuditEvent | null;
    return typeof event?.requestURI === 'string' && event.kind === 'Event' ? event : undefined;
  } catch {
    return undefined;
  }
}

/** The last stage of each request; that it was received is told of those that never ended. */
function keep(events: Map<string, AuditEvent>, event: AuditEvent): void {
  const known = events.get(event.auditID);
  // A later stage may leave out what an earlier one has told.
  events.set(event.auditID, { ...known, ...event });
}

function isSendable({ verb, requestURI, requestObject }: AuditEvent): boolean {
  if (!Object.hasOwn(METHODS, verb) || TUNNELS.test(requestURI)) return false;
  return !NEED_BODY.has(verb) || requestObject !== undefined;
}

function startOf({ requestReceivedTimestamp }: AuditEvent): number {
  return Date.parse(requestReceivedTimestamp);
}

function playedOf(event: AuditEvent, n: number, beganMs: number): Played {
  const { verb, requestURI, requestObject, responseObject, responseStatus, userAgent } = event;
  const { username = '', groups = [] } = event.impersonatedUser ?? event.user ?? {};
  const isOver = event.stage === 'ResponseComplete' || event.stage === 'Panic';
  return {
    n,
    request: {
      method: METHODS[verb] ?? 'GET',
      url: newestOf(requestURI),
      user: username,
      groups,
      userAgent: userAgent ?? '',
      contentType: requestObject === undefined ? '' : contentTypeOf(event),
      accept: '',
      verb,
      body: { text: bodyOf(event) },
    },
    startMs: startOf(event) - beganMs,
    endMs: isOver ? Date.parse(event.stageTimestamp) - beganMs : Infinity,
    code: responseStatus?.code,
    answer: Buffer.from(responseObject === undefined ? '' : JSON.stringify(responseObject)),
    contentType: 'application/json',
    parts: [],
    isComplete: isOver,
  };
}

/** Versions, and pages as of them, are of the server that wrote the log. */
function newestOf(uri: string): string {
  const url = new URL(uri, 'http://server');
  const { searchParams: query } = url;
  const version = query.get('resourceVersion') ?? '0';
  query.delete('continue');
  if (version !== '0') {
    query.delete('resourceVersion');
    if (!query.has('sendInitialEvents')) query.delete('resourceVersionMatch');
  }
  return `${url.pathname}${url.search}`;
}

interface Body {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly preconditions?: unknown;
}

/** Without answers in the log nobody knows what its versions and uids stand for. */
function bodyOf({ requestObject, responseObject }: AuditEvent): string {
  if (requestObject === undefined) return '';
  if (responseObject !== undefined || Array.isArray(requestObject)) {
    return JSON.stringify(requestObject);
  }
  const { preconditions: _none, metadata, ...body } = requestObject as Body;
  const { resourceVersion: _version, ...rest } = metadata ?? {};
  return JSON.stringify(metadata === undefined ? body : { ...body, metadata: rest });
}

/** The log does not tell the type of a patch, which its form does. */
function contentTypeOf({ verb, requestObject, requestURI }: AuditEvent): string {
  if (verb !== 'patch') return 'application/json';
  if (Array.isArray(requestObject)) return 'application/json-patch+json';
  const { apiVersion, kind } = requestObject as { apiVersion?: unknown; kind?: unknown };
  const isWhole = apiVersion !== undefined && kind !== undefined;
  if (isWhole && /[?&]fieldManager=/.test(requestURI)) return 'application/apply-patch+yaml';
  // Custom types have no strategic merge; their groups are domains of somebody.
  const group = /^\/apis\/([^/]+)/.exec(requestURI)?.[1] ?? '';
  const isBuiltIn = !group.includes('.') || /\.(?:k8s|cluster)\.io$/.test(group);
  return isBuiltIn ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json';
}
