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
  const renamed = new Renamed();
  const beganMs = performance.now();
  const under = new Map<Played, Promise<Outcome>>();
  for (const played of requests) {
    const before = [...under].filter(([{ endMs }]) => endMs <= played.startMs);
    await Promise.all(before.map(([, outcome]) => outcome));
    const dueMs = beganMs + played.startMs / options.pace;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    under.set(played, again(played, renamed, options, beganMs));
  }
  return Promise.all(under.values());
}

async function again(
  played: Played,
  renamed: Renamed,
  options: ReplayOptions,
  beganMs: number,
): Promise<Outcome> {
  const startMs = performance.now();
  const outcome = (found: readonly string[]): Outcome => ({
    played,
    startMs: startMs - beganMs,
    ms: performance.now() - startMs,
    differences: found,
  });
  try {
    const got = await send(played, renamed, options);
    return outcome(compared(played, got, renamed));
  } catch (error) {
    const wasCut = played.code === undefined || !played.isComplete;
    return outcome(wasCut ? [] : [`no answer: ${(error as Error).message}`]);
  }
}

async function send(
  { request, answer }: Played,
  renamed: Renamed,
  { server, token }: ReplayOptions,
): Promise<Answer> {
  const { method, url, contentType, accept, body, userAgent } = request;
  const isText = 'text' in body;
  const sent = isText ? renamed.in(body.text) : bytesOf(body);
  const isWatch = request.verb === 'watch';
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
    ...(isWatch && { signal: AbortSignal.timeout(WATCH_MS_MAX) }),
  });
  if (!isWatch) return { code: response.status, text: await response.text() };
  const count = eventsIn(answer.toString()).length;
  return { code: response.status, text: await firstEvents(response, count) };
}

/** Everybody but the administrator is acted as. */
function actAs({ user, groups }: RecordedRequest, headers: Headers): void {
  if (user === ADMIN || groups.includes('system:masters')) return;
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
