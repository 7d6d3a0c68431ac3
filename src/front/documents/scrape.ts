/**
 * `/metrics` (src/front/README.md#metrics): what all threads have counted, as Prometheus reads it.
 */
import type { Exposition } from '../../observability/metrics/exposition.ts';
import type { ScrapeFormat } from '../../observability/metrics/scrape-format.ts';
import { SCRAPE_TIME_PARTS } from '../../observability/limits.ts';
import { ownRelease } from '../../release/release.ts';
import { methodNotAllowed } from '../../semantics/errors/status.ts';
import { acceptClauses, takesType } from '../requests/accept.ts';
import { acceptsGzip, GZIP_BYTES_MIN, GZIP_HEADERS } from '../answers/compression.ts';
import type { Exchange } from '../exchange.ts';
import { gzippedParts } from '../answers/gzip.ts';
import { sendError } from '../answers/send-error.ts';

const TEXT_TYPE = `text/plain; version=0.0.4; charset=utf-8${escaping()}`;
const OPEN_METRICS = 'application/openmetrics-text';
const OPEN_METRICS_VERSIONS = ['1.0.0', '0.0.1'];

const READING = ['get', 'head'];
/** The reference forgets what it has counted then. */
const RESETTING = 'delete';

interface Made {
  readonly parts: Promise<readonly Uint8Array[]>;
  /** Once somebody has taken it gzipped. */
  packed: Promise<Uint8Array | undefined> | undefined;
  /** When it may be made anew. */
  againMs: number;
}

export class Scrape {
  readonly #exposition: Exposition;
  readonly #made = new Map<ScrapeFormat, Made>();

  constructor(exposition: Exposition) {
    this.#exposition = exposition;
  }

  /** Answers a scrape, by any method where that may be. Throws StatusError 405. */
  serve(exchange: Exchange, byAnyMethod = false): void {
    const { method, accept } = exchange.head;
    const isAllowed = byAnyMethod ? method !== RESETTING : READING.includes(method);
    if (!isAllowed) throw methodNotAllowed();
    const { format, type } = negotiated(accept);
    const made = this.#madeIn(format);
    made.parts
      .then((parts) => send(exchange, type, made, parts))
      .catch((error: unknown) => sendError(exchange, error));
  }

  /** Making it takes a part of the time alone: who asks sooner gets what there is. */
  #madeIn(format: ScrapeFormat): Made {
    const startMs = performance.now();
    const last = this.#made.get(format);
    if (last !== undefined && startMs < last.againMs) return last;
    const parts = this.#exposition.render(format).then((rendered) => {
      const endMs = performance.now();
      made.againMs = endMs + (endMs - startMs) * SCRAPE_TIME_PARTS;
      return rendered;
    });
    const made: Made = { parts, packed: undefined, againMs: Infinity };
    this.#made.set(format, made);
    parts.catch(() => this.#made.delete(format));
    return made;
  }
}

async function send(
  exchange: Exchange,
  type: string,
  made: Made,
  parts: readonly Uint8Array[],
): Promise<void> {
  const { method, acceptEncoding } = exchange.head;
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (bytes <= GZIP_BYTES_MIN || method === 'head') {
    exchange.sendBytes(200, type, Buffer.concat(parts));
    return;
  }
  if (!acceptsGzip(acceptEncoding)) return sendParts(exchange, type, parts);
  made.packed ??= new Promise((resolve) => gzippedParts(parts, resolve));
  const packed = await made.packed;
  if (packed === undefined) sendParts(exchange, type, parts);
  else exchange.sendBytes(200, type, packed, GZIP_HEADERS);
}

/** One after the other, as the socket takes them: a large answer is never copied in one piece. */
function sendParts(exchange: Exchange, type: string, parts: readonly Uint8Array[]): void {
  let sent = 0;
  const goOn = (): void => {
    for (const part of parts.slice(sent)) {
      const isTaken = exchange.write(part);
      sent++;
      if (!isTaken) break;
    }
    if (sent === parts.length) exchange.endStream();
  };
  exchange.beginPassed(200, [
    ['Content-Type', type],
    ['X-Content-Type-Options', 'nosniff'],
  ]);
  exchange.onWritable(goOn);
  goOn();
}

/** The format that `accept` asks for; text where none of it is known. */
function negotiated(accept: string): { readonly format: ScrapeFormat; readonly type: string } {
  for (const { type, parameters } of acceptClauses(accept)) {
    const version = parameters.get('version') ?? '1.0.0';
    if (type === OPEN_METRICS && OPEN_METRICS_VERSIONS.includes(version)) {
      return { format: 'openmetrics', type: `${OPEN_METRICS}; version=${version}; charset=utf-8` };
    }
    if (takesType(type, 'text/plain')) break;
  }
  return { format: 'text', type: TEXT_TYPE };
}

function escaping(): string {
  const release = ownRelease();
  if (release.has('underscoresInMetrics')) return '; escaping=underscores';
  return release.has('toldEscaping') ? '; escaping=values' : '';
}
