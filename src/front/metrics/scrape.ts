/** `/metrics` (README.md#metrics): what all threads have counted, as Prometheus reads it. */
import type { Exposition, ScrapeFormat } from '../../observability/metrics/exposition.ts';
import { SCRAPE_TIME_PARTS } from '../../observability/limits.ts';
import { methodNotAllowed } from '../../semantics/status.ts';
import { acceptClauses, takesType } from '../accept.ts';
import { acceptsGzip, GZIP_BYTES_MIN, GZIP_HEADERS } from '../compression.ts';
import type { Exchange } from '../exchange.ts';
import { gzippedOnce } from '../gzip.ts';
import { sendError } from '../resource-requests.ts';

const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text';
const OPEN_METRICS_VERSIONS = ['1.0.0', '0.0.1'];

interface Made {
  readonly body: Promise<Uint8Array>;
  /** When it may be made anew. */
  againMs: number;
}

export class Scrape {
  readonly #exposition: Exposition;
  readonly #made = new Map<ScrapeFormat, Made>();

  constructor(exposition: Exposition) {
    this.#exposition = exposition;
  }

  /** Answers a scrape. Throws StatusError 405. */
  serve(exchange: Exchange): void {
    const { method, accept, acceptEncoding } = exchange.head;
    if (method !== 'get' && method !== 'head') throw methodNotAllowed();
    const { format, type } = negotiated(accept);
    const send = (body: Uint8Array): void => {
      if (body.length <= GZIP_BYTES_MIN || method === 'head' || !acceptsGzip(acceptEncoding)) {
        exchange.sendBytes(200, type, body);
        return;
      }
      gzippedOnce(body, (packed) => {
        if (packed === undefined) exchange.sendBytes(200, type, body);
        else exchange.sendBytes(200, type, packed, GZIP_HEADERS);
      });
    };
    this.#bodyIn(format).then(send, (error: unknown) => sendError(exchange, error));
  }

  /** Making it takes a part of the time alone: who asks sooner gets what there is. */
  #bodyIn(format: ScrapeFormat): Promise<Uint8Array> {
    const startMs = performance.now();
    const last = this.#made.get(format);
    if (last !== undefined && startMs < last.againMs) return last.body;
    const body = this.#exposition.render(format).then((rendered) => {
      const endMs = performance.now();
      made.againMs = endMs + (endMs - startMs) * SCRAPE_TIME_PARTS;
      return rendered;
    });
    const made: Made = { body, againMs: Infinity };
    this.#made.set(format, made);
    body.catch(() => this.#made.delete(format));
    return body;
  }
}

/** What is not understood gets text. */
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
