/** Checks of Status answers and of a server's health, with one assert per fact. */
import type { Test } from 'tap';
import type { Answer, Server } from './server.ts';
import { CONFIG_MAPS, configMap } from './kinds.ts';

export interface ExpectedFailure {
  readonly code: number;
  readonly reason?: string;
  /** Exact text, or a pattern where the facts leave part of it open. */
  readonly message?: string | RegExp;
  readonly details?: unknown;
}

/** The answer is a failure Status with this code, reason and message. */
export function expectFailure(t: Test, answer: Answer, expected: ExpectedFailure): void {
  const shown = answer.text.slice(0, 600);
  t.equal(answer.status, expected.code, `HTTP ${expected.code}; body: ${shown}`);
  const status = answer.json ?? {};
  t.equal(status.kind, 'Status', 'a Status document');
  t.equal(status.apiVersion, 'v1');
  t.equal(status.status, 'Failure');
  t.equal(status.code, answer.status, 'code in the body is the HTTP status');
  if (expected.reason !== undefined) t.equal(status.reason, expected.reason, 'reason');
  if (typeof expected.message === 'string') t.equal(status.message, expected.message, 'message');
  else if (expected.message !== undefined) t.match(status.message, expected.message, 'message');
  if (expected.details !== undefined) t.same(status.details, expected.details, 'details');
}

let probeCount = 0;

/** The server answers its health check and can still write and read. */
export async function expectUnharmed(t: Test, server: Server): Promise<void> {
  const health = await server.get('/readyz');
  t.equal(health.status, 200, `ready afterwards: ${health.text}`);
  probeCount += 1;
  const name = `probe-${process.pid}-${probeCount}`;
  const created = await server.post(CONFIG_MAPS, configMap(name));
  t.equal(created.status, 201, `can create afterwards: ${created.text.slice(0, 300)}`);
  const read = await server.get(`${CONFIG_MAPS}/${name}`);
  t.equal(read.json?.data?.key, 'value', 'can read afterwards');
  await server.delete(`${CONFIG_MAPS}/${name}`);
}
