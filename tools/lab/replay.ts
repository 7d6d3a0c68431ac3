/** Sends the requests of a recording again, in its order, and compares the answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf, type RecordedRequest } from '../../src/laboratory/recording.ts';
import { differences } from './differences.ts';
import type { Played } from './recorded.ts';
import { Renamed } from './renamed.ts';

const PACKED = /gzip/;
const WATCH_MS_MAX = 5_000;
const ADMIN = 'admin';

export interface ReplayOptions {
  /** Without a slash at its end. */
  readonly server: string;
  readonly token: string;
  /** How many times as fast as it was recorded; Infinity for as fast as it goes. */
  readonly pace: number;
  /** Watches stay open as long as they did, or as anything else is under way. */
  readonly holdsWatches?: boolean;
}

/** What became of one request. */
export interface Outcome {
  readonly played: Played;
  /** When it was sent, since the begin. */
  readonly startMs: number;
  readonly ms: number;
  readonly differences: readonly string[];
}

interface Answer {
  readonly code: number;
  readonly text: string;
}

/**
 * A request is sent when all that were answered before it was sent in the recording are answered
 * again, and not earlier than the pace says.
 */
export async function replay(
  requests: readonly Played[],
  options: ReplayOptions,
): Promise<readonly Outcome[]> {
  const run: Run = { ...options, renamed: new Renamed(), isOver: new AbortController() };
  const beganMs = performance.now();
  const outcomes: Promise<Outcome>[] = [];
  const under = new Map<Played, Promise<Outcome>>();
  for (const played of requests) {
    for (const [before, outcome] of under) {
      if (before.endMs > played.startMs) continue;
      under.delete(before);
      if (!isHeld(before, run)) await outcome;
    }
    const dueMs = beganMs + played.startMs / options.pace;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const outcome = again(played, run, beganMs);
    under.set(played, outcome);
    outcomes.push(outcome);
  }
  await Promise.all(outcomes.filter((_, at) => !isHeld(requests[at], run)));
  run.isOver.abort();
  return Promise.all(outcomes);
}

interface Run extends ReplayOptions {
  readonly renamed: Renamed;
  /** Nothing but watches is left. */
  readonly isOver: AbortController;
}

function isHeld(played: Played | undefined, { holdsWatches = false }: Run): boolean {
  return holdsWatches && played?.request.verb === 'watch';
}

async function again(played: Played, run: Run, beganMs: number): Promise<Outcome> {
  const startMs = performance.now();
  const outcome = (found: readonly string[]): Outcome => ({
    played,
    startMs: startMs - beganMs,
    ms: performance.now() - startMs,
    differences: found,
  });
  try {
    const got = await send(played, run);
    return outcome(compared(played, got, run.renamed));
  } catch (error) {
    // A watch has no answer before its first event.
    const wasCut = played.code === undefined || !played.isComplete || isHeld(played, run);
    return outcome(wasCut ? [] : [`no answer: ${(error as Error).message}`]);
  }
}

async function send(played: Played, run: Run): Promise<Answer> {
  const { request, answer } = played;
  const { server, token, renamed } = run;
  const { method, url, contentType, accept, body, userAgent } = request;
  const isText = 'text' in body;
  const sent = isText ? renamed.in(body.text) : bytesOf(body);
  const isWatch = request.verb === 'watch';
  const holds = isHeld(played, run);
  const headers = new Headers({ authorization: `Bearer ${token}`, 'accept-encoding': 'identity' });
  if (accept !== '' && !PACKED.test(accept)) headers.set('accept', accept);
  // It names the manager of fields.
  headers.set('user-agent', userAgent);
  if (contentType !== '') headers.set('content-type', contentType);
  actAs(request, headers);
  const response = await fetch(server + renamed.in(url), {
    method,
    headers,
    ...(sent.length > 0 && { body: sent }),
    ...(isWatch && { signal: holds ? holdOf(played, run) : AbortSignal.timeout(WATCH_MS_MAX) }),
  });
  if (!isWatch) return { code: response.status, text: await response.text() };
  if (holds) {
    await readOn(response);
    return { code: response.status, text: '' };
  }
  const count = eventsIn(answer.toString()).length;
  return { code: response.status, text: await firstEvents(response, count) };
}

/** As long as the watch was open, at the pace of the run. */
function holdOf({ startMs, endMs }: Played, { pace, isOver }: Run): AbortSignal {
  const ms = (endMs - startMs) / pace;
  if (!Number.isFinite(ms) || pace === Infinity) return isOver.signal;
  return AbortSignal.any([isOver.signal, AbortSignal.timeout(Math.ceil(ms))]);
}

/** Everybody but the administrator is acted as. */
function actAs({ user, groups }: RecordedRequest, headers: Headers): void {
  if (user === '' || user === ADMIN || groups.includes('system:masters')) return;
  headers.set('impersonate-user', user);
  for (const group of groups) headers.append('impersonate-group', group);
}

/** So many events of a watch, or those that come within a time. */
async function firstEvents({ body }: Response, most: number): Promise<string> {
  let text = '';
  if (body === null || most === 0) return text;
  try {
    for await (const part of body) {
      text += Buffer.from(part).toString();
      if (eventsIn(text).length >= most) break;
    }
  } catch {
    // Its time is over: what has come is compared.
  }
  return text;
}

/** Reads until the watch, or its time, is over. */
async function readOn({ body }: Response): Promise<void> {
  try {
    for await (const part of body ?? []) part satisfies Uint8Array;
  } catch {
    // Its time is over.
  }
}

/** The lines of events, but for bookmarks, which come when they come. */
function eventsIn(text: string): readonly string[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.filter((line) => line.trim() !== '' && !/^\s*\{"type":"BOOKMARK"/.test(line));
}

function compared(played: Played, got: Answer, renamed: Renamed): readonly string[] {
  const { code, answer, request } = played;
  if (code === undefined) return [];
  if (code !== got.code) return [`code ${code}, now ${got.code}: ${got.text.slice(0, 200)}`];
  const recorded = answer.toString();
  if (request.verb === 'watch') return ofWatch(recorded, got.text, renamed);
  if (!played.isComplete) return [];
  const [before, after] = [parsed(recorded), parsed(got.text)];
  if (before === undefined || after === undefined) return [];
  renamed.learn(before, after);
  return differences(parsed(renamed.in(recorded)), after);
}

/** Events, as far as there were some. */
function ofWatch(recorded: string, got: string, renamed: Renamed): readonly string[] {
  const after = eventsIn(got);
  return eventsIn(recorded).flatMap((line, at) => {
    const now = parsed(after[at] ?? '');
    renamed.learn(parsed(line), now);
    return differences(parsed(renamed.in(line)), now, `event ${at}`);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
