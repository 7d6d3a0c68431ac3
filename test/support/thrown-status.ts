/** The Status that something is refused with, as tests compare it. */
import { StatusError } from '../../src/semantics/errors/status.ts';
import type { Status } from '../../src/semantics/errors/status.ts';

function statusOf(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  throw error;
}

/** Gives the Status that a call throws; throws itself when it does not, or throws anything else. */
export function thrownStatus(call: () => unknown): Status {
  try {
    call();
  } catch (error) {
    return statusOf(error);
  }
  throw new Error('it was not refused');
}

/** Gives the Status of a promise that rejects. */
export async function refusal(outcome: Promise<unknown>): Promise<Status> {
  try {
    await outcome;
  } catch (error) {
    return statusOf(error);
  }
  throw new Error('it was not refused');
}
