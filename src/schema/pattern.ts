/**
 * Patterns of schemas: RE2, as the reference matches them, in time that grows with the length of
 * the text only (README.md#patterns).
 */
import type { RE2JS } from 're2js';
import { re2Package } from '../base/text/re2.ts';
import { isPlainPattern } from './plain-pattern.ts';

/**
 * A pattern that is larger, with its repetitions written out, takes too long to compile on a
 * serving thread.
 */
const EXPANDED_SIZE_MAX = 20_000;
/** Added to the size of every pattern that is compiled, in characters. */
const COMPILE_OVERHEAD = 60;
/**
 * The most patterns that are kept compiled. One takes 8 MB at most, and a few KB when texts are
 * short.
 */
const KEPT_MAX = 256;
/**
 * A compiled pattern grows with each text that it matches: after so many steps it is compiled anew.
 */
const STEPS_MAX = 10_000_000;

/** A pattern that is no regular expression; the message is the reference's. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const TOO_LARGE = new PatternError('error parsing regexp: expression too large');

interface Compiled {
  readonly expression: RE2JS;
  readonly size: number;
  stepsLeft: number;
}

const KEPT = new Map<string, Compiled | PatternError>();

/** The instructions that may be run to match the text: of 10 ns each at worst, mostly of 1 ns. */
export function matchSteps(pattern: string, text: string): number {
  const compiled = compiledPattern(pattern);
  return compiled instanceof PatternError ? 1 : compiled.size * (text.length + 1);
}

/** Whether the pattern matches somewhere in the text. Throws a PatternError. */
export function matchesPattern(pattern: string, text: string): boolean {
  const compiled = compiledPattern(pattern);
  if (compiled instanceof PatternError) throw compiled;
  compiled.stepsLeft -= compiled.size * (text.length + 1);
  if (compiled.stepsLeft < 0) KEPT.delete(pattern);
  return compiled.expression.test(text);
}

/** The matches of the pattern in the text, at most `limit`. Throws a PatternError. */
export function findPattern(pattern: string, text: string, limit: number): string[] {
  const compiled = compiledPattern(pattern);
  if (compiled instanceof PatternError) throw compiled;
  compiled.stepsLeft -= compiled.size * (text.length + 1);
  if (compiled.stepsLeft < 0) KEPT.delete(pattern);
  const matcher = compiled.expression.matcher(text);
  const found: string[] = [];
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

/** Why the pattern is no regular expression; undefined when it is one. */
export function patternProblem(pattern: string): string | undefined {
  if (isPlainPattern(pattern) && expandedSize(pattern) <= EXPANDED_SIZE_MAX) return undefined;
  const compiled = compiledPattern(pattern);
  return compiled instanceof PatternError ? compiled.message : undefined;
}

/** The characters that may still be compiled: see `withCompileBudget`. */
let budget = Number.POSITIVE_INFINITY;

/**
 * Runs `run`, which may compile `size` characters and classes of patterns: about a million in a
 * second. Any further pattern is too large.
 */
export function withCompileBudget<T>(size: number, run: () => T): T {
  const outer = budget;
  budget = size;
  try {
    return run();
  } finally {
    budget = outer;
  }
}

function compiledPattern(pattern: string): Compiled | PatternError {
  const kept = KEPT.get(pattern);
  if (kept !== undefined) return kept;
  const size = expandedSize(pattern);
  budget -= size + COMPILE_OVERHEAD;
  if (budget < 0) return TOO_LARGE;
  const compiled = size > EXPANDED_SIZE_MAX ? TOO_LARGE : compile(pattern);
  if (KEPT.size >= KEPT_MAX) KEPT.delete(KEPT.keys().next().value as string);
  KEPT.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): Compiled | PatternError {
  const { RE2JS, RE2JSException } = re2Package();
  try {
    const expression = RE2JS.compile(pattern);
    return { expression, size: expression.programSize(), stepsLeft: STEPS_MAX };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return new PatternError(error.message);
  }
}

const REPETITION = /\{(\d+)(?:,(\d*))?\}/y;
/**
 * A character class. Its first bracket may be a character; it may have escapes, and names such as
 * `[:alpha:]`.
 */
const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/y;

/** About how many characters and classes the pattern has when all repetitions are written out. */
function expandedSize(pattern: string): number {
  const outer: number[] = [];
  let size = 0;
  let last = 0;
  let mayHaveClass = true;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '(') {
      outer.push(size);
      size = 0;
      continue;
    }
    if (character === ')') {
      last = size;
      size += outer.pop() ?? 0;
      continue;
    }
    const repetition = character === '{' ? matchAt(REPETITION, pattern, at) : undefined;
    if (repetition !== undefined) {
      const [text, least, most] = repetition;
      size += last * (Math.max(Number(least), Number(most ?? 0)) - 1);
      at += text.length - 1;
      continue;
    }
    last = 1;
    size += 1;
    if (character === '\\') at += 1;
    else if (character === '[' && mayHaveClass) {
      const found = matchAt(CLASS, pattern, at);
      // If this class has no end, none after it has one: searching again for each would be
      // quadratic.
      if (found === undefined) mayHaveClass = false;
      else at += found[0].length - 1;
    }
  }
  return size + outer.reduce((total, one) => total + one, 0);
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
