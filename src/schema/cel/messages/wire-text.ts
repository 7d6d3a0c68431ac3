/** Types as the messages that describe them are printed. */
import type { Type } from '../types.ts';

const WIRE_NAMES: Readonly<Record<string, string>> = {
  int: 'primitive:INT64',
  uint: 'primitive:UINT64',
  bool: 'primitive:BOOL',
  double: 'primitive:DOUBLE',
  string: 'primitive:STRING',
  bytes: 'primitive:BYTES',
  null: 'null:NULL_VALUE',
  timestamp: 'well_known:TIMESTAMP',
  duration: 'well_known:DURATION',
};

/** A type as the reference prints its message, in one place only. */
export function wireText(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list_type:{elem_type:{${wireText(type.item)}}}`;
    case 'map': {
      const value = wireText(type.value);
      return `map_type:{key_type:{${wireText(type.key)}} value_type:{${value}}}`;
    }
    case 'type':
      return type.of === undefined ? 'type:{}' : `type:{${wireText(type.of)}}`;
    case 'object':
      return `message_type:"${type.name}"`;
    case 'parameter':
      return `type_param:"${type.name}"`;
    case 'dyn':
      return 'dyn:{}';
    default:
      return WIRE_NAMES[type.kind] ?? type.kind;
  }
}
