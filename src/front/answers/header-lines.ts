/**
 * The gate that each header of an answer goes through, whoever serves the connection and whoever
 * has said it (bounds.md#headers). The HTTP library writes what it is given as it is, and what
 * ends a line would begin the next header, or the next answer.
 */
import type { Header } from './header-text.ts';
import { hasControls, isPlain } from './header-text.ts';
import type { ClientResponse } from '../http.ts';

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

declare const checked: unique symbol;
/** Lines that can be written; values beyond ASCII are bytes. Only `headerLines` makes them. */
export type HeaderLines = readonly (readonly [name: string, value: string | Buffer])[] & {
  readonly [checked]: true;
};

/** A header that cannot be written was about to be. */
export class UnwritableHeader extends Error {
  override readonly name = 'UnwritableHeader';
}

/**
 * The headers of a head: the values of `own` are texts, those of `passed` have a character for each
 * byte, and `ready` was checked before. Throws UnwritableHeader.
 */
export function headerLines(
  own: readonly Header[],
  passed: readonly Header[] = [],
  ready?: HeaderLines,
): HeaderLines {
  const lines = own.map((header) => line(header, 'utf8'));
  if (ready !== undefined) for (const one of ready) lines.push(one);
  for (const header of passed) lines.push(line(header, 'latin1'));
  return lines as unknown as HeaderLines;
}

function line([name, value]: Header, encoding: BufferEncoding): readonly [string, string | Buffer] {
  if (!NAME.test(name)) throw new UnwritableHeader('a header has a name that cannot be written');
  if (isPlain(value)) return [name, value];
  if (hasControls(value)) {
    throw new UnwritableHeader(`the header ${name} has a control character`);
  }
  return [name, Buffer.from(value, encoding)];
}

/** Writes the head of an answer; `status` is one of `status-line.ts`. */
export function writeLines(response: ClientResponse, status: string, lines: HeaderLines): void {
  response.writeStatus(status);
  for (const [name, value] of lines) response.writeHeader(name, value);
}

/** The head of an answer as text for a bare connection, with a character for each byte. */
export function headText(status: string, lines: HeaderLines): string {
  const texts = lines.map(([name, value]) => `${name}: ${value.toString('latin1')}\r\n`);
  return `HTTP/1.1 ${status}\r\n${texts.join('')}\r\n`;
}
