/** Finds the labels of the object that a request is about, before the request is served. */
import { labelsOf } from '../../laboratory/labels-of.ts';
import { NO_BYTES } from '../../laboratory/message-fields.ts';
import { PLAIN_JSON } from '../../semantics/options/answer-form.ts';
import { StatusError } from '../../semantics/errors/status.ts';
import type { RequestContext } from '../request-context.ts';
import type { ShardClient } from '../resource-requests.ts';
import type { ReadsBodies } from './lab-api.ts';

/** Those of the object as it is stored, or as it is sent where it is to be made. */
export async function objectLabels(
  context: RequestContext,
  shards: ReadonlyMap<string, ShardClient>,
  tools: ReadsBodies,
): Promise<Readonly<Record<string, string>>> {
  const { route } = context;
  if (route?.verb === 'create') return labelsOf(await sentBody(context, tools));
  return labelsOf(await storedObject(context, shards));
}

/** The stage of bodies takes it from where it is put here. */
async function sentBody(context: RequestContext, tools: ReadsBodies): Promise<Uint8Array> {
  // Who waits is held, and would be told of the body from then on.
  context.hold();
  const { bytes, yaml } = await new Promise<NonNullable<RequestContext['body']>>((resolve) => {
    tools.readBody(context, (received, read) => {
      // The library takes its memory back at the end of the turn.
      resolve({ bytes: received && Uint8Array.from(received), yaml: read });
    });
  });
  context.body = { bytes, yaml };
  if (yaml !== undefined) return Buffer.from(yaml.json);
  return bytes ?? NO_BYTES;
}

async function storedObject(
  { route, attributes: { namespace, name } }: RequestContext,
  shards: ReadonlyMap<string, ShardClient>,
): Promise<Uint8Array> {
  if (route === undefined || name === '') return NO_BYTES;
  // Subresources that are operations are those of types of the core group.
  const isOperation = route.verb === 'operation';
  const shard = shards.get(isOperation ? (route.operation.split('/')[0] ?? '') : route.shard);
  if (shard === undefined) return NO_BYTES;
  const version = isOperation ? 0 : route.version;
  const target = { namespace, name, version, subresource: '', resourceVersion: '' };
  return new Promise((resolve, reject) => {
    shard.link.ask('get', { ...target, form: PLAIN_JSON }, undefined, (error, _reply, document) => {
      if (error === undefined) resolve(Uint8Array.from(document));
      else if (error instanceof StatusError) resolve(NO_BYTES);
      else reject(error);
    });
  });
}
