/** Answers to random requests: which of them say that the server is at fault. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FuzzCase, FuzzedResource } from './fuzz-cases.ts';
import { PATIENCE_MS } from './patience.ts';
import type { Answer, Server } from './server.ts';

/** The request of a case. */
export type Sent = Omit<FuzzCase, keyof FuzzedResource>;

/** Undefined when there is no answer. */
export async function sendFuzzed(
  server: Server,
  { method, path, body, contentType }: Sent,
): Promise<Answer | undefined> {
  const late = new AbortController();
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const answer = await Promise.race([
    server.request(method, path, body, headers),
    sleep(PATIENCE_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  return answer;
}

/**
 * No answer, or one that says that the server is at fault. What deletions and evictions answer with
 * 500 as the reference does has another message.
 */
export function isFault(answer: Answer | undefined, method = ''): boolean {
  if (answer === undefined || answer.status > 500) return true;
  if (answer.status !== 500) return false;
  const { reason, message } = answer.json ?? {};
  if (UNREADABLE.test(answer.text) || REFUSALS.test(message)) return false;
  return reason !== undefined || (method === 'PATCH' && !PATCH_FAILURES.test(message));
}

/**
 * Refusals that are 500 in the reference, too: of a port, and by a webhook that nobody can call.
 */
const REFUSALS =
  /^Internal error occurred: (failed to allocate requested HealthCheck NodePort|failed calling webhook) /;

/** A path that ends before it names anything. */
const UNREADABLE = /^Internal Server Error: .*: failed to create RequestInfo: /;

/** The reference, too, answers these patches with 500. */
const PATCH_FAILURES = new RegExp(
  [
    '^failed to (create (typed (patch|live) object|manager for existing fields)|convert new object)',
    '^unknown patch type: ',
    '^map: [^]* does not contain declared merge key: ',
    '^expected a .*, but received a ',
    '^cannot merge lists without merge key for ',
    '^list element types are not identical: ',
    '^no elements in any of the given slices$',
    '^unable to find api field in ',
    '^merging an object in json but data type is not struct, ',
    '^expected slice or array type, but got: ',
    '^The order in patch list:',
  ].join('|'),
);

/**
 * A webhook that was made at random and that nobody can call, where its policy is to ignore that.
 */
const WEBHOOK_FAILED = /^shardplane[^:]*: failed calling webhook [^]*; writes pass without it$/;

/** Gives the other reports of the server; a text of several lines is one report. */
export function reported(server: Server): string[] {
  const lines = server.stderr.split(/\n(?! )/);
  return lines.filter((line) => line !== '' && !WEBHOOK_FAILED.test(line));
}
