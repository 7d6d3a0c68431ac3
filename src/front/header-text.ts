/** Headers as text here and as bytes on a connection: UTF-8, which both HTTP libraries read. */

const OF_ASCII = /^[\0-\x7F]*$/;

/** A character for each byte. */
export function asBytes(text: string): string {
  return OF_ASCII.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** The text that a character for each byte stands for. */
export function asText(bytes: string): string {
  return OF_ASCII.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

/** What nearly all values are: nothing of them has to be looked at further. */
const PLAIN = /^[\t -~]*$/;
/** What ends a line, or does something to who reads it; a tab does not. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\0-\x08\x0A-\x1F\x7F]/g;

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** What a client has said and is told again, as one line. */
export function oneLine(text: string): string {
  return isPlain(text) ? text : text.replaceAll(CONTROLS, ' ');
}

export function hasControls(text: string): boolean {
  return text.search(CONTROLS) !== -1;
}
