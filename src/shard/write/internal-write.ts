/** A write whose answer nobody reads: of a controller, or a part of a larger operation. */
import { StatusError } from '../../semantics/errors/status.ts';
import type { Shard } from '../state/shard.ts';
import type { ObjectReply } from '../../protocol/shard-protocol.ts';
import { runWrite, type Verb } from './driver.ts';

/** Called when what was staged could not be committed. */
export type Failed = (error: unknown) => void;

/**
 * Makes a write. Gives why it is refused, and undefined when it is staged or changes nothing; a
 * promise of that where somebody is waited for first. `replied` gets the header of the answer.
 */
export function writeInternally(
  shard: Shard,
  verb: Verb,
  failed: Failed,
  replied: (reply: ObjectReply) => void = () => undefined,
): StatusError | undefined | Promise<StatusError | undefined> {
  let isDecided = false;
  let refusal: StatusError | undefined;
  let settle: (() => void) | undefined;
  const decided = (): void => {
    isDecided = true;
    settle?.();
  };
  const fail = (error: unknown): void => {
    if (isDecided || !(error instanceof StatusError)) failed(error);
    else refusal = error;
    decided();
  };
  runWrite(shard, verb, { reply: replied, fail }, { decided });
  if (isDecided) return refusal;
  return new Promise((resolve) => (settle = () => resolve(refusal)));
}
