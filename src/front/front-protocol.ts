/** The calls of the main thread to a front, and those of a front to the main thread. */
import type { AuthenticationSettings } from '../auth/authentication/authenticators.ts';
import type { SnapshotRequest } from '../protocol/snapshot-protocol.ts';
import type { CustomTypeFacts } from '../types/custom/custom-type-facts.ts';
import type { HealthPath, Outcome } from './documents/health.ts';
import type { FlowDump } from './flows/flow-dumps.ts';
import type { RootPage } from './documents/root-page.ts';
import type { Tls } from './transport/tls.ts';

/** The name by which a task knows the actor of a front. */
export const FRONT_ACTOR = 'front';

/** The facts that are known once all that a front needs has started. */
export interface Opening {
  /** Absent where there is no HTTPS. */
  readonly tls?: Tls;
  /** As documents name the server. */
  readonly serverUrl: string;
  readonly rootPage: RootPage;
  readonly authentication: AuthenticationSettings;
}

/** A server of those that share a store. */
export interface ServerRow {
  readonly id: string;
  /** Where the others reach it. */
  readonly address: string;
  readonly role: 'owner' | 'follower';
  /** Whether it is the one that tells. */
  readonly self: boolean;
  /** The revision of the journal when it last told of itself. */
  readonly revision: number;
  /** The objects that its view has read, as long as that is not whole. */
  readonly reading?: { readonly read: number; readonly of: number };
}

export interface BackupBegun {
  readonly id: string;
  /** All types are as of this resourceVersion. */
  readonly version: number;
  /** Objects of all types when it began. */
  readonly objects: number;
}

export interface FrontCalls {
  /** Answers once connections are taken; fails with a ListenError. */
  open: { request: Opening; reply: undefined };
  /** Answers once it knows all objects that it follows (src/replicas/README.md#replicas). */
  informed: { request: undefined; reply: undefined };
  /**
   * Custom types have come, or are served otherwise than before: from the answer on so is every
   * request. The ports to their shards were given before.
   */
  typesServed: { request: readonly CustomTypeFacts[]; reply: undefined };
  /**
   * Answers when all watches of a custom type have been sent what has happened up to now, or have
   * ended; after a while in any case.
   */
  typeSettled: { request: { name: string }; reply: undefined };
  /** From the answer on nobody is served the type, and its watches have ended. */
  typeGone: { request: { name: string }; reply: undefined };
  /** Answers with what its flow control has now. */
  flowDump: { request: undefined; reply: FlowDump | undefined };
  /** Takes no new connections. */
  stopListening: { request: undefined; reply: undefined };
  /** Ends the watches; answers once all requests are answered. */
  finish: { request: undefined; reply: undefined };
  /** Cuts all connections, and ends the actor. */
  stop: { request: undefined; reply: undefined };
}

export const FRONT_VERBS = [
  'open',
  'informed',
  'typesServed',
  'typeSettled',
  'typeGone',
  'flowDump',
  'stopListening',
  'finish',
  'stop',
] as const satisfies readonly (keyof FrontCalls)[];

/**
 * A port to the shard of a type, for whom it is given to: a front is given one for its requests to
 * each shard, and gives main the other end of one for what it wants to know besides.
 */
export interface FrontPort {
  readonly shard: string;
}

export interface FrontEvents {
  /**
   * The reply says why the health check does not pass. An error would bring its stack along, and
   * that costs both threads the source maps of the program, at a time when probes fail often.
   */
  check: { request: { name: string; path: HealthPath }; reply: { reason?: string } };
  /** Tells of the health checks of a request. */
  healthSeen: { request: { path: HealthPath; outcomes: readonly Outcome[] }; reply: undefined };
  /** Answers with the servers that share the store; with none where no other does. */
  servers: { request: undefined; reply: readonly ServerRow[] | undefined };
  /** Answers with what flow control has now, of all fronts. */
  flowDumps: { request: undefined; reply: readonly FlowDump[] };
  /** Answers once another server may own all types; fails where this one does not. */
  resign: { request: undefined; reply: undefined };
  /** Begins a backup of all types. Fails with StatusError where there are too many. */
  backupBegin: { request: undefined; reply: BackupBegun };
  /**
   * The body of the answer is the frame of a backup of that number, from 0 on; empty after the last
   * one. The one before may be asked for once more. Fails with StatusError.
   */
  backupFrame: { request: { id: string; frame: number }; reply: undefined };
  /** Nobody wants more of a backup. */
  backupEnd: { request: { id: string }; reply: undefined };
  /** Answers with the document. Fails with StatusError. */
  snapshots: { request: SnapshotRequest; reply: object };
  /** The body of the answer is the documents that describe built-in types. */
  describe: { request: undefined; reply: undefined };
}

export const FRONT_EVENTS = [
  'check',
  'healthSeen',
  'servers',
  'flowDumps',
  'resign',
  'backupBegin',
  'backupFrame',
  'backupEnd',
  'snapshots',
  'describe',
] as const satisfies readonly (keyof FrontEvents)[];
