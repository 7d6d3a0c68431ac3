/** Events of the audit log as tests make and read them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { AuditEvent } from '../../src/observability/audit/audit-event.ts';

/** One of a get. */
export function auditEvent(auditId: string, requestObject = ''): AuditEvent {
  return new AuditEvent({
    level: 'Request',
    auditId,
    stage: 'ResponseComplete',
    requestUri: '/version',
    verb: 'get',
    user: { name: 'jane', uid: '', groups: [] },
    impersonatedUser: undefined,
    sourceIps: [],
    userAgent: '',
    objectRef: undefined,
    responseStatus: undefined,
    requestObject,
    responseObject: '',
    receivedMs: 0,
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
