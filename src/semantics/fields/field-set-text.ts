/** Sets of fields as the text of FieldsV1. */
import { quoteGo } from '../../codec/json/go-json.ts';
import type { FieldSet } from './field-set.ts';
import { sharingOf } from './shared-sets.ts';

/** The JSON text of FieldsV1. */
export function fieldsV1Text(set: FieldSet): string {
  return `{${membersText(set)}}`;
}

function membersText(set: FieldSet): string {
  let text = '';
  const { elements, children } = set;
  for (let at = 0; at < elements.length; at++) {
    if (at > 0) text += ',';
    text += `${quoted(elements[at] as string)}:${nodeText(children[at] as FieldSet)}`;
  }
  return text;
}

function nodeText(node: FieldSet): string {
  if (node.elements.length === 0) return '{}';
  const shared = sharingOf(node);
  if (shared === undefined) return writtenText(node);
  return (shared.text ??= writtenText(node));
}

function writtenText(node: FieldSet): string {
  return node.isMember ? `{".":{},${membersText(node)}}` : `{${membersText(node)}}`;
}

/** Has nothing to escape, as nearly all names of fields. */
const PLAIN = /^[\w:./-]*$/;

function quoted(element: string): string {
  return PLAIN.test(element) ? `"${element}"` : quoteGo(element);
}
