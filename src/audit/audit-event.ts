/** One event of the audit log, and its two texts (README.md#events). */
import { utcMicros, utcSeconds } from '../base/time/utc-time.ts';
import { quoteGo, stringifyGo } from '../codec/json/go-json.ts';
import { quoteText } from '../codec/json/strict-quote.ts';
import { ownGroup } from '../semantics/dialect/own-names.ts';
import type { StatusDetails } from '../semantics/errors/status.ts';
import type { User } from '../semantics/user.ts';
import type { AuditLevel, AuditStage } from './policy.ts';
import { byName, userJson, type RequestTexts } from './request-texts.ts';
import type { AuditVersion } from './settings.ts';

export const AUDIT_GROUP = ownGroup('audit.cluster.io');
/** On events that objects were left out of. */
export const TRUNCATED = `${AUDIT_GROUP}/truncated`;

/** The object or collection that a request is about; '' for what is not known. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** The status with which a request ends; members without a value are absent. */
export interface AuditedStatus {
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface AuditEventMembers {
  readonly level: AuditLevel;
  readonly stage: AuditStage;
  readonly request: RequestTexts;
  readonly impersonatedUser: User | undefined;
  /** The verb that lets the user act as that one; '' where nothing is to be told. */
  readonly impersonationConstraint: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: AuditedStatus | undefined;
  /** JSON text; '' for none. */
  readonly requestObject: string;
  readonly responseObject: string;
  /** Milliseconds since 1970, with fractions. */
  readonly stageMs: number;
  readonly annotations: ReadonlyMap<string, string> | undefined;
}

export class AuditEvent {
  readonly members: AuditEventMembers;
  #rest = '';
  #version: AuditVersion | undefined;

  constructor(members: AuditEventMembers) {
    this.members = members;
  }

  /** The document, on one line without its end. */
  json(version: AuditVersion): string {
    return `{"kind":"Event","apiVersion":"${AUDIT_GROUP}/${version}",${this.#restOf(version)}`;
  }

  /** The event as an item of a list: without its type, which the list says for all of them. */
  item(version: AuditVersion): string {
    return `{${this.#restOf(version)}`;
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

  #restOf(version: AuditVersion): string {
    if (this.#version !== version) {
      this.#version = version;
      this.#rest = restOf(this.members, version);
    }
    return this.#rest;
  }
}

/** Several as a webhook is sent them. */
export function eventListJson(events: readonly AuditEvent[], version: AuditVersion): string {
  const items = events.map((event) => event.item(version)).join(',');
  const type = `"kind":"EventList","apiVersion":"${AUDIT_GROUP}/${version}"`;
  return `{${type},"metadata":{},"items":[${items}]}\n`;
}

/** The rest of the document after the type. */
function restOf(event: AuditEventMembers, version: AuditVersion): string {
  const { request, impersonatedUser, objectRef, responseStatus, annotations } = event;
  const { requestObject, responseObject } = event;
  const isOld = version !== 'v1';
  return (
    (isOld ? `"metadata":{"creationTimestamp":"${utcSeconds(event.stageMs)}"},` : '') +
    `"level":"${event.level}",` +
    (isOld ? `"timestamp":"${utcSeconds(request.request.receivedMs)}",` : '') +
    `"auditID":${request.auditId},"stage":"${event.stage}",${request.asked}` +
    (impersonatedUser === undefined ? '' : `,"impersonatedUser":${userJson(impersonatedUser)}`) +
    constraintJson(event.impersonationConstraint) +
    request.client +
    (objectRef === undefined ? '' : `,"objectRef":${referenceJson(objectRef, version)}`) +
    (responseStatus === undefined ? '' : `,"responseStatus":${statusJson(responseStatus)}`) +
    (requestObject === '' ? '' : `,"requestObject":${requestObject}`) +
    (responseObject === '' ? '' : `,"responseObject":${responseObject}`) +
    `,"requestReceivedTimestamp":"${request.received}"` +
    `,"stageTimestamp":"${utcMicros(event.stageMs)}"` +
    (annotations === undefined ? '' : `,"annotations":${annotationsJson(annotations)}`) +
    '}'
  );
}

function constraintJson(constraint: string): string {
  if (constraint === '') return '';
  const told = `{"impersonationConstraint":${quoteGo(constraint)}}`;
  return `,"authenticationMetadata":${told}`;
}

function referenceJson(reference: ObjectReference, version: AuditVersion): string {
  const { resource, namespace, name, uid, apiGroup, resourceVersion, subresource } = reference;
  const isJoined = version === 'v1alpha1' && apiGroup !== '';
  const apiVersion = isJoined ? `${apiGroup}/${reference.apiVersion}` : reference.apiVersion;
  return (
    `{"resource":${quoteGo(resource)}` +
    member('namespace', namespace) +
    member('name', name) +
    member('uid', uid) +
    (isJoined ? '' : member('apiGroup', apiGroup)) +
    member('apiVersion', apiVersion) +
    member('resourceVersion', resourceVersion) +
    member('subresource', subresource) +
    '}'
  );
}

function statusJson(audited: AuditedStatus): string {
  const { status = '', message = '', reason = '', details, code = 0 } = audited;
  return (
    '{"metadata":{}' +
    member('status', status) +
    member('message', message) +
    member('reason', reason) +
    (details === undefined ? '' : `,"details":${stringifyGo(details)}`) +
    (code === 0 ? '' : `,"code":${code}`) +
    '}'
  );
}

function member(name: string, value: string): string {
  return value === '' ? '' : `,"${name}":${quoteGo(value)}`;
}

function annotationsJson(annotations: ReadonlyMap<string, string>): string {
  const sorted = [...annotations].toSorted(byName);
  return `{${sorted.map(([key, value]) => `${quoteGo(key)}:${quoteGo(value)}`).join(',')}}`;
}

function legacyTextOf(event: AuditEventMembers): string {
  const { request, impersonatedUser, objectRef, responseStatus } = event;
  const { user, sourceIps, auditId, attributes, uri, receivedMs } = request.request;
  const groups = user.name === '' || user.groups.length === 0 ? '<none>' : listText(user.groups);
  const texts = {
    id: auditId,
    stage: event.stage,
    ip: sourceIps[0] ?? '<unknown>',
    method: attributes.verb,
    user: user.name || '<none>',
    groups,
    as: impersonatedUser === undefined ? '<self>' : impersonatedUser.name,
    asgroups: impersonatedUser === undefined ? '<lookup>' : listText(impersonatedUser.groups),
    'user-agent': request.userAgent,
    namespace: objectRef?.namespace || '<none>',
    uri,
    response: responseStatus === undefined ? '<deferred>' : String(responseStatus.code ?? 0),
  };
  const members = Object.entries(texts).map(([name, text]) => `${name}=${quoteText(text)}`);
  return `${utcMicros(receivedMs).replace(/\.?0+Z$/, 'Z')} AUDIT: ${members.join(' ')}`;
}

function listText(texts: readonly string[]): string {
  return texts.map(quoteText).join(',');
}
