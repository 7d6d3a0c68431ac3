/** The first document of a YAML text, with a bound on how deep it nests. */
import type { CST, Document, DocumentOptions, LineCounter } from 'yaml';
import type { Node, ParseOptions, SchemaOptions } from 'yaml';
import { withIndentedFlow } from './yaml-flow.ts';
import { yamlPackage } from './yaml-package.ts';

/** A body that is not one YAML document, or cannot be JSON. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** Collections nested deeper are refused: no API object comes near. */
export const YAML_DEPTH_MAX = 500;

/** A document and a scalar are open beside the collections. */
const OPEN_TOKENS_MAX = YAML_DEPTH_MAX + 2;

/** Scalars stay as they are written: `resolvePlain` gives them their meaning. */
export const AS_WRITTEN = {
  schema: 'failsafe',
  resolveKnownTags: false,
  // The package would compare each key with every other one; our readers use a set.
  uniqueKeys: false,
} as const;

const CONTROL_CHARACTER =
  // oxlint-disable-next-line no-control-regex -- control characters are the point
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/** Whether text has a character that YAML may not have, though JSON may, in a string too. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

export type Fail = (why: string, offset: number) => never;

type ComposeOptions = ParseOptions & DocumentOptions & SchemaOptions;

export interface YamlDocument {
  /** Undefined where the text has no document. */
  readonly document: Document.Parsed | undefined;
  /** The nodes of the document; null where there are none. */
  readonly root: Node | null;
  readonly lineOf: (offset: number) => number;
  readonly fail: Fail;
}

/** The first document of a stream: the rest is ignored. Throws YamlError. */
export function composeYaml(text: string, options: ComposeOptions): YamlDocument {
  try {
    return compose(text, options);
  } catch (error) {
    if (!(error instanceof YamlError) || hasControlCharacter(text)) throw error;
    const indented = withIndentedFlow(text);
    if (indented === text) throw error;
    return compose(indented, options);
  }
}

/** Throws YamlError for a second document in a stream. */
export function refuseSecondDocument(text: string): void {
  const { lines, fail } = placesIn();
  let documents = 0;
  for (const { type, offset } of boundedTokens(text, lines, fail)) {
    if (type === 'document') documents += 1;
    if (documents > 1) fail('there may be one document', offset);
  }
}

/** The lines of a text that is about to be read, and a function that throws YamlError with one. */
function placesIn(): Pick<YamlDocument, 'lineOf' | 'fail'> & { readonly lines: LineCounter } {
  const { LineCounter } = yamlPackage();
  const lines = new LineCounter();
  lines.addNewLine(0);
  const lineOf = (offset: number): number => Math.max(lines.linePos(offset).line, 1);
  const fail = (why: string, offset: number): never => {
    throw new YamlError(`yaml: line ${lineOf(offset)}: ${why}`);
  };
  return { lines, lineOf, fail };
}

function compose(text: string, options: ComposeOptions): YamlDocument {
  const { lines, lineOf, fail } = placesIn();
  if (hasControlCharacter(text)) {
    throw new YamlError('yaml: control characters are not allowed');
  }
  const tokens = firstDocument(boundedTokens(text, lines, fail), fail);
  const { Composer } = yamlPackage();
  const composer = new Composer(options);
  const { done, value: document } = withoutStackTraces(() => {
    return composer.compose(tokens, true, text.length).next();
  });
  if (done === true || document === undefined) {
    return { document: undefined, root: null, lineOf, fail };
  }
  const [error] = document.errors;
  if (error !== undefined) fail(error.message, error.pos[0]);
  return { document, root: document.contents, lineOf, fail };
}

/** The composer makes an error object for each error of a document, which may have 200,000. */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export function tooDeepText(): string {
  return `exceeded max depth of ${YAML_DEPTH_MAX}`;
}

/**
 * `parser.parse(text)`, which ends where collections nest too deep. The parser keeps what is open
 * in a list, onto which no lexeme puts more than one token; to close it, and to compose what is in
 * it, the package recurses. Near the end of a stack not every error can be caught: the runtime
 * aborts where a regular expression is used for the first time.
 */
function* boundedTokens(text: string, lines: LineCounter, fail: Fail): Iterable<CST.Token> {
  const { Lexer, Parser } = yamlPackage();
  const parser = new Parser(lines.addNewLine);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > OPEN_TOKENS_MAX) fail(tooDeepText(), parser.offset);
  }
  yield* parser.end();
}

/**
 * The tokens of the first document, and those before it. Errors that stand outside of any document
 * are tokens of their own.
 */
function* firstDocument(tokens: Iterable<CST.Token>, fail: Fail): Iterable<CST.Token> {
  let isOver = false;
  for (const token of tokens) {
    if (token.type === 'error') fail(token.message, token.offset);
    if (isOver && (token.type === 'document' || token.type === 'doc-end')) return;
    isOver ||= token.type === 'document';
    yield token;
  }
}
