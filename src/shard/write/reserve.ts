/**
 * Has an allocator make the objects that hold values of an object, before it is written. They go
 * again where the write comes to nothing.
 */
import type { Reservation } from '../../resources/allocator.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { refuseInvalid } from './invalid.ts';
import type { Asked, Steps, Write } from './write.ts';

export interface Reserving {
  readonly object: ApiObject;
  readonly stored: ApiObject | undefined;
  readonly dryRun: boolean;
}

/** Nobody is waited for where the kind holds nothing so. Throws StatusError 422 and 500. */
export function* reserve(
  { shard }: Write,
  admission: Pick<Asked, 'whenSettled'>,
  { object, stored, dryRun }: Reserving,
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
