/**
 * Starts a server on what a power cut left, and compares what it serves with what clients saw
 * before: each type is as it was at one moment, all types are as of the same moment, nothing that
 * was promised is missing, and no version is given away twice.
 */
import type { TestObject } from '../../test/support/kinds.ts';
import { startServer } from '../../test/support/server.ts';
import type { Server } from '../../test/support/server.ts';
import type { Durability } from '../../src/storage/store.ts';
import { DEFINITION, DEFINITIONS, objectsOf, textOf, TYPES, versionOf } from './history.ts';
import type { Answered, History, TypeHistory, WrittenType } from './history.ts';

export interface Cut {
  readonly folder: string;
  /** With which it is opened. */
  readonly durability: Durability;
  readonly timeNs: bigint;
  /** Writes that were answered before that must be there. */
  readonly promisedNs: bigint;
}

export interface Verdict {
  /** Lines about all that is not as it must be. */
  readonly violations: readonly string[];
  /** How long before the cut the first write was answered that is lost. */
  readonly lostMs: number;
  readonly lostWrites: number;
}

/** The number of changes that are there, by type. */
type Progress = Map<string, number>;

export async function judge(cut: Cut, history: History): Promise<Verdict> {
  let server: Server;
  try {
    const args = ['--durability', cut.durability];
    server = await startServer({ dataDirectory: cut.folder, args });
  } catch (error) {
    const text = (error as Error).message.split('\n')[0] ?? '';
    return { violations: [`it does not start: ${text}`], lostMs: 0, lostWrites: 0 };
  }
  try {
    const verdict = await judgeServer(server, cut, history);
    server.closeConnections();
    const { code, stderr } = await server.stop();
    const end = code === 0 ? [] : [`it ended with ${code}: ${stderr}`];
    return { ...verdict, violations: [...verdict.violations, ...end] };
  } finally {
    await server.kill();
  }
}

async function judgeServer(server: Server, cut: Cut, history: History): Promise<Verdict> {
  const violations: string[] = [];
  const progress: Progress = new Map();
  const wasReady = history.readyNs !== undefined && history.readyNs < cut.timeNs;
  if (wasReady && server.token !== history.token) violations.push('another token of the admin');
  for (const type of TYPES) {
    const seen = history.types.get(type.name);
    if (seen === undefined) continue;
    violations.push(...(await judgeType(server, type, seen, progress)));
  }
  const lost = lostWrites(cut, history, progress);
  const promised = lost.filter(({ answeredNs }) => answeredNs < cut.promisedNs);
  for (const write of promised.slice(0, 3)) {
    violations.push(`${named(history, write)} was promised, and is lost`);
  }
  violations.push(...outOfOrder(cut, history, progress));
  violations.push(...(await usedTwice(server, cut, history)));
  const firstNs = lost.reduce((least, one) => min(least, one.answeredNs), cut.timeNs);
  const lostMs = Number(cut.timeNs - firstNs) / 1e6;
  return { violations, lostMs, lostWrites: lost.length };
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/**
 * Compares what a watch of the past sees, and the objects that there are, with what was seen. How
 * many changes are there, only the watch can tell: objects that were made and removed again leave
 * the same objects as before.
 */
async function judgeType(
  server: Server,
  { name, path }: WrittenType,
  { first, firstVersion, changes }: TypeHistory,
  progress: Progress,
): Promise<string[]> {
  const { status, json } = await server.get(path);
  // A type that has not been defined yet has no objects.
  if (status !== 200 && status !== 404) return [`the list of ${name} got ${status}`];
  const found = status === 404 ? new Map<string, string>() : objectsOf(json);
  const isEarlier = status === 404 || firstVersion > Number(json.metadata.resourceVersion);
  const watched = isEarlier ? [] : await changesAfter(server, path, firstVersion);
  const there = changes.slice(0, watched.length);
  progress.set(name, there.length);
  if (JSON.stringify(watched) !== JSON.stringify(there.map(({ text }) => text))) {
    return [`a watch of ${name} sees ${watched.length} changes, and not those that there were`];
  }
  const state = new Map(first);
  for (const { key, isDeletion, text } of there) {
    if (isDeletion) state.delete(key);
    else state.set(key, text);
  }
  return sameObjects(state, found) ? [] : [`${name} are as they never were`];
}

function sameObjects(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([key, text]) => other.get(key) === text);
}

/** All that a watch of the past sees. */
async function changesAfter(server: Server, path: string, version: number): Promise<string[]> {
  const query = `watch=true&timeoutSeconds=1&resourceVersion=${version}`;
  const { text } = await server.get(`${path}?${query}`);
  const events = text.split('\n').filter((line) => line.trim() !== '');
  return events.map((line) => textOf((JSON.parse(line) as TestObject).object));
}

/** Finds writes that were answered before the cut and are not there. */
function lostWrites(cut: Cut, history: History, progress: Progress): readonly Answered[] {
  return history.answered.filter(
    (one) => one.answeredNs < cut.timeNs && !isThere(history, progress, one),
  );
}

function isThere(history: History, progress: Progress, write: Answered): boolean {
  const count = progress.get(write.type) ?? 0;
  const last = history.types.get(write.type)?.changes[count - 1]?.version ?? 0;
  return versionOf(history, write) <= last;
}

/** A write that was sent after another one was answered is never there without that. */
function outOfOrder(cut: Cut, history: History, progress: Progress): string[] {
  const there = history.answered.filter((one) => isThere(history, progress, one));
  const lastSentNs = there.reduce((last, { sentNs }) => (sentNs > last ? sentNs : last), 0n);
  const missing = lostWrites(cut, history, progress).find((one) => one.answeredNs < lastSentNs);
  if (missing === undefined) return [];
  return [`${named(history, missing)} is lost, and a write that came after it is there`];
}

function named(history: History, write: Answered): string {
  return `version ${versionOf(history, write)} of ${write.type} ${write.key}`;
}

/** New versions are above all that anybody was shown; and writing works. */
async function usedTwice(server: Server, cut: Cut, { shown }: History): Promise<string[]> {
  const highest = shown
    .filter(({ timeNs }) => timeNs < cut.timeNs)
    .reduce((most, { version }) => Math.max(most, version), 0);
  const object = { metadata: { generateName: 'after-' } };
  const made = await server.post(TYPES[0].path, object);
  if (made.status !== 201) return [`a write got ${made.status}`];
  const version = Number(made.json.metadata.resourceVersion);
  await server.delete(`${TYPES[0].path}/${made.json.metadata.name}`);
  const path = `${DEFINITIONS}/${DEFINITION.metadata.name}`;
  const { status } = await server.get(path);
  const strange = status === 200 || status === 404 ? [] : [`the definition got ${status}`];
  if (version > highest) return strange;
  return [...strange, `version ${version} was given away, and ${highest} had been shown`];
}
