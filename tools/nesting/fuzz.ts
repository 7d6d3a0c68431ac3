/** Texts that nest, to all readers in turns. */
import { Random } from '../../test/support/random.ts';
import type { Reader } from './reader.ts';
import type { ReadingProcess } from './reading.ts';
import { fewTexts, randomText } from './texts.ts';
import type { Nested } from './texts.ts';

/** Nobody else on its thread is served meanwhile. */
export const TURN_MS_MAX = 50;

export interface Finding {
  readonly reader: string;
  /** The parts of the text, in words. */
  readonly shown: string;
  readonly characters: number;
  readonly outcome: string;
  readonly failed: boolean;
  readonly milliseconds: number;
  /** A run with it reads this text first. */
  readonly seed: number;
}

/** Counts texts that were read, and keeps the slowest of each reader. */
export class Tally {
  readings = 0;
  failures = 0;
  longTurns = 0;
  readonly slowest = new Map<string, Finding>();

  add(finding: Finding): void {
    this.readings += 1;
    if (finding.failed) this.failures += 1;
    if (finding.milliseconds > TURN_MS_MAX) this.longTurns += 1;
    const before = this.slowest.get(finding.reader);
    if ((before?.milliseconds ?? -1) < finding.milliseconds) {
      this.slowest.set(finding.reader, finding);
    }
  }
}

async function readOne(
  process: ReadingProcess,
  reader: Reader,
  { text, shown }: Nested,
  seed: number,
): Promise<Finding> {
  const outcome = await process.read({ reader: reader.name, text });
  return { ...outcome, reader: reader.name, shown, characters: text.length, seed };
}

/** At least one random text; more until the time is over. Calls `tell` with each. */
export async function fuzz(
  process: ReadingProcess,
  readers: readonly Reader[],
  { seed: first, seconds }: { seed: number; seconds: number },
  tell: (finding: Finding) => void,
): Promise<Tally> {
  const tally = new Tally();
  const deadline = performance.now() + seconds * 1_000;
  for (let seed = first; seed === first || performance.now() < deadline; seed += 1) {
    const random = new Random(seed);
    const reader = readers[random.below(readers.length)] as Reader;
    const finding = await readOne(process, reader, randomText(reader.format, random), seed);
    tally.add(finding);
    tell(finding);
  }
  return tally;
}

/** Reads one of so many of the texts that are the same each time, each reader other ones. */
export async function readFew(
  process: ReadingProcess,
  readers: readonly Reader[],
  every: number,
  tell: (finding: Finding) => void,
): Promise<Tally> {
  const tally = new Tally();
  for (const [at, reader] of readers.entries()) {
    const texts = [...fewTexts(reader.format)];
    for (const [number, nested] of texts.entries()) {
      if ((number + at) % Math.min(every, texts.length) !== 0) continue;
      const finding = await readOne(process, reader, nested, 0);
      tally.add(finding);
      tell(finding);
    }
  }
  return tally;
}
