/**
 * Gives an object values that no two of its kind may share, before those are asked who only look at
 * what is to be written. Where the write comes to nothing they are free again.
 */
import type { Reservation } from '../../resources/allocator.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { refuseInvalid } from '../../proposals/invalid.ts';
import type { Steps } from '../../proposals/steps.ts';
import type { Asked } from '../../proposals/proposed.ts';
import type { Write } from './write.ts';

export interface Allocating {
  readonly object: ApiObject;
  readonly stored: ApiObject | undefined;
  readonly dryRun: boolean;
}

/** Does nothing for most kinds. Throws StatusError 422 and 500. */
export function* allocate(
  write: Write,
  admission: Pick<Asked, 'whenSettled'>,
  allocating: Allocating,
): Steps<void> {
  const { shard } = write;
  if (shard.allocator === undefined) return;
  yield* reserve(write, admission, allocating);
  const { object, stored, dryRun } = allocating;
  refuseInvalid(shard.kind, object, shard.allocator.allocate(object, stored, dryRun));
  shard.allocating.add(object);
  admission.whenSettled((isDone) => {
    shard.allocating.delete(object);
    if (!isDone || dryRun) shard.allocator?.release(object, stored);
  });
}

/** Has the allocator make the objects that hold values, where there are such. */
function* reserve(
  { shard }: Write,
  admission: Pick<Asked, 'whenSettled'>,
  { object, stored, dryRun }: Allocating,
): Steps<void> {
  const reserving = shard.allocator?.reserve?.(object, stored, dryRun);
  if (reserving === undefined) return;
  let reserved: Reservation | undefined;
  yield reserving.then((reservation) => {
    reserved = reservation;
    admission.whenSettled((isDone) => {
      if (!isDone) reservation.undo();
    });
  });
  refuseInvalid(shard.kind, object, reserved?.errors ?? []);
}
