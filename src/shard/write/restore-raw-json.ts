/** JSON that is kept as text (`codec/json/raw-json.ts`), through a patch of something else. */
import { RawJson } from '../../codec/json/raw-json.ts';
import { documentText, isContainer, parseDocument } from '../../semantics/patch/document.ts';

type Slots = Record<string, unknown>;

/**
 * Documents spell numbers in one way, know a member once, and have an order of their own. Where
 * that is all that a patch changed of text that `stored` keeps, `object` gets the text back.
 */
export function restoreRawJson(object: object, stored: object): void {
  const pending: [now: object, before: object][] = [[object, stored]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [now, before] = pair as [Slots, Slots];
    for (const key of Object.keys(now)) {
      const after = now[key];
      const old = Object.hasOwn(before, key) ? before[key] : undefined;
      if (!isContainer(after) || !isContainer(old)) continue;
      if (!(after instanceof RawJson)) pending.push([after, old]);
      else if (old instanceof RawJson && isSpeltAnew(old.text, after.text)) now[key] = old;
    }
  }
}

function isSpeltAnew(old: string, text: string): boolean {
  return old !== text && RawJson.ofText(documentText(parseDocument(old))).text === text;
}
