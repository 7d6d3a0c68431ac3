/** The text of a decoded schema. */
import { quoteGo, stringifyGo } from '../../codec/json/go-json.ts';
import { RawJson } from '../../codec/json/raw-json.ts';

/** A piece that is still to be written: a value, or text that is written unchanged. */
type Piece = { readonly value: unknown } | { readonly text: string };

/**
 * Compact JSON, in which values that are kept as text stay as they were sent. No depth exhausts the
 * stack.
 */
export function schemaText(schema: unknown): string {
  let out = '';
  const pending: Piece[] = [{ value: schema }];
  for (let piece = pending.pop(); piece !== undefined; piece = pending.pop()) {
    if ('text' in piece) out += piece.text;
    else if (piece.value instanceof RawJson) out += piece.value.text;
    else if (typeof piece.value === 'bigint') out += String(piece.value);
    else if (typeof piece.value !== 'object' || piece.value === null) {
      out += stringifyGo(piece.value);
    } else for (const part of piecesOf(piece.value).reverse()) pending.push(part);
  }
  return out;
}

function piecesOf(container: object): Piece[] {
  if (Array.isArray(container)) {
    const pieces = container.flatMap((value, index): Piece[] => {
      return index === 0 ? [{ value }] : [{ text: ',' }, { value }];
    });
    return [{ text: '[' }, ...pieces, { text: ']' }];
  }
  const pieces: Piece[] = [];
  for (const [name, value] of Object.entries(container)) {
    if (value === undefined) continue;
    pieces.push({ text: `${pieces.length === 0 ? '{' : ','}${quoteGo(name)}:` }, { value });
  }
  pieces.push({ text: pieces.length === 0 ? '{}' : '}' });
  return pieces;
}
