/** The build makes types of messages (tools/message-types.ts): nobody else declares them. */
import type { SchemaModel } from '../../src/codec/model/schema-model.ts';
import { jsonFields } from '../../src/codec/model/schema-walk.ts';
import type { SourceFiles } from './house-rules.ts';

const DECLARED = /^(?:export )?(?:interface|type) (\w+)\b[^={]*(?:= )?\{\n(.*?)^\}/gms;
const MEMBER = /^ {2}(?:readonly )?(\w+)\??:/gm;

/** The declarations of which a message of that name has all members. */
export function findRestated(files: SourceFiles, model: SchemaModel): string[] {
  const known = new Map<string, Set<string>[]>();
  for (const message of Object.values(model.messages)) {
    const name = message.name.split('.').at(-1) ?? '';
    const members = new Set(jsonFields(model, message).map((field) => field.name));
    known.set(name, [...(known.get(name) ?? []), members]);
  }
  const found: string[] = [];
  for (const [path, text] of files) {
    for (const [, name = '', body = ''] of text.matchAll(DECLARED)) {
      const members = [...body.matchAll(MEMBER)].map(([, member = '']) => member);
      const isRestated = known.get(name)?.some((has) => members.every((one) => has.has(one)));
      if (isRestated === true) found.push(`${path}: declares the message ${name}`);
    }
  }
  return found;
}
