/**
 * Who opens many watches at once waits, so that others have their turns in between: the requests of
 * thousands may come in one turn of the event loop.
 */
import type { RequestContext } from '../request-context.ts';
import type { StageTools } from './stage.ts';

export function takeTurn(
  { attributes }: RequestContext,
  { watchTurns }: StageTools,
): void | Promise<void> {
  if (attributes.verb !== 'watch') return;
  let isNow = false as boolean;
  let goOn: (() => void) | undefined;
  watchTurns.add(() => {
    isNow = true;
    goOn?.();
    return 1;
  });
  if (!isNow) return new Promise((resolve) => (goOn = resolve));
}
