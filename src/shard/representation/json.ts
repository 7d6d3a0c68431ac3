/** Objects, lists and events in JSON: stored bytes between prefixes and suffixes. */
import type { EventType } from '../../types/served-version.ts';
import type { ListMeta, ListWriter, Representation } from './representation.ts';
import type { Content } from './content.ts';
import { KeptRuns } from './kept-runs.ts';

const COMMA = Buffer.from(',');
const OPEN_BRACE = Buffer.from('{');
const NEWLINE = Buffer.from('\n');
/** Ends a list: the array, the object, and the newline of a compact document. */
const LIST_TAIL = Buffer.from(']}\n');
/** Ends a watch event around an object. */
const EVENT_SUFFIX = Buffer.from('}\n');

export function jsonRepresentation(id: string, content: Content): Representation {
  const type = `{"kind":"${content.kind}","apiVersion":"${content.apiVersion}",`;
  const prefix = Buffer.from(type);
  const eventPrefix = (event: EventType | 'BOOKMARK'): Buffer =>
    Buffer.from(`{"type":"${event}","object":${type}`);
  const eventPrefixes = {
    ADDED: eventPrefix('ADDED'),
    MODIFIED: eventPrefix('MODIFIED'),
    DELETED: eventPrefix('DELETED'),
    BOOKMARK: eventPrefix('BOOKMARK'),
  };
  return {
    id,
    needed: content.needed,
    document: (wire, rv) => [prefix, content.members(wire, rv), NEWLINE],
    list: {
      ...jsonList(content, content.hasTypedItems ? prefix : OPEN_BRACE),
      // What a webhook converts may come out in another way the next time.
      runs: content.needed === undefined ? new KeptRuns() : undefined,
    },
    event: (event, wire, rv) => [eventPrefixes[event], content.members(wire, rv), EVENT_SUFFIX],
    bookmark: (rv, annotations) => {
      const metadata = { resourceVersion: String(rv), ...(annotations && { annotations }) };
      return [eventPrefixes.BOOKMARK, content.bareMembers(metadata), EVENT_SUFFIX];
    },
  };
}

function jsonList(content: Content, itemPrefix: Uint8Array): ListWriter {
  const { listKind, apiVersion } = content;
  return {
    separator: COMMA,
    head: (meta) => {
      const told = JSON.stringify(listMetaMembers(meta, content));
      return Buffer.from(
        `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${told},"items":[`,
      );
    },
    addItem: (sink, rv, wireAt, isFirst) => {
      const members = content.membersAt(rv, wireAt);
      if (members === undefined) return false;
      if (!isFirst) sink.add(COMMA);
      sink.add(itemPrefix);
      sink.add(members);
      return true;
    },
    tail: () => LIST_TAIL,
  };
}

/** The members of ListMeta as JSON has them. */
function listMetaMembers(
  { rv, continueToken, remaining }: ListMeta,
  { tellsRemaining, tellsEnd }: Content,
): object {
  return {
    resourceVersion: String(rv),
    ...((continueToken !== '' || tellsEnd) && { continue: continueToken }),
    ...(tellsRemaining && remaining !== 0 && { remainingItemCount: remaining }),
  };
}
