/** Paths through a schema, as selectable fields and rules name members by. */
import { isSchema, type SchemaJson } from './structural-schema.ts';

/** The members of a schema that a path reads; values of other types count as absent. */
export type PathSchema = SchemaJson;

export interface SchemaPath {
  /** As errors show it: `spec.labels[a/b]`. */
  readonly text: string;
  /** The first member that it names. */
  readonly root: string;
  /** Absent where the path ends in members that have no schema of their own. */
  readonly schema: PathSchema | undefined;
}

const UNFOUND = 'does not refer to a valid field';
const UNENDED = 'unexpected end of JSON path';
/** A quoted name, a separator, or what stands between separators. */
const TOKEN = /'(?:(?<=\\)'|[^'])*(?<!\\)'|'[^]*|[.[\]]|[^.[\]]+/gy;

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** Finds what a path names in a schema; text why it names nothing there. */
export function schemaPath(
  path: string,
  schema: PathSchema,
  { allowsBrackets = true }: { readonly allowsBrackets?: boolean } = {},
): SchemaPath | string {
  const tokens = path.match(TOKEN) ?? [];
  let at: PathSchema | undefined = schema;
  let text = '';
  let root = '';
  for (let next = 0; next < tokens.length;) {
    const mark = tokens[next];
    const token = tokens[next + 1];
    const isBracket = mark === '[';
    if (mark !== '.' && !isBracket) return `expected [ or . but got: ${mark}`;
    if (isBracket && !allowsBrackets) return 'array notation is not allowed';
    if (token === undefined) return UNENDED;
    const name = isBracket ? quotedName(token) : { name: token };
    if (typeof name === 'string') return name;
    const step = stepInto(at, name.name);
    if (step === undefined) return UNFOUND;
    at = step.schema;
    root ||= name.name;
    if (step.isNamed) text += text === '' ? name.name : `.${name.name}`;
    else text += `[${name.name}]`;
    next += 2;
    if (!isBracket) continue;
    if (next >= tokens.length) return UNENDED;
    if (tokens[next] !== ']') return `expected ] but got ${tokens[next]}`;
    next += 1;
  }
  return { text, root, schema: at };
}

function quotedName(token: string): { readonly name: string } | string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return `expected single quoted string but got ${token}`;
  }
  let wrong: string | undefined;
  const name = token.slice(1, -1).replace(/\\[^\n]/g, (escape) => {
    const found = ESCAPES[escape.charAt(1)];
    if (found === undefined) wrong = escape;
    return found ?? '';
  });
  return wrong === undefined ? { name } : `invalid string literal: invalid escape char ${wrong}`;
}

function stepInto(
  schema: PathSchema | undefined,
  name: string,
): { readonly schema: PathSchema | undefined; readonly isNamed: boolean } | undefined {
  if (schema === undefined) return undefined;
  const { properties, additionalProperties } = schema;
  if (isSchema(properties) && Object.keys(properties).length > 0) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isSchema(property) ? { schema: property, isNamed: true } : undefined;
  }
  if (additionalProperties === undefined || additionalProperties === null) return undefined;
  const below = isSchema(additionalProperties) ? additionalProperties : undefined;
  return { schema: below, isNamed: false };
}
