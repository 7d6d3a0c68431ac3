/** Which answers are gzipped (../README.md#compression). */

/** Shorter bodies are not worth the time. */
export const GZIP_BYTES_MIN = 128 * 1024;
export const GZIP_LEVEL = 1;

/** The headers of answers that are packed or plain, as clients ask for them. */
export const GZIP_HEADERS: Readonly<Record<string, string>> = {
  'Content-Encoding': 'gzip',
  Vary: 'Accept-Encoding',
};

const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q\s*=\s*([\d.]*)\s*)?(?:,|$)/i;

/** Whether `Accept-Encoding` names gzip, and not to exclude it. */
export function acceptsGzip(acceptEncoding: string): boolean {
  const found = GZIP.exec(acceptEncoding);
  return found !== null && (found[1] === undefined || Number(found[1]) > 0);
}
