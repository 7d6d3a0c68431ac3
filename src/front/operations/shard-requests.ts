/** Stored objects as operations read and write them: requests to shards, as promises. */
import type { Calls } from '../../actors/link.ts';
import { withoutBigints } from '../../base/text/without-bigints.ts';
import { resourceKey } from '../../resources/registry.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { notFound, resourceNotServed } from '../../semantics/errors/status.ts';
import type { GroupResource } from '../../semantics/errors/status.ts';
import { SERVER_MANAGER } from '../../protocol/shard-protocol.ts';
import type { ListPage, ShardCalls } from '../../protocol/shard-protocol.ts';
import type { OperationContext } from '../operation.ts';

type Shards = OperationContext['shards'];

export const PODS: GroupResource = { group: '', resource: 'pods' };
export const NODES: GroupResource = { group: '', resource: 'nodes' };
export const SECRETS: GroupResource = { group: '', resource: 'secrets' };
export const SERVICE_ACCOUNTS: GroupResource = { group: '', resource: 'serviceaccounts' };

/** An object as its JSON says: members that are zero may be missing. */
export interface Stored {
  readonly metadata: ObjectMeta;
}

interface Reply<V extends keyof ShardCalls> {
  readonly reply: ShardCalls[V]['reply'];
  readonly document: Uint8Array;
}

/** Asks the shard of a resource type. Rejects with what the shard refuses with. */
export function ask<V extends keyof ShardCalls>(
  shards: Shards,
  resource: GroupResource,
  verb: V,
  header: ShardCalls[V]['request'],
  body?: Uint8Array,
): Promise<Reply<V>> {
  return new Promise((resolve, reject) => {
    const shard = shards.get(shardOf(resource));
    if (shard === undefined) throw resourceNotServed();
    shard.link.ask(verb, header, body, (error, reply, document) => {
      if (error === undefined) resolve({ reply, document });
      else reject(error);
    });
  });
}

/** Asks for what the shards of one type alone know. Rejects with what the shard refuses with. */
export async function askOwn<P extends Calls<P>, V extends keyof P & string>(
  shards: Shards,
  resource: GroupResource,
  verb: V,
  request: P[V]['request'],
): Promise<P[V]['reply']> {
  const { reply } = await ask(shards, resource, 'own', { verb, request });
  return reply;
}

/** In JSON of a form. Rejects with StatusError 404 when there is no such object, or type. */
export async function getStored<T extends Stored>(
  shards: Shards,
  resource: GroupResource,
  namespace: string,
  name: string,
  form?: Form,
): Promise<T> {
  if (!shards.has(shardOf(resource))) throw notFound(resource, name);
  const header = {
    namespace,
    name,
    subresource: '',
    resourceVersion: '',
    ...(form !== undefined && { form }),
  };
  const { document } = await ask(shards, resource, 'get', header);
  return parse(document) as T;
}

/**
 * All of a namespace, or all there are for '', that a selector matches; none of a type that is
 * switched off.
 */
export async function listStored<T extends Stored>(
  shards: Shards,
  resource: GroupResource,
  namespace: string,
  labelSelector = '',
): Promise<readonly T[]> {
  if (!shards.has(shardOf(resource))) return [];
  const header = {
    namespace,
    labelSelector,
    fieldSelector: '',
    resourceVersion: '',
    resourceVersionMatch: '',
    limit: 0,
    continue: '',
  };
  const parts: Uint8Array[] = [];
  let page: Reply<'list' | 'listMore'> = await ask(shards, resource, 'list', header);
  parts.push(page.document);
  for (let { listId }: ListPage = page.reply; listId !== undefined; { listId } = page.reply) {
    page = await ask(shards, resource, 'listMore', { listId });
    parts.push(page.document);
  }
  return (parse(Buffer.concat(parts)) as { items: T[] }).items;
}

/**
 * Writes the object's status at the version that it says, and answers with what is stored then.
 * Rejects with 409 when it is stale.
 */
export async function writeStatus<T extends Stored>(
  shards: Shards,
  resource: GroupResource,
  object: T,
): Promise<T> {
  const { namespace = '', name = '' } = object.metadata;
  const header = {
    namespace,
    name,
    subresource: 'status',
    format: 'json',
    dryRun: false,
    manager: SERVER_MANAGER,
  } as const;
  const body = Buffer.from(JSON.stringify(object));
  const { document } = await ask(shards, resource, 'update', header, body);
  return parse(document) as T;
}

/** Adds labels to an object, as the server itself. */
export async function labelStored(
  shards: Shards,
  resource: GroupResource,
  { namespace = '', name = '' }: ObjectMeta,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const header = {
    namespace,
    name,
    subresource: '',
    format: 'json',
    dryRun: false,
    manager: SERVER_MANAGER,
    patchType: 'merge',
    force: false,
  } as const;
  const body = JSON.stringify({ metadata: { labels } });
  await ask(shards, resource, 'patch', header, Buffer.from(body));
}

/**
 * Deletes an object as a part of what was admitted as something else; `options` are DeleteOptions.
 */
export async function deleteStored(
  shards: Shards,
  resource: GroupResource,
  { namespace = '', name = '' }: ObjectMeta,
  options: object,
): Promise<void> {
  const header = {
    namespace,
    name,
    format: 'json',
    dryRun: false,
    isAdmitted: true,
  } as const;
  const body = JSON.stringify(options, withoutBigints);
  await ask(shards, resource, 'delete', header, Buffer.from(body));
}

function shardOf({ group, resource }: GroupResource): string {
  return resourceKey({ group, plural: resource });
}

function parse(document: Uint8Array): unknown {
  return JSON.parse(Buffer.from(document).toString());
}
