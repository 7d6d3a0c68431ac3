/** Names of members in expressions: names that are no identifiers are escaped. */

const RESERVED: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package ' +
    'namespace return var void while'
  ).split(' '),
);
const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const UNESCAPES: Readonly<Record<string, string>> = {
  underscores: '__',
  dot: '.',
  dash: '-',
  slash: '/',
};

/** Undefined for a name that no expression can have. */
export function escapedName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (found) => ESCAPES[found] as string);
}

/** The name that this escaped one stands for; undefined for unknown escapes. */
export function unescapedName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let isSound = true;
  const name = escaped.replace(/__([^_]+)__/g, (whole, word: string) => {
    if (Object.hasOwn(UNESCAPES, word)) return UNESCAPES[word] as string;
    isSound &&= RESERVED.has(word) && whole === escaped;
    return word;
  });
  return isSound ? name : undefined;
}
