/** Objects and lists in YAML, made of what they are in JSON. There are no watches in it. */
import { AssertionError } from '../../base/assert.ts';
import { decodeUtf8 } from '../../codec/text-body.ts';
import { yamlListItem, yamlText } from '../../codec/yaml/yaml-text.ts';
import { ChunkCollector } from './chunk-collector.ts';
import type { ListMeta, ListWriter, Representation } from './representation.ts';

export function yamlRepresentation(json: Representation): Representation {
  return {
    id: `${json.id}:yaml`,
    needed: json.needed,
    document: (wire, rv) => [asYaml(json.document(wire, rv))],
    list: yamlList(json.list),
    event: noStream,
    bookmark: noStream,
  };
}

function noStream(): never {
  throw new AssertionError('watches in YAML are refused before they get here');
}

function asYaml(parts: readonly Uint8Array[]): Buffer {
  return Buffer.from(yamlText(decodeUtf8(Buffer.concat(parts))));
}

/** Members are sorted: what comes before the items in JSON may come after them. */
function yamlList(json: ListWriter): ListWriter {
  return {
    head: (meta, { count }) => {
      const { items, before } = membersAround(json, meta);
      return Buffer.from(`${before}${items}:${count === 0 ? ' []' : ''}\n`);
    },
    addItem: (sink, rv, wireAt) => {
      const parts = new ChunkCollector();
      // The added bytes may be a view that the next read overwrites, so they are used at once.
      const isThere = json.addItem(parts, rv, wireAt, true);
      if (isThere) sink.addText(yamlListItem(decodeUtf8(Buffer.concat(parts.all))));
      return isThere;
    },
    tail: (meta) => Buffer.from(membersAround(json, meta).after),
  };
}

const NO_ITEMS = { count: 0, bytes: 0 };

function membersAround(json: ListWriter, meta: ListMeta) {
  const empty = decodeUtf8(Buffer.concat([json.head(meta, NO_ITEMS), json.tail(meta)]));
  const list = JSON.parse(empty) as Record<string, unknown>;
  const items = 'items' in list ? 'items' : 'rows';
  const textOf = (isIn: (name: string) => boolean): string => {
    const members = Object.entries(list).filter(([name]) => isIn(name));
    return members.length === 0 ? '' : yamlText(JSON.stringify(Object.fromEntries(members)));
  };
  return {
    items,
    before: textOf((name) => name < items),
    after: textOf((name) => name > items),
  };
}
