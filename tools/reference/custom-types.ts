/** The fourth part of a comparison: public definitions, and random objects of their kinds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestObject } from '../../test/support/kinds.ts';
import { Random } from '../../test/support/random.ts';
import type { ApiClient } from './api-client.ts';
import { removeCollection, removeObject } from './clean-up.ts';
import { compareEventsOf, eventsFrom } from './compare-events.ts';
import { CustomRequests, type CustomCollection } from './custom-requests.ts';
import type { Lane } from './lane.ts';
import { Marks } from './marks.ts';
import type { DefinitionDocument, PublicDefinition } from './public-definitions.ts';
import { ServerGone } from './server-gone.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** So many requests of one type come before the next one. */
const REQUESTS_PER_TYPE = 60;
/** A reference does some controllers' work every few seconds only. */
const LIFE_MS_MAX = 60_000;
const ASK_AGAIN_MS = 200;

export interface CustomRun {
  readonly seed: number;
  readonly requests: number;
  readonly name: string;
  readonly collections: readonly CustomCollection[];
  readonly isEnded: () => boolean;
}

/**
 * Installs the definitions in both servers and compares what becomes of them; gives those that
 * both serve. Throws ServerGone where a server has one of them already.
 */
export async function installDefinitions(
  lane: Lane,
  definitions: readonly PublicDefinition[],
): Promise<DefinitionDocument[]> {
  const { ours, theirs } = lane.servers;
  const installed: DefinitionDocument[] = [];
  for (const { origin, document } of definitions) {
    const request = definitionRequest('POST', DEFINITIONS, JSON.stringify(document));
    const answers = await lane.send(request, 'create', origin);
    if (answers.some(({ status }) => status === 409)) {
      throw new ServerGone(`a server has a definition ${document.metadata.name} already`);
    }
    if (answers.every(({ status }) => status === 201)) installed.push(document);
  }
  for (const document of installed) {
    const path = `${DEFINITIONS}/${document.metadata.name}`;
    for (const server of [ours, theirs]) {
      await until(`${document.metadata.name} is established`, async () =>
        isEstablished((await server.get(path)).json),
      );
    }
    await lane.send(definitionRequest('GET', path), 'get', document.metadata.name);
  }
  return installed;
}

/** Removes the definitions, and with them all objects of their kinds, from both servers. */
export async function removeDefinitions(
  lane: Lane,
  definitions: readonly DefinitionDocument[],
): Promise<void> {
  const { ours, theirs } = lane.servers;
  for (const definition of definitions) {
    await Promise.all([ours, theirs].map((server) => removeDefinition(server, definition)));
  }
  for (const { metadata } of definitions) {
    const path = `${DEFINITIONS}/${metadata.name}`;
    for (const server of [ours, theirs]) {
      await until(`${metadata.name} is gone`, async () => (await server.get(path)).status === 404);
    }
  }
}

async function removeDefinition(
  server: ApiClient,
  { metadata, spec }: DefinitionDocument,
): Promise<void> {
  const path = `${DEFINITIONS}/${metadata.name}`;
  const { group, names, versions } = spec;
  // An object that is valid in no version could not be written, nor be rid of its finalizers.
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const open = versions.map((version) => ({ ...version, schema: { openAPIV3Schema } }));
  const body = JSON.stringify({ spec: { versions: open } });
  const contentType = 'application/merge-patch+json';
  await server.ask({ method: 'PATCH', path, body, contentType });
  const at = `/apis/${group}/${versions.find(({ served }) => served)?.name}`;
  await until(`no ${names.plural} are left`, async () => {
    const items: { metadata: { name: string; namespace?: string } }[] =
      (await server.get(`${at}/${names.plural}`)).json?.items ?? [];
    for (const { metadata: of } of items) {
      const within = of.namespace === undefined ? '' : `/namespaces/${of.namespace}`;
      await removeObject(server, `${at}${within}/${names.plural}/${of.name}`);
    }
    return items.length === 0;
  });
  await server.ask({ method: 'DELETE', path });
}

/** Random requests of one type after the other, and the events of them. */
export async function runCustomRequests(lane: Lane, run: CustomRun): Promise<void> {
  const random = new Random(run.seed);
  let marks = new Marks();
  let origin = '';
  let collection = run.collections[0];
  const read = async (path: string): Promise<TestObject> => {
    const { kind = '', groupVersion = '' } = collection ?? {};
    const request = { kind, groupVersion, subresource: '', method: 'GET', path };
    return lane.read(request, origin, marks);
  };
  const requests = new CustomRequests(random, lane.prefix, read);
  for (let done = 0; done < run.requests && !run.isEnded();) {
    collection = run.collections[random.below(run.collections.length)];
    if (collection === undefined) return;
    const events = await eventsFrom(lane, random);
    for (let count = 0; count < REQUESTS_PER_TYPE && !run.isEnded(); count += 1, done += 1) {
      marks = new Marks();
      origin = `${run.name} request ${done}`;
      const { request, what } = await requests.next(collection);
      await lane.send(request, what, origin, marks);
    }
    await compareEventsOf(lane, events, [collection], run.name);
    const { path } = collection;
    await Promise.all(Object.values(lane.servers).map((server) => removeCollection(server, path)));
  }
}

function definitionRequest(method: string, path: string, body?: string) {
  return {
    kind: 'CustomResourceDefinition',
    groupVersion: 'apiextensions.cluster.io/v1',
    subresource: '',
    method,
    path,
    ...(body !== undefined && { body, contentType: 'application/json' }),
  };
}

function isEstablished(definition: TestObject): boolean {
  const conditions: { type: string; status: string }[] = definition?.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIFE_MS_MAX;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new ServerGone(`not in time: ${what}`);
    await sleep(ASK_AGAIN_MS);
  }
}
