/**
 * Clients record a run: every request with its answer and its times, every event in the order of
 * arrival. The model judges these records alone. Times are milliseconds of one clock; versions are
 * numbers, which clients may not rely on, but whoever checks the server may.
 */
import { createHash } from 'node:crypto';
import type { TestObject } from '../support/kinds.ts';

/** One object as it was seen at one version. */
export interface Observed {
  readonly version: number;
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
  /** Value of its label `app`, '' where it has none. */
  readonly app: string;
  /** The field `type`, of secrets. */
  readonly secretType: string;
  /** Tells which request wrote this content; each request has its own. */
  readonly stamp: string;
  readonly held: boolean;
  /** Annotations that only patches write, by their names; other updates drop them. */
  readonly notes: Readonly<Record<string, string>>;
  /** The stamp as a webhook has seen and noted it; '' where it was not asked. */
  readonly admitted: string;
  /** Managers of the stamp and of the label `app`: `Apply:one`. */
  readonly stampOwners: readonly string[];
  readonly appOwners: readonly string[];
  readonly terminating: boolean;
  /** The digest of all its content but the version. */
  readonly digest: string;
}

export interface LabelTest {
  readonly test: 'equals' | 'differs' | 'in' | 'exists' | 'absent';
  readonly values: readonly string[];
}

/** A list or a watch asks for this beside the type. Empty or absent members ask for all. */
export interface Scope {
  readonly namespace: string;
  readonly app?: LabelTest;
  readonly name?: string;
  readonly secretType?: string;
}

/** An unknown outcome: the connection broke, so that it may have happened or not. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

interface Request {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** Status of the answer; 0 without one. */
  readonly code: number;
}

/** Updates of a part of an object; `apply` also creates. */
export type Patch = 'merge' | 'json' | 'apply';

export interface WriteRecord extends Request {
  readonly record: 'write';
  readonly verb: 'create' | 'update' | 'delete' | Patch;
  readonly key: string;
  /** '' of a delete. */
  readonly stamp: string;
  /** The resourceVersion that it demands, 0 for any. */
  readonly expects: number;
  /** It leaves the object a finalizer, or none; undefined when it says nothing of it. */
  readonly held: boolean | undefined;
  /** The label that it gives the object, '' for none. */
  readonly app: string;
  /** The note that a patch writes, or with null removes. */
  readonly note?: readonly [name: string, value: string | null];
  /** Who owns what it writes: `Update:two`. */
  readonly owner: string;
  /** Whether an apply takes fields from their owners. */
  readonly force: boolean;
  readonly outcome: Outcome;
  /** Who refused it, where the answer has 403. */
  readonly refusedBy?: 'webhook' | 'quota' | undefined;
  /** The object in the answer: what is stored now. */
  readonly answer?: Observed;
  /** The write was answered as the end of the object with this uid. */
  readonly endedUid?: string;
}

export interface CollectionDeleteRecord extends Request {
  readonly record: 'deletecollection';
  readonly scope: Scope;
  readonly outcome: Outcome;
}

export interface GetRecord extends Request {
  readonly record: 'get';
  readonly key: string;
  /** As asked: '' for the newest, '0' for any, or a version that it may not be older than. */
  readonly asked: string;
  readonly answer?: Observed;
}

export interface Page {
  readonly version: number;
  readonly items: readonly Observed[];
  readonly more: boolean;
  readonly remaining?: number;
}

/** A list in one answer or in pages; its time is that of the first page. */
export interface ListRecord extends Request {
  readonly record: 'list';
  readonly scope: Scope;
  readonly asked: string;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  readonly limit: number;
  /** Continued at the newest version behind this key, since the token had expired; else ''. */
  readonly after: string;
  readonly pages: readonly Page[];
  /** The answer that ended it before its last page; an expired token comes with a fresh one. */
  readonly refusal?: { readonly code: number; readonly end: number; readonly hasToken: boolean };
}

export interface SeenEvent {
  readonly time: number;
  readonly type: string;
  readonly version: number;
  /** Absent of BOOKMARK and ERROR. */
  readonly object?: Observed;
  /** A BOOKMARK that says that the initial events are all there. */
  readonly initialEnd?: boolean;
  /** The code that an ERROR carries. */
  readonly code?: number;
}

/** One connection; a client that goes on after it broke makes another record. */
export interface WatchRecord extends Request {
  readonly record: 'watch';
  readonly scope: Scope;
  readonly asked: string;
  readonly bookmarks: boolean;
  /** With sendInitialEvents. */
  readonly streamsList: boolean;
  /** When the head of the answer came. */
  readonly opened: number;
  readonly events: readonly SeenEvent[];
  /** It was open, and given time, when nothing was written any more: it must have seen all. */
  readonly settled: boolean;
  /** One of the watches that follow everything of a type from the beginning. */
  readonly scribe: boolean;
}

/** A crash or an orderly end of the server, or its start. */
export interface ServerRecord {
  readonly record: 'server';
  readonly what: 'kill' | 'stop' | 'ready';
  readonly start: number;
}

/** Objects of the type are stored in another version from now on: writes of nothing are writes. */
export interface RedefinitionRecord {
  readonly record: 'redefinition';
  readonly type: string;
  readonly start: number;
}

/** All types were written back to the state at the version of a snapshot. */
export interface RestoreRecord {
  readonly record: 'restore';
  readonly version: number;
  readonly start: number;
  readonly end: number;
  readonly outcome: 'acknowledged' | 'unknown';
}

export type HistoryRecord =
  | WriteRecord
  | RestoreRecord
  | CollectionDeleteRecord
  | GetRecord
  | ListRecord
  | WatchRecord
  | RedefinitionRecord
  | ServerRecord;

export const STAMP = 'example.com/stamp';
/** A webhook writes it. */
export const ADMITTED = 'example.com/admitted';
/** Prefix of the annotations that are notes. */
export const NOTE = 'note.example.com/';

/** The part of a document that the model compares. */
export function observe(object: TestObject): Observed {
  const { metadata } = object;
  const content = {
    ...object,
    kind: undefined,
    apiVersion: undefined,
    metadata: { ...metadata, resourceVersion: undefined },
  };
  return {
    version: Number(metadata.resourceVersion),
    key: `${metadata.namespace}/${metadata.name}`,
    uid: metadata.uid,
    app: metadata.labels?.app ?? '',
    secretType: object.type ?? '',
    stamp: metadata.annotations?.[STAMP] ?? '',
    held: (metadata.finalizers?.length ?? 0) > 0,
    notes: notesOf(metadata.annotations ?? {}),
    admitted: metadata.annotations?.[ADMITTED] ?? '',
    stampOwners: ownersOf(object, ['metadata', 'annotations', STAMP]),
    appOwners: ownersOf(object, ['metadata', 'labels', 'app']),
    terminating: metadata.deletionTimestamp !== undefined,
    digest: createHash('sha1').update(JSON.stringify(content)).digest('base64').slice(0, 12),
  };
}

function notesOf(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const notes = Object.entries(annotations).filter(([name]) => name.startsWith(NOTE));
  return Object.fromEntries(notes.map(([name, value]) => [name.slice(NOTE.length), value]));
}

function ownersOf({ metadata }: TestObject, path: readonly string[]): string[] {
  const entries: readonly TestObject[] = metadata.managedFields ?? [];
  const isOwned = ({ fieldsV1 }: TestObject): boolean =>
    path.reduce((fields, name) => fields?.[`f:${name}`], fieldsV1) !== undefined;
  return entries.filter(isOwned).map(({ operation, manager }) => `${operation}:${manager}`);
}

export function matches(scope: Scope, { key, app, secretType }: Observed): boolean {
  const slash = key.indexOf('/');
  if (scope.namespace !== '' && key.slice(0, slash) !== scope.namespace) return false;
  if (scope.name !== undefined && key.slice(slash + 1) !== scope.name) return false;
  if (scope.secretType !== undefined && secretType !== scope.secretType) return false;
  return scope.app === undefined || passes(scope.app, app);
}

function passes({ test, values }: LabelTest, app: string): boolean {
  if (test === 'exists') return app !== '';
  if (test === 'absent') return app === '';
  return values.includes(app) === (test !== 'differs');
}

/** The selectors of a scope as query parameters. */
export function selectorQuery({ app, name, secretType }: Scope): string {
  const fields = [
    ...(name === undefined ? [] : [`metadata.name=${name}`]),
    ...(secretType === undefined ? [] : [`type=${secretType}`]),
  ];
  const parameters = [
    ...(app === undefined ? [] : [`labelSelector=${encodeURIComponent(labelText(app))}`]),
    ...(fields.length === 0 ? [] : [`fieldSelector=${encodeURIComponent(fields.join(','))}`]),
  ];
  return parameters.join('&');
}

function labelText({ test, values }: LabelTest): string {
  if (test === 'exists') return 'app';
  if (test === 'absent') return '!app';
  if (test === 'in') return `app in (${values.join(',')})`;
  return `app${test === 'equals' ? '=' : '!='}${values.join('')}`;
}
