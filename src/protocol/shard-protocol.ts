/**
 * The calls to a shard, its answers and its events. Types only, besides the verb lists that both
 * ends agree on. Bodies (objects, pages, frames) travel beside these headers as raw bytes.
 */
import type { ReadYaml } from '../codec/yaml/read-yaml.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import { ownManager } from '../semantics/dialect/own-names.ts';
import type { Said } from '../semantics/errors/status.ts';
import type { CustomTypeFacts } from '../types/custom/custom-type-facts.ts';
import type { SnapshotVerb } from './snapshot-protocol.ts';

/** In which version of the kind a request is made, and how it is answered. */
export interface View {
  /** Its place among the kind's served versions; absent for the stored one. */
  readonly version?: number;
  /** Absent is plain JSON. */
  readonly form?: Form;
  /** When it was sent (`wallClockMs`), if the answer is to say what took how long. */
  readonly sentMs?: number;
}

/** The object or collection that a request names; '' where it names none. */
export interface Target extends View {
  readonly namespace: string;
  readonly name: string;
}

export interface GetRequest extends Target {
  /** '' for the object itself. */
  readonly subresource: string;
  /** As in the query; '' when absent. */
  readonly resourceVersion: string;
  /** The answer is as of this version; absent for the newest. */
  readonly at?: number;
}

/** The format in which the body of a write is written. */
export type BodyFormat = 'json' | 'yaml' | 'protobuf';

/** The treatment of members of a body that the kind does not have, or that come twice. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Who owns what the server does by itself, and what its controllers do. */
export const SERVER_MANAGER = ownManager('cluster-apiserver');
export const CONTROLLER_MANAGER = ownManager('cluster-controller-manager');

/** The members that all requests share that change an object with a body. */
export interface ChangeRequest extends Target {
  /** '' for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /** Absent is `Ignore`. */
  readonly fieldValidation?: FieldValidation;
  /** The value of the query, for the options of the request as webhooks see them. */
  readonly sentFieldValidation?: FieldValidation;
  /**
   * The field manager: who owns the fields that change (src/semantics/fields/README.md#managers).
   */
  readonly manager: string;
  /** The manager that the query names, which is said in the options of the request. */
  readonly sentManager?: string;
  /** The user who asks, as `userText` writes it; absent where the server does by itself. */
  readonly user?: string;
  /** The answer is to have what the audit log says of the write. */
  readonly isAudited?: boolean;
}

/** A long body may have been read before. */
interface YamlRequest {
  readonly yaml?: ReadYaml;
}

export interface WriteRequest extends ChangeRequest, YamlRequest {
  readonly format: BodyFormat;
}

/** The code of an answer to `createProposed`: the shard is to be asked with the body. */
export const ASK_WITH_BODY = 0;

/** A create whose record is written but for its version and its time (`RecordDraft`). */
export interface ProposedRequest extends Target {
  readonly versionAt: number;
  readonly uid: string;
  readonly generateName?: string;
}

/**
 * By the media type of the patch (src/semantics/patch/README.md#patch-types); `apply` is
 * server-side apply.
 */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface PatchRequest extends ChangeRequest, YamlRequest {
  readonly patchType: PatchType;
  /** For apply: takes fields away from other managers instead of a conflict. */
  readonly force: boolean;
}

export interface DeleteRequest extends Target, YamlRequest {
  readonly format: BodyFormat;
  /** The user who asks, as `userText` writes it; absent where the server does by itself. */
  readonly user?: string;
  /** From the query, as all that follows: it holds where the body does not say otherwise. */
  readonly dryRun: boolean;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  /** Preconditions: of what uid, and at what version, the object has to be. */
  readonly uid?: string;
  readonly atVersion?: string;
  /** The answer is to have what the audit log says of the deletion. */
  readonly isAudited?: boolean;
  /** It is a part of an operation that was admitted as what it is. */
  readonly isAdmitted?: true;
}

/** Deletes what a list with these options holds; body and options are those of `delete`. */
export interface DeleteCollectionRequest extends ListRequest, DeleteRequest {}

export interface SelectorRequest extends View {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

export interface ListRequest extends SelectorRequest {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** Objects of one page; 0 for all. */
  readonly limit: number;
  /** The token of the page before; '' for the first one. */
  readonly continue: string;
  /** The first page is as of this version; absent for what the other members say. */
  readonly at?: number;
  /** It is not told how many objects are left. */
  readonly hidesRemaining?: boolean;
}

export interface WatchRequest extends SelectorRequest {
  /** Chosen by the front, unique among its open watches of this shard. */
  readonly watchId: number;
  /** As in the query; '' and '0' begin with the present state. */
  readonly resourceVersion: string;
  /**
   * `sendInitialEvents`, '' when absent: with 'true' the version is the oldest that will do for
   * the state that it begins with, and a bookmark ends that state; with 'false' there is no state.
   */
  readonly initialEvents: '' | 'true' | 'false';
  /** An event has told the columns of a Table before. */
  readonly columnsTold?: boolean;
  /** It is shown nothing above this version, and is never live; absent for all. */
  readonly at?: number;
}

/**
 * An old version of a type: its last one up to a time, the one that so many others have followed,
 * or the one of the event that comes so many after a version.
 */
export type PastVersion =
  | { readonly untilMs: number }
  | { readonly ago: number }
  | { readonly after: number; readonly events: number };

/** The answer to a write or get: the HTTP status; the document is the body. */
export interface ObjectReply extends Said {
  readonly code: number;
}

/** One page of a list. The last one has no `listId`. */
export interface ListPage extends Pick<Said, 'times'> {
  readonly listId?: number;
}

/**
 * The next events of a watch that catches up. While `channel` is absent more are to come, asked
 * for with `watchMore`. With it the watch is live: everything after `rv` comes as `published`.
 */
export interface WatchPage {
  readonly rv: number;
  readonly channel?: number;
  /**
   * For a live watch of a Table, while no event has told them: the `columnDefinitions` that the
   * next event is to have in the place of its null.
   */
  readonly columns?: string;
  /** All up to the version that it is shown was sent: more may be asked for with a later one. */
  readonly isAtEnd?: boolean;
}

/** A call that the shards of one type alone know, of a protocol of their own. */
export interface OwnCall {
  readonly verb: string;
  readonly request: unknown;
}

export interface ShardStarted {
  readonly objects: number;
  /** The highest version in the log; 0 when it is empty. */
  readonly lastRv: number;
}

export interface ShardCalls {
  get: { request: GetRequest; reply: ObjectReply };
  list: { request: ListRequest; reply: ListPage };
  listMore: { request: { listId: number }; reply: ListPage };
  /** Told when the client went away in the middle of a list. */
  listClosed: { request: { listId: number }; reply: undefined };
  create: { request: WriteRequest; reply: ObjectReply };
  createProposed: { request: ProposedRequest; reply: ObjectReply };
  update: { request: WriteRequest; reply: ObjectReply };
  patch: { request: PatchRequest; reply: ObjectReply };
  delete: { request: DeleteRequest; reply: ObjectReply };
  deleteCollection: { request: DeleteCollectionRequest; reply: ObjectReply };
  /** Asks or tells what shards of other types know nothing of (src/shard/upkeep/own-verbs.ts). */
  own: { request: OwnCall; reply: unknown };
  watch: { request: WatchRequest; reply: WatchPage };
  watchMore: { request: { watchId: number; at?: number }; reply: WatchPage };
  /** Told when a watch has ended, catching up or live. */
  watchClosed: { request: { watchId: number }; reply: undefined };
  /**
   * Every change up to the version was published on this link before the answer. The body holds the
   * BOOKMARK event for it in each of the views that are asked for, one after the other.
   */
  bookmark: { request: { views: View[] }; reply: { rv: number; lengths: number[] } };
  /**
   * Up to which version all changes of the type are committed: as new as a list would be, or an
   * old one.
   */
  version: { request: { resourceVersion: ''; past?: PastVersion }; reply: { rv: number } };
  /** Answers once everything before it was handled; '' when no commit failed lately. */
  ping: { request: undefined; reply: { storageError: string; objects: number } };
  /** What snapshots ask (snapshot-protocol.ts). */
  snapshot: { request: SnapshotVerb; reply: unknown };
  /** Serves a custom type otherwise from the next request on. */
  retype: { request: CustomTypeFacts; reply: undefined };
  /** Writes of the type are decided here from now on: since this revision of the journal. */
  takeOver: { request: { fence: number }; reply: undefined };
  /** Finishes what is accepted, ends the actor and closes its store. */
  stop: { request: undefined; reply: undefined };
}

export const SHARD_VERBS = [
  'get',
  'list',
  'listMore',
  'listClosed',
  'create',
  'createProposed',
  'update',
  'patch',
  'delete',
  'deleteCollection',
  'own',
  'watch',
  'watchMore',
  'watchClosed',
  'bookmark',
  'version',
  'ping',
  'snapshot',
  'retype',
  'takeOver',
  'stop',
] as const satisfies readonly (keyof ShardCalls)[];

/**
 * The message that a shard sends with a port, which the main thread gives to the shard of that
 * type.
 */
export interface TypePort {
  readonly type: string;
  /** That of the server that owns all types, which may be another one. */
  readonly isOwners?: true;
}

const CLIENT_PORT = 'client:';

/** The name of a port of a client that there is when a shard starts. */
export function clientPort(client: string): string {
  return CLIENT_PORT + client;
}

export function isClientPort(name: string): boolean {
  return name.startsWith(CLIENT_PORT);
}

/** The events that a shard sends to its clients. */
export interface ShardEvents {
  /** The shard has read its log and answers from now on. */
  started: { request: ShardStarted; reply: undefined };
  /** One change, encoded once, for these channels; the frame is the body. */
  published: { request: { channels: number[]; rv: number }; reply: undefined };
  /** A change for these channels cannot be shown: their watches are to end. */
  ended: { request: { channels: number[] }; reply: undefined };
  /** There are so many objects now, of so many bytes together; told now and then to fronts. */
  counted: { request: { objects: number; bytes: number }; reply: undefined };
}

export const SHARD_EVENTS = [
  'started',
  'published',
  'ended',
  'counted',
] as const satisfies readonly (keyof ShardEvents)[];
