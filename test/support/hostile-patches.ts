/** Patches made to hurt: what they are made of, and how their answers are looked at. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { CONFIG_MAPS, configMap } from './kinds.ts';
import { PATIENCE_MS } from './patience.ts';
import { sendPatch, type PatchType } from './send-patch.ts';
import type { Answer, Server } from './server.ts';

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function nested(levels: number, open = '{"a":', close = '}'): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

/** JSON of an object with so many members. */
export function members(count: number, key: (index: number) => string, value: string): string {
  return `{${times(count, (index) => `${JSON.stringify(key(index))}:${value}`).join(',')}}`;
}

/** Resident memory of the server besides files, where the system tells it. */
export function residentMib(server: Server): number {
  try {
    const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

let count = 0;

/** A new ConfigMap, which has an owner; its path. */
export async function target(server: Server): Promise<string> {
  count += 1;
  const { status, text } = await server.post(CONFIG_MAPS, configMap(`target-${count}`));
  if (status !== 201) throw new Error(text.slice(0, 300));
  return `${CONFIG_MAPS}/target-${count}`;
}

/** Sends one patch, looks at what others are answered meanwhile, and at what is there then. */
export async function hurt(
  t: Test,
  server: Server,
  what: string,
  path: string,
  type: PatchType,
  body: string,
): Promise<Answer> {
  const done = new AbortController();
  let slowest = 0;
  const other = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const { status, milliseconds } = await server.get('/api/v1/namespaces/default');
      if (status !== 200) t.fail(`${what}: another request is answered ${status}`);
      slowest = Math.max(slowest, milliseconds);
      await sleep(10);
    }
  };
  const probing = other();
  const query = type === 'apply' ? '?fieldManager=me&force=true' : '';
  const late = sleep(PATIENCE_MS, undefined, { signal: done.signal }).catch(() => undefined);
  const answer = await Promise.race([sendPatch(server, `${path}${query}`, type, body), late]);
  done.abort();
  await probing;
  if (answer === undefined) throw new Error(`${what}: no answer in ${PATIENCE_MS} ms`);
  const [took, others] = [answer.milliseconds, slowest].map(Math.round);
  t.comment(`${what}: ${answer.status} in ${took} ms; others waited ${others} ms`);
  t.ok(slowest < PATIENCE_MS, `${what}: others are answered meanwhile`);
  const kind =
    answer.status < 300 ? answer.json?.kind !== 'Status' : answer.json?.kind === 'Status';
  t.ok(kind, `${what}: a document: ${answer.text.slice(0, 200)}`);
  t.not(answer.json?.reason, 'InternalError', what);
  if (answer.status < 300) {
    // A comparison by `t.equal` would take longer than all the rest.
    const isSame = (await server.get(path)).text === answer.text;
    t.ok(isSame, `${what}: reads back`);
  }
  return answer;
}
