/** Headers as text here and as bytes on a connection: UTF-8, which both HTTP libraries read. */

export type Header = readonly [name: string, value: string];

const OF_ASCII = /^[\0-\x7F]*$/;

/** A character for each byte. */
export function asBytes(text: string): string {
  return OF_ASCII.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** The text that a character for each byte stands for. */
export function asText(bytes: string): string {
  return OF_ASCII.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

/** Matches nearly all values: these need no further look. */
const PLAIN = /^[\t -~]*$/;
/** Characters that end a line, or do something to who reads it; a tab does not. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\0-\x08\x0A-\x1F\x7F]/g;

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** A client's text, as one line that it can be told again. */
export function oneLine(text: string): string {
  return isPlain(text) ? text : text.replaceAll(CONTROLS, ' ');
}

export function hasControls(text: string): boolean {
  return text.search(CONTROLS) !== -1;
}
