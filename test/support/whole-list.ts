/** Lists as text, read page by page to their end. */
import type { Test } from 'tap';
import { configMap } from './kinds.ts';
import type { Answer, Server } from './server.ts';

export interface ListOptions {
  readonly match?: string;
  readonly rv?: string;
  readonly limit?: number | string;
  readonly token?: string;
  readonly labels?: string;
  readonly fields?: string;
}

export interface WholeList {
  readonly rv: string;
  /** Text of the items of all pages. */
  readonly items: string;
}

/** The version of an answer's document. */
export function versionOf(answer: Answer): string {
  return answer.json?.metadata?.resourceVersion;
}

/** The token in an answer; undefined on the last page. */
export function tokenOf(answer: Answer): string | undefined {
  // Lists of custom objects end with an empty one.
  return answer.json?.metadata?.continue || undefined;
}

/** The text of an object as lists hold it: without kind and apiVersion. */
export function itemOf(text: string): string {
  return text.replace(/^\{"kind":"\w+","apiVersion":"[\w./]+",/, '{').trimEnd();
}

/** The text between the brackets of a list. */
export function itemsOf(list: string): string {
  const start = '"items":[';
  return list.slice(list.indexOf(start) + start.length, -']}\n'.length);
}

export function namesOf(answer: Answer): string[] {
  const items: { metadata: { name: string } }[] = answer.json?.items ?? [];
  return items.map(({ metadata }) => metadata.name);
}

export function listPath(path: string, options: ListOptions): string {
  const { match, rv, limit, token, labels, fields } = options;
  const query = new URLSearchParams();
  if (labels !== undefined) query.set('labelSelector', labels);
  if (fields !== undefined) query.set('fieldSelector', fields);
  if (match !== undefined) query.set('resourceVersionMatch', match);
  if (rv !== undefined) query.set('resourceVersion', rv);
  if (limit !== undefined) query.set('limit', `${limit}`);
  if (token !== undefined) query.set('continue', token);
  return `${path}?${query.toString()}`;
}

/**
 * All pages of a list, the first as `options` says; the next ones give the token, the limit and
 * the selectors only. `between` runs before each of these. Every page must be 200.
 */
export async function readPages(
  t: Test,
  server: Server,
  path: string,
  options: ListOptions,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Answer[]> {
  const { match: _match, rv: _rv, ...more } = options;
  const pages = [];
  for (let token = options.token; ;) {
    const asked = pages.length === 0 ? options : { ...more, token: token! };
    const answer = await server.get(listPath(path, asked));
    const shown = answer.text.slice(0, 300);
    t.equal(answer.status, 200, `page ${pages.length} of ${listPath(path, options)}: ${shown}`);
    pages.push(answer);
    token = tokenOf(answer);
    if (token === undefined || answer.status !== 200) return pages;
    await between();
  }
}

/** The list of these pages; they must be of one version. */
export function joinPages(t: Test, pages: readonly Answer[]): WholeList {
  const versions = new Set(pages.map(versionOf));
  t.equal(versions.size, 1, `one version: ${[...versions].join()}`);
  const texts = pages.map(({ text }) => itemsOf(text)).filter((text) => text !== '');
  return { rv: [...versions][0] ?? '', items: texts.join(',') };
}

export async function readAll(
  t: Test,
  server: Server,
  path: string,
  options: ListOptions = {},
): Promise<WholeList> {
  return joinPages(t, await readPages(t, server, path, options));
}

/** Makes the namespace of a path like `/api/v1/namespaces/<it>/configmaps`. */
export async function createNamespaceOf(server: Server, path: string): Promise<void> {
  const name = path.split('/namespaces/')[1]?.split('/')[0];
  await server.post('/api/v1/namespaces', { metadata: { name } });
}

/** Creates ConfigMaps or other objects, some at a time. */
export async function createAll(
  server: Server,
  path: string,
  bodies: readonly unknown[],
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const waiting = bodies.entries();
  const work = async (): Promise<void> => {
    for (const [at, body] of waiting) {
      const answer = await server.post(path, body);
      if (answer.status !== 201) throw new Error(answer.text.slice(0, 300));
      answers[at] = answer;
    }
  };
  await Promise.all(Array.from({ length: 64 }, work));
  return answers;
}

let collections = 0;

/** A new namespace with these ConfigMaps; those whose names end with `-x` have the label x=1. */
export async function newCollection(server: Server, names: readonly string[]): Promise<string> {
  collections += 1;
  const path = `/api/v1/namespaces/collection-${collections}/configmaps`;
  await createNamespaceOf(server, path);
  const labels = (name: string): object => (name.endsWith('-x') ? { x: '1' } : {});
  const bodies = names.map((name) => configMap(name, {}, { labels: labels(name) }));
  await createAll(server, path, bodies);
  return path;
}
