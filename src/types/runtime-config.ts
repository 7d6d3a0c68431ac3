/**
 * `--runtime-config`: which versions and resources are served
 * (src/resources/README.md#versions).
 */
import type { ServedType } from './served-types.ts';

/** A pair that is no `<key>[=true|false]`, or a key that names nothing. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/**
 * The types that comma-separated pairs leave switched on. A key is `<group>/<version>` (`v1` for
 * the core group) or that with `/<resource>`, which wins; without a value it means true. `warn` is
 * told of versions that this server does not have, which come and go with releases. Throws
 * `RuntimeConfigError`.
 */
export function enabledTypes(
  all: readonly ServedType[],
  text: string,
  warn: (line: string) => void = () => undefined,
): readonly ServedType[] {
  const keysOf = ({ groupVersion, definition }: ServedType): readonly [string, string] => [
    groupVersion,
    `${groupVersion}/${definition.plural}`,
  ];
  const known = new Set(all.flatMap(keysOf));
  const switches = new Map<string, boolean>();
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const [key = '', value = 'true', ...more] = pair.trim().split('=');
    const isSwitch = more.length === 0 && (value === 'true' || value === 'false');
    if (isSwitch && isMissingVersion(key, known)) {
      warn(`--runtime-config: this server has no version ${key}: ignored`);
    } else if (isSwitch && known.has(key)) {
      switches.set(key, value === 'true');
    } else {
      throw new RuntimeConfigError(
        `"${pair}" in --runtime-config names no version or resource that this server has ` +
          'as <group>/<version>[/<resource>]=true or =false',
      );
    }
  }
  return all.filter((type) => {
    const [ofVersion, ofResource] = keysOf(type);
    return switches.get(ofResource) ?? switches.get(ofVersion) ?? true;
  });
}

const VERSION = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;

/** Whether a key names a version, or a resource in one, that a known group does not have. */
function isMissingVersion(key: string, known: ReadonlySet<string>): boolean {
  const [first = '', ...rest] = key.split('/');
  const isCore = VERSION.test(first);
  const version = isCore ? first : (rest.shift() ?? '');
  const isGroup = isCore || [...known].some((other) => other.startsWith(`${first}/`));
  const groupVersion = isCore ? version : `${first}/${version}`;
  return isGroup && VERSION.test(version) && rest.length < 2 && !known.has(groupVersion);
}
