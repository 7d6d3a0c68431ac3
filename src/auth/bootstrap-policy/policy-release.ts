/** Which rows of the tables a release has (README.md#tables). */
import { isIn } from '../../release/life.ts';

/** The policy depends on these. */
export interface PolicyRelease {
  readonly minor: number;
  /** The features that are on. */
  readonly gates: ReadonlySet<string>;
}

const WITH_LIVES = /^(?<text>.*) \[(?<lives>[^\]]*)\]$/;
const MINORS = /^(?<since>\d*)-(?<until>\d*)$/;
const GATED_WORD = /^(?<word>.+)@(?<gate>\w+)$/;

/** A cell as the release has it, without its lives; undefined where the release does not. */
export function cellIn(cell: string, release: PolicyRelease): string | undefined {
  const { text = cell, lives } = WITH_LIVES.exec(cell)?.groups ?? {};
  const isThere = lives?.split(', ').some((life) => isLife(life, release)) ?? true;
  return isThere ? text : undefined;
}

/** The words of a cell, but for those whose gate is off. */
export function wordsIn(cell: string, { gates }: PolicyRelease): string[] {
  return cell.split(' ').flatMap((word) => {
    const gated = GATED_WORD.exec(word)?.groups;
    if (gated === undefined) return [word];
    return gates.has(gated['gate'] ?? '') ? [gated['word'] ?? ''] : [];
  });
}

function isLife(life: string, { minor, gates }: PolicyRelease): boolean {
  const words = life.split(' ');
  const { since = '', until = '' } = MINORS.exec(words[0] ?? '')?.groups ?? {};
  const needed = words.filter((word) => !MINORS.test(word));
  const span = { since: Number(since), until: until === '' ? Infinity : Number(until) };
  return isIn(span, minor) && needed.every((gate) => gates.has(gate));
}
