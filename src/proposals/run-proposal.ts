import { assert } from '../base/assert.ts';
import { Turn, type Steps } from './steps.ts';

/**
 * Runs the steps of a proposal that rests on no shard: in one turn, unless somebody is waited for.
 * Calls `done` with their result, or with what they throw.
 */
export function runProposal<T>(
  steps: Steps<T>,
  done: (error: Error | undefined, result: T | undefined) => void,
): void {
  let result: T;
  try {
    let step = steps.next();
    while (step.done !== true) {
      const need = step.value;
      if (need instanceof Promise) {
        need.then(
          () => runProposal(steps, done),
          (error: Error) => done(error, undefined),
        );
        return;
      }
      assert(need instanceof Turn, 'objects that nobody converts are proposed elsewhere');
      step = steps.next();
    }
    result = step.value;
  } catch (error) {
    done(error as Error, undefined);
    return;
  }
  done(undefined, result);
}
