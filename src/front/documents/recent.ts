/**
 * What happened last, for people who look (src/front/README.md#pages-for-people):
 * `/shardplane/slow-requests`, those of this front, and `/shardplane/audit-events`, the end of the
 * audit log. There is no such path where slow requests are not told of, or no file is written.
 */
import { open } from 'node:fs/promises';
import { methodNotAllowed, StatusError } from '../../semantics/errors/status.ts';
import type { Exchange } from '../exchange.ts';
import { RECENT_EVENTS_MAX, RECENT_EVENT_BYTES_MAX } from '../limits.ts';
import type { RequestLog } from '../request-log.ts';
import { answerJson } from './answer-json.ts';

const SLOW_PATH = '/shardplane/slow-requests';
const AUDIT_PATH = '/shardplane/audit-events';

export interface RecentOptions {
  /** Undefined where no request is logged. */
  readonly requestLog: Pick<RequestLog, 'slow' | 'slowMs'> | undefined;
  /** '' where no file has audit events. */
  readonly auditFile: string;
}

export class Recent {
  readonly #options: RecentOptions;

  constructor(options: RecentOptions) {
    this.#options = options;
  }

  /** Answers one of them; false for other paths. Throws StatusError. */
  serve(exchange: Exchange, path: string): boolean {
    if (path !== SLOW_PATH && path !== AUDIT_PATH) return false;
    if (exchange.head.method !== 'get') throw methodNotAllowed();
    answerJson(exchange, path === SLOW_PATH ? this.#slow() : this.#audited());
    return true;
  }

  async #slow(): Promise<object> {
    const { requestLog } = this.#options;
    if (requestLog === undefined || requestLog.slowMs === 0) {
      throw notTold('slow requests are told of with --slow-request-threshold');
    }
    const { slowMs: thresholdMs, slow: items } = requestLog;
    return { thresholdMs, items };
  }

  async #audited(): Promise<string> {
    const { auditFile } = this.#options;
    if (auditFile === '') throw notTold('no file has audit events: give --audit-log-path');
    const lines = await lastLines(auditFile, RECENT_EVENT_BYTES_MAX);
    const events = lines.filter((line) => line.startsWith('{')).slice(-RECENT_EVENTS_MAX);
    return `{"items":[${events.join(',')}]}`;
  }
}

/** The whole lines among the last bytes of a file; none where there is no file yet. */
async function lastLines(file: string, bytesMax: number): Promise<readonly string[]> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return [];
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytesMax);
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8', 0, bytesRead).split('\n');
    // The last one is not complete; nor is the first, where it begins within the file.
    return lines.slice(from === 0 ? 0 : 1, -1);
  } finally {
    await handle.close();
  }
}

function notTold(why: string): StatusError {
  return new StatusError(404, 'NotFound', why);
}
