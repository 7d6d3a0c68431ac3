/**
 * A thread that reads: it has a quarter of the stack of those of a server, so that what it takes is
 * far from the end of theirs. What comes to the end of this one is told as a failure, where the
 * runtime lives to tell it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderModule } from './reader.ts';
import type { Reading, ReadOutcome } from './reading.ts';
import { LongestTurn } from './turns.ts';

const { READERS } = (await import(workerData as string)) as ReaderModule;
const byName = new Map(READERS.map((reader) => [reader.name, reader]));
const STACK_END = /call stack|too much recursion/i;

async function read({ reader, text }: Reading): Promise<ReadOutcome> {
  const found = byName.get(reader);
  if (found === undefined) throw new Error(`there is no reader ${reader}`);
  const turns = new LongestTurn();
  let outcome: string;
  let failed = false;
  try {
    outcome = await found.read(text);
  } catch (error) {
    outcome = (error as Error).stack ?? String(error);
    failed = true;
  }
  failed ||= STACK_END.test(outcome);
  return { outcome, failed, milliseconds: await turns.end() };
}

parentPort?.on('message', (reading: Reading) => {
  void read(reading).then((outcome) => parentPort?.postMessage(outcome));
});
