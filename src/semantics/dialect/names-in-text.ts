import type { Edit } from './edits.ts';
import { withEdits } from './edits.ts';
import {
  swapApproval,
  swapGroup,
  swapGroupSuffix,
  swapMediaWord,
  swapNamespace,
  swapQualified,
} from './names.ts';
import { mayHoldNames } from './may-hold-names.ts';

/** Words that begin and end with a letter or digit, as all names that are swapped do. */
const WORDS = /[A-Za-z0-9][A-Za-z0-9._/-]*[A-Za-z0-9]/g;
/** The first part of `<part>.<group>`: a resource, a kind or a version. */
const BEFORE_GROUP =
  /^(?:[A-Z][A-Za-z0-9]*|[a-z0-9-]*s|v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?)\./;

/** The names in a text for people, wherever they stand. */
export function swapText(text: string): string {
  return withEdits(text, textEdits(text));
}

/** The edits that `swapText` makes. */
export function textEdits(text: string): Edit[] {
  if (!mayHoldNames(text) && !text.includes('.protobuf')) return [];
  const edits: Edit[] = [];
  for (const match of text.matchAll(WORDS)) {
    const word = match[0];
    const other = otherWord(word);
    if (other === word || otherWord(other) !== word) continue;
    edits.push({ start: match.index, end: match.index + word.length, text: other });
  }
  return edits;
}

function otherWord(word: string): string {
  const slash = word.indexOf('/');
  if (slash < 0) return swapPart(word);
  const head = word.slice(0, slash);
  const resource = swapResource(head);
  if (resource !== head) return resource + word.slice(slash);
  const qualified = swapQualified(word);
  return qualified === word ? word.split('/').map(swapPart).join('/') : qualified;
}

function swapPart(part: string): string {
  const group = swapGroup(part);
  if (group !== part) return group;
  const namespace = swapNamespace(part);
  if (namespace !== part) return namespace;
  const media = swapMediaWord(part);
  return media === part ? swapApproval(swapResource(part)) : media;
}

function swapResource(part: string): string {
  return BEFORE_GROUP.test(part) ? swapGroupSuffix(part) : part;
}
