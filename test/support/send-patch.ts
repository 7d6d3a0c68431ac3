/** Requests of the method PATCH. */
import type { Answer, RequestHeaders, Server } from './server.ts';

export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export type PatchType = keyof typeof PATCH_TYPES;

/** Strings and Buffers go as they are, anything else as JSON. */
export async function sendPatch(
  server: Server,
  path: string,
  type: PatchType,
  body: unknown,
  headers: RequestHeaders = {},
): Promise<Answer> {
  return server.request('PATCH', path, body, { 'content-type': PATCH_TYPES[type], ...headers });
}
