/**
 * Requests whose answers depend on admission, one after the other, in the neutral names. The
 * reference answers each so.
 */
import type { Test } from 'tap';
import type { RequestHeaders, Server } from './server.ts';

export interface AdmissionRow {
  readonly what: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET';
  readonly path: string;
  readonly body?: object;
  readonly headers?: RequestHeaders;
  readonly status: number;
  /** The message of a refusal. */
  readonly message?: string;
  /** The answer has these members among others. */
  readonly has?: object;
  /** Members, as `spec.nodeSelector`, that the answer does not have. */
  readonly lacks?: readonly string[];
}

export type Refusal = readonly [status: number, message?: string];
/** A refusal, or what the answer has. */
type Outcome = Refusal | Readonly<Record<string, unknown>>;

export const CORE = '/api/v1';
const MERGE: RequestHeaders = { 'content-type': 'application/merge-patch+json' };

function isRefusal(outcome: Outcome): outcome is Refusal {
  return Array.isArray(outcome);
}

function answered(
  outcome: Outcome,
  made: number,
): Pick<AdmissionRow, 'status' | 'message' | 'has'> {
  if (!isRefusal(outcome)) return { status: made, has: outcome };
  const [status, message] = outcome;
  return { status, ...(message !== undefined && { message }) };
}

export function create(
  what: string,
  path: string,
  body: object,
  outcome: Outcome = {},
): AdmissionRow {
  return { what, method: 'POST', path, body, ...answered(outcome, 201) };
}

export function patch(
  what: string,
  path: string,
  body: object,
  outcome: Outcome = {},
): AdmissionRow {
  return { what, method: 'PATCH', path, body, headers: MERGE, ...answered(outcome, 200) };
}

export function remove(what: string, path: string, outcome: Outcome = {}): AdmissionRow {
  return { what, method: 'DELETE', path, ...answered(outcome, 200) };
}

/** Without members: the row's `has` of them is not there. */
export function without(row: AdmissionRow, ...lacks: readonly string[]): AdmissionRow {
  return { ...row, lacks };
}

export const namespace = (name: string, annotations: Record<string, string> = {}): AdmissionRow =>
  create(`namespace ${name}`, `${CORE}/namespaces`, { metadata: { name, annotations } });

/** Sends them to a server, one after the other. */
export async function runRows(t: Test, server: Server, rows: readonly AdmissionRow[]) {
  for (const { what, method, path, body, headers, status, message, has, lacks = [] } of rows) {
    const answer = await server.request(method, path, body, headers);
    t.equal(answer.status, status, `${what}: ${answer.text}`);
    if (message !== undefined) t.equal(answer.json.message, message, what);
    if (has !== undefined) t.match(answer.json, has, what);
    for (const member of lacks) {
      const [part = '', name = ''] = member.split('.');
      t.equal(answer.json[part]?.[name], undefined, `${what}: no ${member}`);
    }
  }
}
