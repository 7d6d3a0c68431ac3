/** Texts of indexes of a Job: `1,3-5,7`, in ascending order. */

interface Indexes {
  readonly first: number;
  readonly last: number;
}

/** One part between commas: its indexes, or why it has none. */
type Interval = Indexes | { readonly problem: string };

const INTEGER = /^[+-]?[0-9]+$/;

/** How many indexes there are, each below `completions`, or why the text cannot be read. */
export function countIndexes(
  text: string,
  completions: number,
): { readonly count: number; readonly problem: string } {
  if (text === '') return { count: 0, problem: '' };
  let count = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if ('problem' in interval) return { count: 0, problem: interval.problem };
    const { first, last } = interval;
    if (previous !== undefined && previous >= first) {
      return { count: 0, problem: notAscending(previous, first) };
    }
    count += last - first + 1;
    previous = last;
  }
  return { count, problem: '' };
}

/** The first index that both texts have; parts that cannot be read have none. */
export function sharedIndex(
  completed: string,
  failed: string,
  completions: number,
): number | undefined {
  const [ofCompleted, ofFailed] = [completed, failed].map((text) => intervals(text, completions));
  let [a, b] = [0, 0];
  for (;;) {
    const one = ofCompleted?.[a];
    const other = ofFailed?.[b];
    if (one === undefined || other === undefined) return undefined;
    if (one.first <= other.last && other.first <= one.last) {
      return Math.max(one.first, other.first);
    }
    if (one.first <= other.first) a++;
    else b++;
  }
}

function intervals(text: string, completions: number): Indexes[] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    const interval = parseInterval(part, completions);
    return 'problem' in interval ? [] : [interval];
  });
}

function parseInterval(part: string, completions: number): Interval {
  const limits = part.split('-');
  if (limits.length > 2) {
    const problem =
      `the fragment ${JSON.stringify(part)} violates the requirement that an index interval can ` +
      "have at most two parts separated by '-'";
    return { problem };
  }
  const [first, last = first] = limits.map(Number);
  for (const limit of limits) {
    const problem = limitProblem(limit, completions);
    if (problem !== '') return { problem };
  }
  if (first === undefined || last === undefined) return { problem: '' };
  if (limits.length === 2 && first >= last) return { problem: notAscending(first, last) };
  return { first, last };
}

function limitProblem(limit: string, completions: number): string {
  const shown = JSON.stringify(limit);
  if (!INTEGER.test(limit)) return `cannot convert string to integer for index: ${shown}`;
  return Number(limit) >= completions ? `too large index: ${shown}` : '';
}

function notAscending(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
