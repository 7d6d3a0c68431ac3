/**
 * The script and the style of the page at `/` (src/page/README.md): anybody may have them, since
 * they tell nothing of the server. They are read when a browser first asks.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methodNotAllowed } from '../../semantics/errors/status.ts';
import { acceptsGzip } from '../answers/compression.ts';
import { gzippedOnce } from '../answers/gzip.ts';
import type { Exchange } from '../exchange.ts';

const FOLDER = '/shardplane/page/';
const TYPES: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
};
const NO_BYTES = new Uint8Array(0);

/** The addresses of the files, for the page itself. */
export const PAGE_STYLE = `${FOLDER}page.css`;
export const PAGE_SCRIPT = `${FOLDER}page.js`;

interface PageFile {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

export class PageFiles {
  readonly #folder: string;
  readonly #files = new Map<string, PageFile>();

  constructor(buildDir: string) {
    this.#folder = join(buildDir, 'page');
  }

  /** Answers the path of a file; false for other paths. Throws StatusError 405. */
  serve(exchange: Exchange): boolean {
    const { method, path, ifNoneMatch, acceptEncoding } = exchange.head;
    if (!path.startsWith(FOLDER)) return false;
    const name = path.slice(FOLDER.length);
    const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    if (type === undefined) return false;
    if (method !== 'get' && method !== 'head') throw methodNotAllowed();
    const { bytes, etag } = this.#file(name);
    const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    if (ifNoneMatch.split(',').some((tag) => tag.trim() === etag)) {
      exchange.sendBytes(304, type, NO_BYTES, headers);
    } else if (acceptsGzip(acceptEncoding)) {
      gzippedOnce(bytes, (packed) => {
        if (packed === undefined) exchange.sendBytes(200, type, bytes, headers);
        else exchange.sendBytes(200, type, packed, { ...headers, 'Content-Encoding': 'gzip' });
      });
    } else exchange.sendBytes(200, type, bytes, headers);
    return true;
  }

  #file(name: string): PageFile {
    let file = this.#files.get(name);
    if (file === undefined) {
      const bytes = readFileSync(join(this.#folder, name));
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
      file = { bytes, etag: `"${hash}"` };
      this.#files.set(name, file);
    }
    return file;
  }
}
