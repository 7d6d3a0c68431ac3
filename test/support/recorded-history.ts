/** A small collection that is changed step by step, with what it was after each step. */
import { configMap, kindNamed, minimalObject, typePath } from './kinds.ts';
import type { Answer, Server } from './server.ts';
import { createNamespaceOf, itemOf, versionOf } from './whole-list.ts';

const STEPS = [
  ['create', 'b'],
  ['create', 'a'],
  ['update', 'b'],
  ['create', 'c'],
  ['delete', 'a'],
  ['create', 'a'],
  ['create', 'd'],
  ['update', 'c'],
  ['create', 'e'],
  ['delete', 'b'],
] as const;

/** The state after one change. */
export interface Moment {
  readonly rv: string;
  /** A version of another type's object, written before the next change. */
  readonly laterRv: string;
  /** The text of the items of a list. */
  readonly items: string;
  /** The change as a watch shows it. */
  readonly event: string;
}

/** A version that was issued just now, for an object of another type. */
export async function newerVersion(server: Server): Promise<string> {
  const kind = kindNamed('Secret');
  const secret = minimalObject(kind, '', {}, { generateName: 'tick-' });
  return versionOf(await server.post(typePath(kind), secret));
}

async function change(server: Server, path: string, at: number): Promise<Answer> {
  const [verb, name] = STEPS[at]!;
  const body = configMap(name, { step: `${at}` });
  if (verb === 'create') return server.post(path, body);
  return verb === 'update' ? server.put(`${path}/${name}`, body) : server.delete(`${path}/${name}`);
}

/**
 * Creates, changes and deletes ConfigMaps in a new namespace: a to e, of which all but b are left
 * in the end. The versions of deletions come from a watch.
 */
export async function recordHistory(server: Server, path: string): Promise<Moment[]> {
  await createNamespaceOf(server, path);
  const from = versionOf(await server.get(path));
  const watch = await server.watch(`${path}?watch=true&resourceVersion=${from}`);
  const present = new Map<string, string>();
  const moments: Moment[] = [];
  for (const [at, [verb, name]] of STEPS.entries()) {
    const answer = await change(server, path, at);
    if (verb === 'delete') present.delete(name);
    else present.set(name, itemOf(answer.text));
    const [event] = await watch.take(1);
    const items = [...present.keys()].sort().map((key) => present.get(key));
    const laterRv = await newerVersion(server);
    const rv = event?.object.metadata.resourceVersion;
    moments.push({ rv, laterRv, items: items.join(','), event: event?.raw ?? '' });
  }
  watch.close();
  return moments;
}
