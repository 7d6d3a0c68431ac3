/** A rule that has the server go wrong (README.md#faults). */
import { badRequest, StatusError } from '../semantics/errors/status.ts';
import { readWhat, readWho, type What, type Who } from './lab-request.ts';
import { Members } from './members.ts';
import { readWhen, type When } from './occasions.ts';

const RULE = ['name', 'who', 'what', 'when', 'then'];
const THEN = ['delay', 'refuse', 'loseAnswer', 'reset', 'watch', 'barrier'] as const;
export const SIDES = ['before', 'after'] as const;
export const RESETS = ['before', 'body', 'after'] as const;
export const WATCH_FAULTS = [
  'hold',
  'expire',
  'close',
  'late',
  'coalesce',
  'noBookmarks',
  'slow',
] as const;
const WATCH_MS = 1_000;
const CODE_MIN = 400;
const CODE_MAX = 599;

export type WatchFault = (typeof WATCH_FAULTS)[number];
type Side = (typeof SIDES)[number];

/** What happens. */
export type Effect =
  | { readonly is: 'delay'; readonly at: Side; readonly ms: number; readonly toMs: number }
  | { readonly is: 'refuse'; readonly error: () => StatusError }
  | { readonly is: 'loseAnswer' }
  | { readonly is: 'reset'; readonly at: (typeof RESETS)[number] }
  | { readonly is: 'watch'; readonly fault: WatchFault; readonly ms: number }
  | { readonly is: 'barrier'; readonly at: Side; readonly webhook: string };

export interface FaultRule {
  readonly name: string;
  readonly who: Who;
  readonly what: What;
  readonly when: When;
  readonly effect: Effect;
  /** As it was sent. */
  readonly sent: object;
}

/** Throws StatusError 400. */
export function readFaultRule(body: unknown): FaultRule {
  const members = new Members(body, '', RULE);
  return {
    name: members.name(),
    who: readWho(members),
    what: readWhat(members),
    when: readWhen(members),
    effect: readEffect(members),
    sent: body as object,
  };
}

function readEffect(members: Members): Effect {
  const then = members.part('then', [...THEN, 'ms', 'webhook']);
  const [is, ...others] = then.among(THEN) as (typeof THEN)[number][];
  if (is === undefined || others.length > 0) {
    throw badRequest(`then must have one of ${THEN.join(', ')}`);
  }
  switch (is) {
    case 'delay':
      return readDelay(then);
    case 'refuse':
      return { is, error: readRefusal(then) };
    case 'loseAnswer':
      if (!then.flag(is)) throw then.wrong(is, 'true');
      return { is };
    case 'reset':
      return { is, at: then.oneOf(is, RESETS) };
    case 'watch':
      return { is, fault: then.oneOf(is, WATCH_FAULTS), ms: then.count('ms') ?? WATCH_MS };
    case 'barrier':
      return { is, at: then.oneOf(is, SIDES), webhook: webhookOf(then) };
  }
}

function readDelay(then: Members): Effect {
  const delay = then.part('delay', ['ms', 'toMs', 'at']);
  const ms = delay.count('ms');
  if (ms === undefined) throw delay.wrong('ms', 'a whole number of milliseconds');
  const at = delay.has('at') ? delay.oneOf('at', SIDES) : 'before';
  const toMs = delay.count('toMs') ?? ms;
  if (toMs < ms) throw delay.wrong('toMs', 'no less than ms');
  return { is: 'delay', at, ms, toMs };
}

function readRefusal(then: Members): () => StatusError {
  const refuse = then.part('refuse', ['code', 'reason', 'message', 'retryAfterSeconds']);
  const code = refuse.count('code', CODE_MIN);
  if (code === undefined || code > CODE_MAX) {
    throw refuse.wrong('code', `a status from ${CODE_MIN} to ${CODE_MAX}`);
  }
  const reason = refuse.text('reason') || (REASONS[code] ?? 'InternalError');
  const message = refuse.text('message') || 'the laboratory refuses the request';
  const retryAfterSeconds = refuse.count('retryAfterSeconds');
  const details = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
  return () => new StatusError(code, reason, message, details);
}

function webhookOf(then: Members): string {
  const url = then.text('webhook');
  if (url !== '' && !/^https?:\/\//.test(url)) throw then.wrong('webhook', 'a URL');
  return url;
}

/** The reasons that the reference gives with a code. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
