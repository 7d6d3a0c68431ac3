/** What snapshots ask of the main thread and of shards (src/laboratory/README.md#snapshots). */

/** What a restore writes, of one type. */
export interface RestoredCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** An object at two versions; null where there was none. */
export interface ObjectDifference {
  readonly namespace: string;
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Calls to a shard. */
export interface SnapshotCalls {
  /**
   * Keeps from now on what was so at this version or has been since; 0 for nothing. Answers with
   * the version from which on all that was is known.
   */
  hold: { request: { from: number }; reply: { horizon: number } };
  /** How many versions are kept that nobody would without it. */
  held: { request: undefined; reply: { versions: number } };
  /** The uids of all objects at that version. Fails with StatusError. */
  uids: { request: { version: number }; reply: readonly string[] };
  /** Writes the state at that version; answers when it is in force. Fails with StatusError. */
  restore: { request: { version: number; dryRun: boolean }; reply: RestoredCounts };
  /** `to` absent is now. Fails with StatusError. */
  diff: { request: { from: number; to?: number }; reply: readonly ObjectDifference[] };
}

export interface SnapshotVerb {
  readonly verb: keyof SnapshotCalls;
  readonly request: unknown;
}

/** What the laboratory asks of the main thread; it answers with the document. */
export type SnapshotRequest =
  | { readonly ask: 'create' | 'get' | 'delete'; readonly name: string }
  | { readonly ask: 'list' | 'forks' }
  | {
      readonly ask: 'fork';
      readonly name: string;
      readonly port: number;
      readonly ahead: number | undefined;
    }
  | { readonly ask: 'endFork'; readonly name: string }
  | { readonly ask: 'restore'; readonly name: string; readonly dryRun: boolean }
  | { readonly ask: 'diff'; readonly from: string; readonly to: string };
