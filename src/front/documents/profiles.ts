/** `/debug/pprof/` (src/observability/README.md#profiles). */
import { randomUUID } from 'node:crypto';
import { PROFILE_SECONDS, PROFILE_SECONDS_MAX } from '../../observability/limits.ts';
import type { SharedMetrics } from '../../observability/metrics/metric-store.ts';
import { ProfilerBusy, profileOfThread } from '../../observability/profiles/profile-channel.ts';
import { PROFILE_KINDS } from '../../observability/profiles/profile.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import {
  badRequest,
  methodNotAllowed,
  serviceUnavailable,
  tooManyRequests,
} from '../../semantics/errors/status.ts';
import type { Exchange } from '../exchange.ts';
import { sendError } from '../answers/send-error.ts';
import { PageNotFound } from '../requests/route.ts';

const ROOT = '/debug/pprof';
const FILES = { profile: 'cpuprofile', heap: 'heapprofile' } as const;

export interface ProfilesOptions {
  readonly metrics: SharedMetrics;
  /** All threads; the first is meant where none is named. */
  readonly threads: readonly string[];
  readonly isOn: boolean;
}

/** `whenStopped` takes what ends a request when the server stops. */
export class Profiles {
  readonly #options: ProfilesOptions;

  constructor(options: ProfilesOptions) {
    this.#options = options;
  }

  /** Whether a path is one of these, or below them. */
  has(path: string): boolean {
    return this.#options.isOn && (path === ROOT || path.startsWith(`${ROOT}/`));
  }

  /** Throws StatusError 400, 405 and PageNotFound. */
  serve(exchange: Exchange, whenStopped: (end: () => void) => void): void {
    const { method, path } = exchange.head;
    if (method !== 'get') throw methodNotAllowed();
    if (path === ROOT || path === `${ROOT}/`) {
      exchange.sendText(200, this.#index());
      return;
    }
    const kind = PROFILE_KINDS.find((known) => path === `${ROOT}/${known}`);
    if (kind === undefined) throw new PageNotFound(path);
    const { metrics } = this.#options;
    const to = this.#threadOf(exchange);
    const seconds = secondsOf(exchange);
    whenStopped(() => exchange.sendStatus(serviceUnavailable('the server is shutting down')));
    profileOfThread(metrics, { to, id: randomUUID(), kind, seconds }).then(
      (profile) => {
        const file = `attachment; filename="${to}.${FILES[kind]}"`;
        exchange.sendBytes(200, 'application/json', profile, { 'Content-Disposition': file });
      },
      (error: unknown) => {
        sendError(exchange, error instanceof ProfilerBusy ? tooManyRequests() : error);
      },
    );
  }

  #threadOf({ query }: Exchange): string {
    const { threads } = this.#options;
    const named = query.text('thread');
    const found = named === '' ? threads[0] : threads.find((thread) => thread === named);
    if (found !== undefined) return found;
    throw badRequest(`thread ${quoteText(named)} is none of ${threads.join(', ')}`);
  }

  #index(): string {
    const of = this.#options.threads.join(', ');
    return [
      `${ROOT}/profile?thread=NAME&seconds=N   where a thread spends its time: .cpuprofile`,
      `${ROOT}/heap?thread=NAME&seconds=N      who allocates what is still there: .heapprofile`,
      '',
      `threads: ${of}`,
      '',
    ].join('\n');
  }
}

function secondsOf({ query }: Exchange): number {
  const text = query.text('seconds');
  const seconds = text === '' ? PROFILE_SECONDS : query.integer('seconds');
  if (seconds >= 1 && seconds <= PROFILE_SECONDS_MAX) return seconds;
  throw badRequest(`seconds is ${quoteText(text)}: give 1 to ${PROFILE_SECONDS_MAX}`);
}
