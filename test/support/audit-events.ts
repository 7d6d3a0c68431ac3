/** Events of the audit log as tests make and read them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { AuditEvent } from '../../src/audit/audit-event.ts';
import { RequestTexts } from '../../src/audit/request-texts.ts';
import type { AuditedRequest } from '../../src/audit/request-texts.ts';

/** A get that jane has sent. */
export function auditedRequest(auditId: string): AuditedRequest {
  return {
    auditId,
    uri: '/version',
    attributes: {
      verb: 'get',
      isResource: false,
      namespace: '',
      group: '',
      version: '',
      resource: '',
      subresource: '',
      name: '',
      path: '/version',
    },
    user: { name: 'jane', uid: '', groups: [] },
    sourceIps: [],
    userAgent: '',
    receivedMs: 0,
  };
}

/** An event of it. */
export function auditEvent(auditId: string, requestObject = ''): AuditEvent {
  return new AuditEvent({
    level: 'Request',
    stage: 'ResponseComplete',
    request: new RequestTexts(auditedRequest(auditId)),
    impersonatedUser: undefined,
    impersonationConstraint: '',
    objectRef: undefined,
    responseStatus: undefined,
    requestObject,
    responseObject: '',
    stageMs: 0,
    annotations: undefined,
  });
}

/** An event as it is written. */
export interface WrittenEvent {
  readonly auditID: string;
  readonly stage: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into any member
  readonly [member: string]: any;
}

/** Those of a log and of its old files, the oldest first. */
export function eventsIn(path: string): readonly WrittenEvent[] {
  const start = basename(path, extname(path));
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(`${start}-`));
  const files = [...names.toSorted().map((name) => join(dirname(path), name)), path];
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WrittenEvent);
}
