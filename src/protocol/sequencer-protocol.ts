/**
 * The calls to the sequencer. It leases blocks of resourceVersions: the number up to which versions
 * may be seen by clients is on the disk before the first of them is, so that a restart after any
 * crash counts on from above every number that anybody has seen.
 */
export interface SequencerCalls {
  /** Answers with the leased limit once it is durable and at least `atLeast`. */
  lease: { request: { atLeast: number }; reply: { limit: number } };
  /** Commits something small, and answers with the leased limit: both work. */
  probe: { request: undefined; reply: { leased: number } };
  /** Begins to lease: this server owns all types. */
  takeOver: { request: undefined; reply: undefined };
  /** Stores the exact counter, so that a clean restart skips nothing, and ends the actor. */
  stop: { request: undefined; reply: undefined };
}

export const SEQUENCER_VERBS = ['lease', 'probe', 'takeOver', 'stop'] as const;

/** The events that the sequencer sends to holders of a link to it. */
export interface SequencerEvents {
  /**
   * The counter stands above every version ever seen, and the first block is leased, unless another
   * server leases.
   */
  started: { request: undefined; reply: undefined };
}

export const SEQUENCER_EVENTS = ['started'] as const;
