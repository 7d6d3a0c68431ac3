/** The column of Tables that tells the state of claims. */
import { ownRelease } from '../../release/release.ts';
import { text } from '../printer.ts';

const TELLS_DEALLOCATION = ownRelease().has('deallocatedByDrivers');

/** Only the releases that tell of it have the member. */
const REQUESTED = TELLS_DEALLOCATION ? ' deallocationRequested' : '';

/** `part` is some member of an allocation: not all of them can be read alone. */
export function stateOfClaim(part: string): ReturnType<typeof text> {
  return text(
    'State',
    'Whether it is allocated, and in use.',
    `metadata.deletionTimestamp status{allocation{${part}} reservedFor{uid}${REQUESTED}}`,
    stateOf,
  );
}

interface ShownStatus {
  readonly allocation?: object;
  readonly reservedFor?: readonly object[];
  readonly deallocationRequested?: boolean;
}

function stateOf(
  deleted?: string,
  { allocation, reservedFor = [], deallocationRequested = false }: ShownStatus = {},
): string {
  const isDeleted = deleted !== undefined;
  const states = isDeleted ? ['deleted'] : [];
  if (allocation === undefined) return isDeleted ? 'deleted' : 'pending';
  states.push('allocated');
  if (reservedFor.length > 0) states.push('reserved');
  else if (TELLS_DEALLOCATION && (isDeleted || deallocationRequested)) states.push('deallocating');
  return states.join(',');
}
