/** Compares the facts of two APIs, and says which differences are accepted. */
import type { Facts } from './facts.ts';

/** A subject of which the two say different things. */
export interface FactDifference {
  readonly subject: string;
  /** The fact as it is said here; undefined for none. */
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
  /** Why it is accepted. */
  readonly reason?: string;
}

export interface AcceptedFact {
  /** The first release of which it is so, and the first of which it no longer is: 27 for 1.27. */
  readonly since?: number;
  readonly until?: number;
  readonly subjects: RegExp;
  /** The change, as `changeText` has it; any where it is absent. */
  readonly change?: RegExp;
  readonly reason: string;
}

const NOTHING = 'nothing';

/** In the order of subjects. */
export function factDifferences(
  ours: Facts,
  theirs: Facts,
  accepted: readonly AcceptedFact[],
  minor: number,
): readonly FactDifference[] {
  const current = accepted.filter(
    ({ since = 0, until = Infinity }) => since <= minor && minor < until,
  );
  const subjects = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  return subjects
    .map((subject) => ({ subject, ours: ours.get(subject), theirs: theirs.get(subject) }))
    .filter((one) => one.ours !== one.theirs)
    .map((one): FactDifference => {
      const found = current.find(
        ({ subjects: those, change }) =>
          those.test(one.subject) && (change === undefined || change.test(changeText(one))),
      );
      return found === undefined ? one : { ...one, reason: found.reason };
    });
}

/** The words that only one of the two says: `default="" → nothing`, `nothing → core.v1.Pod`. */
export function changeText({ ours, theirs }: FactDifference): string {
  const [here, there] = [wordsOf(ours), wordsOf(theirs)];
  const only = (these: readonly string[], those: readonly string[]): string =>
    these.filter((word) => !those.includes(word)).join(' ') || NOTHING;
  const change = `${only(here, there)} → ${only(there, here)}`;
  // A difference in the order of words alone is told whole.
  return change === `${NOTHING} → ${NOTHING}` ? `${ours} → ${theirs}` : change;
}

function wordsOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(' ');
}

const EXAMPLES_MAX = 8;

/** For people: one paragraph for each change, over all subjects of which it is so. */
export function differencesText(differences: readonly FactDifference[]): string {
  const groups = [...Map.groupBy(differences, groupText)];
  const paragraphs = groups
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([text, alike]) => {
      const more = alike.length > EXAMPLES_MAX ? `, and ${alike.length - EXAMPLES_MAX} more` : '';
      const where = alike.slice(0, EXAMPLES_MAX).map(({ subject }) => subject);
      return `${alike.length} × ${text}\n    of ${where.join(', ')}${more}`;
    });
  return paragraphs.join('\n\n');
}

/** Facts of one side only are told by their section: how many there are says more. */
function groupText(difference: FactDifference): string {
  const { subject, ours, theirs, reason = '' } = difference;
  const [section = ''] = subject.split(' ');
  const what = subject.endsWith(' how') ? `${section} how` : section;
  const accepted = reason === '' ? '' : ` (${reason})`;
  if (ours === undefined) return `${what}: missing here${accepted}`;
  if (theirs === undefined) return `${what}: only here${accepted}`;
  return `${what}: ${changeText(difference)}${accepted}`;
}
