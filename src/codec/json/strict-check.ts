/**
 * Strict decoding (../README.md#strict-decoding): finds members of a document that decoding drops.
 *
 * Found by reading the reference server's JSON library and its integration tests:
 * - The texts are `unknown field "spec.a.b[0].c"` and `duplicate field "data.a"`. They come in the
 *   order of the document, each once, and never more than 100 of them.
 * - Names match in their case only. The inside of an unknown member is not looked at, so that an
 *   unknown member that repeats is only unknown, and is named once.
 * - Keys of maps take part in the path as they are, dots and all.
 * - `Strict` refuses with `<kind> in version "<version>" cannot be handled as a <kind>: strict
 *   decoding error: <problem>, <problem>`; `Warn` sends each problem as the text of a `Warning`.
 * - For a YAML body the YAML library's problems come first (`strict-yaml.ts`). The JSON made of it
 *   has its members in the order of their names, and so have the problems found in that.
 * - A body that cannot be decoded at all is refused for that alone.
 */
import { ownRelease } from '../../release/release.ts';
import { wellFormed } from './go-json.ts';
import { JsonCursor } from './json-cursor.ts';
import type { SchemaModel } from '../model/schema-model.ts';
import { quoteText } from './strict-quote.ts';
import { compileStrictSchema } from './strict-schema.ts';
import type {
  StrictAny,
  StrictList,
  StrictMap,
  StrictMember,
  StrictMessage,
  StrictValue,
} from './strict-schema.ts';

/** Returns what strict decoding finds wrong in valid JSON text; empty when nothing. */
export type StrictCheck = (text: string) => string[];

/** The reference stops at so many. */
export const STRICT_PROBLEMS_MAX = 100;

/** Paths repeat the keys that they lead through, so many problems can be longer than the text. */
const PROBLEM_CHARACTERS_MAX = 1024 * 1024;

/** The strict check of documents of a root message. Compiles on first use. */
export function compileStrictCheck(model: SchemaModel, messageName: string): StrictCheck {
  let shape: StrictMessage | undefined;
  return (text) => {
    shape ??= compileStrictSchema(model, messageName);
    return new StrictScan(text).run(shape);
  };
}

/**
 * `duplicate field "spec.a"` for each member that an object of valid JSON text has more than once,
 * of a document that no message describes. Older releases leave out the path to the member.
 */
export function repeatedMembers(text: string): string[] {
  return new StrictScan(text, TELLS_PATHS).run(ANY);
}

const TELLS_PATHS = ownRelease().has('pathsOfRepeated');

const ANY: StrictAny = { kind: 'any' };
const ANY_LIST: StrictList = { kind: 'list', open: '[', close: ']', value: ANY };
const ANY_MAP: StrictMap = { kind: 'map', open: '{', close: '}', value: ANY };

/** The error text of `Strict`; `yamlProblems` are those of `readYamlText`. */
export function strictDecodingError(
  yamlProblems: readonly string[],
  problems: readonly string[],
): string {
  const errors = [...problems];
  if (yamlProblems.length > 0) {
    errors.unshift(['yaml: unmarshal errors:', ...yamlProblems].join('\n  '));
  }
  return `strict decoding error: ${errors.join(', ')}`;
}

/** A value that is being read. */
interface Frame {
  readonly shape: StrictMessage | StrictList | StrictMap;
  readonly seen: SeenNames;
  /** The member or the index at which reading is. */
  step: string | number;
}

/** Reads the text once. The open values are a list, not calls: no depth exhausts the stack. */
class StrictScan {
  readonly #cursor: JsonCursor;
  readonly #frames: Frame[] = [];
  readonly #problems = new Set<string>();
  readonly #tellsPaths: boolean;
  #characters = 0;

  constructor(text: string, tellsPaths = true) {
    this.#cursor = new JsonCursor(text);
    this.#tellsPaths = tellsPaths;
  }

  run(root: StrictMessage | StrictAny): string[] {
    this.#cursor.skipSpace();
    this.#value(root);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (this.#isFull()) break;
      const { shape } = frame;
      if (this.#cursor.leaves(shape.close)) this.#frames.pop();
      else if (shape.kind === 'list') {
        frame.step = Number(frame.step) + 1;
        this.#value(shape.value);
      } else this.#member(shape, frame);
    }
    return [...this.#problems];
  }

  /** A value of another JSON type than its shape is null, or decoding refuses it. */
  #value(value: StrictValue): void {
    const shape = value?.kind === 'any' ? anyShape(this.#cursor.peek()) : value;
    if (shape === undefined || this.#cursor.peek() !== shape.open) {
      this.#cursor.skipValue();
      return;
    }
    this.#cursor.enter();
    this.#frames.push({ shape, seen: new SeenNames(), step: -1 });
  }

  #member(shape: StrictMessage | StrictMap, frame: Frame): void {
    const name = this.#cursor.takeKey();
    const member = shape.kind === 'map' ? mapMember(name, shape) : shape.members.get(name);
    frame.step = member?.name ?? name;
    if (member === undefined) this.#report('unknown field');
    else if (!frame.seen.add(member.name)) this.#report('duplicate field');
    this.#value(member?.value);
  }

  #report(what: string): void {
    let path = '';
    const frames = this.#tellsPaths ? this.#frames : this.#frames.slice(-1);
    for (const [depth, { step }] of frames.entries()) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += depth === 0 ? step : `.${step}`;
    }
    const problem = `${what} ${quoteText(path)}`;
    this.#problems.add(problem);
    this.#characters += problem.length;
  }

  #isFull(): boolean {
    return this.#problems.size >= STRICT_PROBLEMS_MAX || this.#characters > PROBLEM_CHARACTERS_MAX;
  }
}

function anyShape(first: string): StrictMap | StrictList {
  return first === '[' ? ANY_LIST : ANY_MAP;
}

function mapMember(key: string, { value }: StrictMap): StrictMember {
  return { name: wellFormed(key), value };
}

/** For more names than this a set is faster than a list. */
const FEW = 16;

/** The names of an object that were read so far; most objects have few. */
class SeenNames {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False when the name was there already. */
  add(name: string): boolean {
    if (this.#many !== undefined) {
      const { size } = this.#many;
      return this.#many.add(name).size > size;
    }
    if (this.#few.includes(name)) return false;
    this.#few.push(name);
    if (this.#few.length > FEW) this.#many = new Set(this.#few);
    return true;
  }
}
