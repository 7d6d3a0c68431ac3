/** `--runtime-config`: which versions and resources are served (SPEC Groups and paths). */
import type { ServedType } from './served-types.ts';

/** A pair that is no `<key>[=true|false]`, or a key that names nothing. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/**
 * The types that comma-separated pairs leave switched on. A key is `<group>/<version>` (`v1` for
 * the core group) or that with `/<resource>`, which wins; without a value it means true. Throws
 * `RuntimeConfigError`.
 */
export function enabledTypes(types: readonly ServedType[], text: string): readonly ServedType[] {
  const switches = new Map<string, boolean>();
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const [key = '', value = 'true', ...more] = pair.trim().split('=');
    const named = types.some(
      ({ groupVersion, definition }) =>
        key === groupVersion || key === `${groupVersion}/${definition.plural}`,
    );
    if (!named || more.length > 0 || (value !== 'true' && value !== 'false')) {
      throw new RuntimeConfigError(
        `"${pair}" in --runtime-config names no version or resource that this server has ` +
          'as <group>/<version>[/<resource>]=true or =false',
      );
    }
    switches.set(key, value === 'true');
  }
  return types.filter(({ groupVersion, definition }) => {
    const ofVersion = switches.get(groupVersion) ?? true;
    return switches.get(`${groupVersion}/${definition.plural}`) ?? ofVersion;
  });
}
