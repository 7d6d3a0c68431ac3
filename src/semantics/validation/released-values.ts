/** The values of an enumeration that the chosen release has. */
import { isIn, type Life } from '../../release/life.ts';
import { ownRelease } from '../../release/release.ts';

/** Each with its life, where it has one. The generated validators import it. */
export type ReleasedEnum = readonly (readonly [value: string, life?: Life])[];

export function releasedValues(values: ReleasedEnum): ReadonlySet<unknown> {
  const { minor } = ownRelease();
  return new Set(values.filter(([, life]) => isIn(life ?? {}, minor)).map(([value]) => value));
}
