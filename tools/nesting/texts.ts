/** Texts that nest: what levels each format has, and texts of many of them. */
import type { Random } from '../../test/support/random.ts';

interface Level {
  readonly open: string;
  readonly close: string;
}

export interface Format {
  readonly levels: readonly Level[];
  /** The text of the innermost level. */
  readonly leaf: string;
  /** The innermost level of a large text: it shows what is done with all of it at each level. */
  readonly largeLeaf?: string;
  /** As long as a text of the format may get to a reader. */
  readonly lengthMax: number;
  /** About as deep as texts may nest that are not refused, in levels of one thing each. */
  readonly depths: readonly number[];
}

/** `open…close`, where either may be empty, and a space is `␠`. */
function levels(...written: readonly string[]): Level[] {
  return written
    .flatMap((line) => line.split(' '))
    .map((one) => {
      const [open = '', close = ''] = one.replaceAll('␠', ' ').split('…');
      return { open, close };
    });
}

const MEBIBYTE = 1024 * 1024;
const BODY = 3 * MEBIBYTE;
const MANY_CHARACTERS = 'a'.repeat(MEBIBYTE);
const MANY_OBJECTS = '{"a":1},'.repeat(200_000);

export const FORMATS = {
  json: {
    levels: levels(
      '[…] {"a":…} [0,…] {"b":0,"a":…} [[],…] {"\u00e9":…} ["\\b<",…]',
      '{"a":12345678901234567890,"b":…} {"metadata":…} {"$patch":"merge","a":…}',
    ),
    leaf: '1',
    largeLeaf: `[${MANY_OBJECTS}1]`,
    lengthMax: BODY,
    depths: [9_980, 9_980, 9_980, 200_000],
  },
  members: {
    levels: levels('{"a":…} {"b":0,"a":…} {"a":[…]} {"a/b":…} {"__proto__":…}'),
    leaf: '{}',
    largeLeaf: `{"${MANY_CHARACTERS}":[${MANY_OBJECTS}1]}`,
    lengthMax: BODY,
    depths: [9_980, 4_980, 200_000],
  },
  schema: {
    levels: levels(
      '{"type":"object","properties":{"a":…}} {"type":"array","items":…}',
      '{"type":"object","additionalProperties":…} {"items":[…]} {"dependencies":{"a":…}}',
      '{"definitions":{"a":…}} {"type":"object","default":{},"properties":{"a":…}}',
      '{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"spec":…}}',
      '{"type":"object","x-kubernetes-validations":[{"rule":"true"}],"properties":{"a":…}}',
      '{"type":"object","maximum":12345678901234567890,"properties":{"a":…}}',
    ),
    leaf: '{"type":"object"}',
    largeLeaf: `{"type":"object","description":"${MANY_CHARACTERS}"}`,
    lengthMax: BODY,
    depths: [4_980, 4_970, 9_960, 490],
  },
  restrictions: {
    levels: levels('{"not":…} {"allOf":[…]} {"anyOf":[{},…]} {"oneOf":[…]}'),
    leaf: '{}',
    largeLeaf: `{"pattern":"${MANY_CHARACTERS}"}`,
    lengthMax: BODY,
    depths: [4_980, 4_970, 9_960, 490],
  },
  yaml: {
    levels: levels(
      '-␠ ?␠ […] {…} {a:␠…} [a:␠…] [?␠…] &a␠-␠ !t␠?␠ :␠ -␠a:␠ " \' |␠ \n -␠&a *a␠ #␠ \t',
      '?␠a\n:␠ ---\n <<:␠',
    ),
    leaf: 'a',
    lengthMax: 256 * 1024,
    depths: [499, 249, 501, 30_000],
  },
  yamlLines: {
    levels: levels('a:\n -\n ?\n -␠a:\n ?␠-\n a:␠&b\n -␠!t\n a:␠[\n |\n'),
    leaf: 'a',
    lengthMax: 256 * 1024,
    depths: [249, 499, 501],
  },
  fields: {
    levels: levels('{"f:a":…} {"k:{\\"a\\":1}":…} {"v:\\"a\\"":…} {"i:0":…} {".":{},"f:a":…}'),
    leaf: '{}',
    lengthMax: BODY,
    depths: [490, 9_900, 498, 200_000],
  },
  rule: {
    levels: levels(
      '(…) ! - […] {1:…} [1].all(x,…) [1].map(x,…) true?…:true 1+ true|| dyn(…) self.a[…]',
      '…[0] ….a ….a() a{b:…} "a"+ 1== """',
    ),
    leaf: 'true',
    lengthMax: 100_000,
    depths: [190, 990, 20_000],
  },
  pattern: {
    levels: levels(
      '(…) (?:…) (a|…) […] [^…] [[:a (?i:…) (…)* (?:…){1,2} (…)? (?P<n>…) a* a| \\ \\Q',
      '.{0,9} [a- \\p{ {1 [\\',
    ),
    leaf: 'a',
    lengthMax: MEBIBYTE,
    depths: [90, 990, 6_000, 100_000],
  },
  path: {
    levels: levels(
      '.a [0] [?(@.a…)] ..a [*] [\'a\'] [a,…] {…} [0:1] [(…)] 1 [?(@.a=="…")] ␠ > \\ " $ @',
      '[?(…==1)] [-1:] 0. [␠,…]',
    ),
    leaf: 'a',
    lengthMax: MEBIBYTE,
    depths: [90, 4_000, 100_000],
  },
  selector: {
    levels: levels(
      'a␠in␠(…), a, !a, (…) a=b, a␠notin␠(b), a!=b, \\ \\, = , metadata.name= ␠ ! a/ . - 0',
    ),
    leaf: 'a',
    lengthMax: 60 * 1024,
    depths: [1_000, 20_000],
  },
  /** A field of a message for each character, of that number. */
  binary: {
    levels: levels(
      '\u001c \u0019 \u0018\u0001 \u0018\u0002 \u001e\u0002 \u001d\u0002 ␠\u0002\u0001',
      '\u001a \u0008 \u0001',
    ),
    leaf: '\u001c',
    lengthMax: 20_000,
    depths: [490, 160, 249, 15_000],
  },
  text: {
    levels: levels(
      '(…) "…" <…> a. @a : […] %41 / 0 1, ␠ - _ . 1h * a + E \\ \u00e9 = ; # \n :: \t {…}',
      'a@',
    ),
    leaf: 'a',
    lengthMax: MEBIBYTE,
    depths: [60, 4_000, 250_000],
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

/** Levels in turn, so many of them; lines are indented by their depth. */
export function nestedText(
  { leaf, lengthMax }: Format,
  turns: readonly Level[],
  depth: number,
  isClosed: boolean,
): string {
  const isInLines = turns.some(({ open }) => open.length > 1 && open.endsWith('\n'));
  const opens: string[] = [];
  const closes: string[] = [];
  let { length } = leaf;
  for (let level = 0; level < depth; level += 1) {
    const { open, close } = turns[level % turns.length] as Level;
    const indent = isInLines ? ' '.repeat(level) : '';
    length += indent.length + open.length + close.length;
    if (length > lengthMax) break;
    opens.push(indent + open);
    closes.push(close);
  }
  const end = isClosed ? closes.toReversed().join('') : '';
  return `${opens.join('')}${isInLines ? ' '.repeat(opens.length) : ''}${leaf}${end}`;
}

export interface Nested {
  readonly text: string;
  /** The parts of it, to make it again. */
  readonly shown: string;
}

function made(format: Format, turns: readonly Level[], depth: number, isClosed: boolean): Nested {
  const text = nestedText(format, turns, depth, isClosed);
  const shown = turns.map(({ open, close }) => JSON.stringify(`${open}…${close}`)).join(' ');
  return { text, shown: `${shown} × ${depth}${isClosed ? '' : ', open'}` };
}

function madeLarge(format: Format, turns: readonly Level[], depth: number): Nested {
  const leaf = format.largeLeaf ?? format.leaf;
  const { text, shown } = made({ ...format, leaf }, turns, depth, true);
  return { text, shown: `${shown} around ${leaf.length} characters` };
}

/** Gives the same few texts each time: each level alone or after the one before, and all depths. */
export function* fewTexts(name: FormatName): Iterable<Nested> {
  const format: Format = FORMATS[name];
  yield madeLarge(format, format.levels.slice(0, 1), format.depths[0] ?? 0);
  for (const [index, level] of format.levels.entries()) {
    const before = format.levels.at(index - 1) as Level;
    const depth = format.depths[index % format.depths.length] as number;
    yield made(format, index % 3 < 2 ? [level] : [before, level], depth, index % 5 !== 4);
  }
}

/** A text of one to three kinds of levels, from a few of them to as many as there may be. */
export function randomText(name: FormatName, random: Random): Nested {
  const format: Format = FORMATS[name];
  const turns = Array.from({ length: 1 + random.below(3) }, () => {
    return format.levels[random.below(format.levels.length)] as Level;
  });
  const deepest = Math.log(format.lengthMax / 2);
  const isNearBound = random.below(2) === 0;
  const bound = format.depths[random.below(format.depths.length)] as number;
  const depth = isNearBound ? bound + random.below(20) : Math.exp(random.fraction() * deepest);
  if (random.below(8) === 0) return madeLarge(format, turns, Math.ceil(depth));
  return made(format, turns, Math.ceil(depth), random.below(4) > 0);
}
