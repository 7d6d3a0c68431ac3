/** Parses `proto/` text into the types of protobufjs, from which all else is read. */
import protobuf from 'protobufjs';

/**
 * The messages in `files` (path to proto text; paths serve error messages only), in their order,
 * with the comments above them and their fields. Throws an Error that names the file when the text
 * does not parse.
 */
export function protoTypes(files: Readonly<Record<string, string>>): readonly protobuf.Type[] {
  const types: protobuf.Type[] = [];
  for (const [path, text] of Object.entries(files)) collectTypes(parseFile(path, text), types);
  return types;
}

function parseFile(path: string, text: string): protobuf.Root {
  try {
    const options = { keepCase: true, alternateCommentMode: true };
    return protobuf.parse(text, new protobuf.Root(), options).root;
  } catch (error) {
    throw new Error(`${path} does not parse`, { cause: error });
  }
}

function collectTypes(namespace: protobuf.NamespaceBase, types: protobuf.Type[]): void {
  for (const nested of namespace.nestedArray) {
    if (nested instanceof protobuf.Type) types.push(nested);
    if (nested instanceof protobuf.Namespace) collectTypes(nested, types);
  }
}

/** `core.v1.Pod`. */
export function fullNameOf(type: protobuf.Type): string {
  return type.fullName.slice(1);
}

type Option = readonly [name: string, value: unknown];

/** Repeated options appear once per value only in `parsedOptions`. */
export function optionsOf(object: protobuf.ReflectionObject): Option[] {
  const parsed: Record<string, unknown>[] = object.parsedOptions ?? [];
  return parsed.flatMap((entry) =>
    Object.entries(entry).map(([name, value]): Option => [name.replace(/^\((.*)\)$/, '$1'), value]),
  );
}

/** The member that a field is in JSON: its own name, unless that is no identifier: `$ref`. */
export function jsonNameOf(field: protobuf.Field): string {
  const named = optionsOf(field).find(([option]) => option === 'json_name');
  return named === undefined ? field.name : String(named[1]);
}
