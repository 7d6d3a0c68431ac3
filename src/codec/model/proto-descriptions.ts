/** Reads the descriptions of messages and members in `proto/`: the comments directly above them. */
import { fullNameOf, jsonNameOf, protoTypes } from './proto-types.ts';

/** Texts by message (`core.v1.Pod`) and member (`core.v1.Pod.spec`, by its name in JSON). */
export type Descriptions = Readonly<Record<string, string>>;

const BULLET = '- ';

/**
 * The descriptions of all messages in `files`, as `loadSchemaModel` takes them. Messages and
 * members without a comment have no entry.
 */
export function loadDescriptions(files: Readonly<Record<string, string>>): Descriptions {
  const found: Record<string, string> = {};
  const add = (path: string, comment: string | null): void => {
    const text = textOf(comment ?? '');
    if (text !== '') found[path] = text;
  };
  for (const type of protoTypes(files)) {
    const name = fullNameOf(type);
    add(name, type.comment);
    for (const field of type.fieldsArray) add(`${name}.${jsonNameOf(field)}`, field.comment);
  }
  return found;
}

/**
 * One line for each paragraph and bullet, with a blank one between paragraphs: clients wrap lines
 * themselves, and keep those that begin with a bullet.
 */
function textOf(comment: string): string {
  const paragraphs = comment.split(/\n\s*\n/).map((paragraph) => {
    const lines: string[] = [];
    for (const line of paragraph.split('\n').map((one) => one.trim())) {
      const last = lines.length - 1;
      if (last < 0 || line.startsWith(BULLET)) lines.push(line);
      else lines[last] += ` ${line}`;
    }
    return lines.join('\n');
  });
  return paragraphs.join('\n\n').trim();
}
