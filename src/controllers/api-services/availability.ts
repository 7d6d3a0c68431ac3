/** What the condition `Available` of an APIService says, but for its time. */

export interface Availability {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const LOCAL: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

export const PASSED: Availability = {
  status: 'True',
  reason: 'Passed',
  message: 'all checks passed',
};

/** The server has not answered as it should: it is asked again before anything changes. */
export const FAILED_CHECK = 'FailedDiscoveryCheck';

export function unavailable(reason: string, message: string): Availability {
  return { status: 'False', reason, message };
}

export function unknown(reason: string, message: string): Availability {
  return { status: 'Unknown', reason, message };
}

/** Whether only a change of objects, or the next look, can make it otherwise. */
export function isFinal({ reason }: Availability): boolean {
  return reason !== FAILED_CHECK;
}
