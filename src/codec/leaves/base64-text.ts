/** Bytes in JSON: standard base64 with padding (../README.md#json), kept as text. */

const CANONICAL = /^[A-Za-z0-9+/]*={0,2}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Base64 in canonical form: no line breaks, unused bits zero. Throws an Error with the reference's
 * text when the text is not base64.
 */
export function canonicalBase64(text: string): string {
  if (text.length % 4 !== 0 || !CANONICAL.test(text)) return withoutLineBreaks(text);
  return withZeroPadBits(text);
}

/** The number of bytes that canonical base64 stands for. */
export function base64ByteLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

function withZeroPadBits(text: string): string {
  if (!text.endsWith('=')) return text;
  const [last, mask] = text.endsWith('==') ? [text.length - 3, 0x30] : [text.length - 2, 0x3c];
  const value = ALPHABET.indexOf(text.charAt(last));
  if ((value & mask) === value) return text;
  return text.slice(0, last) + ALPHABET.charAt(value & mask) + text.slice(last + 1);
}

/** The slow way: line breaks are allowed anywhere, and errors name the byte. */
function withoutLineBreaks(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\n' || character === '\r') continue;
    if (character === '=') return withZeroPadBits(out + paddingAt(text, at, out.length % 4));
    if (!ALPHABET.includes(character)) throw illegalByte(text, at);
    out += character;
  }
  if (out.length % 4 !== 0) throw illegalByte(text, text.length - (out.length % 4));
  return out;
}

/** The padding that starts at `at`; nothing but line breaks may follow it. */
function paddingAt(text: string, at: number, used: number): string {
  if (used < 2) throw illegalByte(text, at);
  const wanted = used === 2 ? 2 : 1;
  let seen = 0;
  for (let index = at; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\n' || character === '\r') continue;
    if (character !== '=' || seen === wanted) throw illegalByte(text, index);
    seen += 1;
  }
  if (seen < wanted) throw illegalByte(text, text.length);
  return '='.repeat(wanted);
}

/** Counts bytes of UTF-8, as the reference does. */
function illegalByte(text: string, at: number): Error {
  let bytes = 0;
  for (const character of text.slice(0, at)) {
    const codePoint = character.codePointAt(0) ?? 0;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return new Error(`illegal base64 data at input byte ${bytes}`);
}
