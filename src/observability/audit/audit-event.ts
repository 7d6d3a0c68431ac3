/** One event of the audit log, and its two texts (README.md#events). */
import { quoteGo, stringifyGo } from '../../codec/go-json.ts';
import { quoteText } from '../../codec/strict-quote.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { User } from '../../semantics/user.ts';
import type { AuditLevel, AuditStage } from './policy.ts';

export const AUDIT_GROUP = ownGroup('audit.cluster.io');
const API_VERSION = `${AUDIT_GROUP}/v1`;
/** On events that objects were left out of. */
export const TRUNCATED = `${AUDIT_GROUP}/truncated`;

/** The object or collection that a request is about; '' for what is not known. */
export interface ObjectReference {
  readonly resource: string;
  namespace: string;
  name: string;
  uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  resourceVersion: string;
  readonly subresource: string;
}

/** How a request ends; members without a value are absent. */
export interface AuditedStatus {
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
}

export interface AuditEventMembers {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: User;
  readonly impersonatedUser: User | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: AuditedStatus | undefined;
  /** JSON text; '' for none. */
  readonly requestObject: string;
  readonly responseObject: string;
  /** Milliseconds since 1970, with fractions. */
  readonly receivedMs: number;
  readonly stageMs: number;
  readonly annotations: ReadonlyMap<string, string> | undefined;
}

export class AuditEvent {
  readonly members: AuditEventMembers;
  #json: string | undefined;

  constructor(members: AuditEventMembers) {
    this.members = members;
  }

  /** The document, on one line without its end. */
  get json(): string {
    return (this.#json ??= jsonOf(this.members));
  }

  /** Fewer members, on one line for people. */
  get legacyText(): string {
    return legacyTextOf(this.members);
  }

  /** Without the objects, and with an annotation that says so. */
  truncated(): AuditEvent {
    const annotations = new Map(this.members.annotations).set(TRUNCATED, 'true');
    return new AuditEvent({ ...this.members, requestObject: '', responseObject: '', annotations });
  }
}

/** Several as a webhook is sent them. */
export function eventListJson(events: readonly AuditEvent[]): string {
  const items = events.map(({ json }) => json).join(',');
  return `{"kind":"EventList","apiVersion":"${API_VERSION}","metadata":{},"items":[${items}]}\n`;
}

function jsonOf(event: AuditEventMembers): string {
  const { impersonatedUser, sourceIps, userAgent, objectRef, responseStatus, annotations } = event;
  const { requestObject, responseObject } = event;
  return (
    `{"kind":"Event","apiVersion":"${API_VERSION}","level":"${event.level}",` +
    `"auditID":${quoteGo(event.auditId)},"stage":"${event.stage}",` +
    `"requestURI":${quoteGo(event.requestUri)},"verb":${quoteGo(event.verb)},` +
    `"user":${userJson(event.user)}` +
    (impersonatedUser === undefined ? '' : `,"impersonatedUser":${userJson(impersonatedUser)}`) +
    (sourceIps.length === 0 ? '' : `,"sourceIPs":${stringifyGo(sourceIps)}`) +
    (userAgent === '' ? '' : `,"userAgent":${quoteGo(userAgent)}`) +
    (objectRef === undefined ? '' : `,"objectRef":${stringifyGo(told({ ...objectRef }))}`) +
    (responseStatus === undefined
      ? ''
      : `,"responseStatus":${stringifyGo({ metadata: {}, ...responseStatus })}`) +
    (requestObject === '' ? '' : `,"requestObject":${requestObject}`) +
    (responseObject === '' ? '' : `,"responseObject":${responseObject}`) +
    `,"requestReceivedTimestamp":"${microTime(event.receivedMs)}"` +
    `,"stageTimestamp":"${microTime(event.stageMs)}"` +
    (annotations === undefined ? '' : `,"annotations":${annotationsJson(annotations)}`) +
    '}'
  );
}

const userTexts = new WeakMap<User, string>();

/** Most events are of users who are in others. */
function userJson(user: User): string {
  let text = userTexts.get(user);
  if (text === undefined) {
    const { name, uid, groups, extra = {} } = user;
    const sorted = Object.fromEntries(Object.entries(extra).toSorted(byName));
    text = stringifyGo(
      told({
        username: name,
        uid,
        groups: groups.length === 0 ? '' : groups,
        extra: Object.keys(sorted).length === 0 ? '' : sorted,
      }),
    );
    userTexts.set(user, text);
  }
  return text;
}

function annotationsJson(annotations: ReadonlyMap<string, string>): string {
  const sorted = [...annotations].toSorted(byName);
  return `{${sorted.map(([key, value]) => `${quoteGo(key)}:${quoteGo(value)}`).join(',')}}`;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function told(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
}

function microTime(ms: number): string {
  const micros = Math.floor(ms * 1_000);
  const text = new Date(Math.floor(micros / 1_000)).toISOString().slice(0, -1);
  return `${text}${String(micros % 1_000).padStart(3, '0')}Z`;
}

function legacyTextOf(event: AuditEventMembers): string {
  const { user, impersonatedUser, objectRef, responseStatus, sourceIps } = event;
  const groups = user.name === '' || user.groups.length === 0 ? '<none>' : listText(user.groups);
  const texts = {
    id: event.auditId,
    stage: event.stage,
    ip: sourceIps[0] ?? '<unknown>',
    method: event.verb,
    user: user.name || '<none>',
    groups,
    as: impersonatedUser === undefined ? '<self>' : impersonatedUser.name,
    asgroups: impersonatedUser === undefined ? '<lookup>' : listText(impersonatedUser.groups),
    'user-agent': event.userAgent,
    namespace: objectRef?.namespace || '<none>',
    uri: event.requestUri,
    response: responseStatus === undefined ? '<deferred>' : String(responseStatus.code ?? 0),
  };
  const members = Object.entries(texts).map(([name, text]) => `${name}=${quoteText(text)}`);
  return `${microTime(event.receivedMs).replace(/\.?0+Z$/, 'Z')} AUDIT: ${members.join(' ')}`;
}

function listText(texts: readonly string[]): string {
  return texts.map(quoteText).join(',');
}
