/** Removes what a run has made, whatever holds it. */
import type { ApiClient } from './api-client.ts';

const DELETE_OPTIONS = JSON.stringify({ gracePeriodSeconds: 0, propagationPolicy: 'Background' });
/** Labels that a server took though they are wrong would refuse any change. */
const RELEASED = { finalizers: null, labels: null, annotations: null };
const WITHOUT_FINALIZERS = JSON.stringify({ metadata: RELEASED });
const MERGE_PATCH = 'application/merge-patch+json';
/** One to delete, one to release, and some for what happens meanwhile. */
const TRIES_MAX = 5;

/** Removes an object at once: without grace, and without its finalizers. */
export async function removeObject(server: ApiClient, path: string): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { status } = await server.ask({ method: 'DELETE', path, body: DELETE_OPTIONS });
    if (status === 404 || status === 405) return;
    const left = await server.get(path);
    if (left.status !== 200) return;
    if ((left.json?.metadata?.finalizers ?? []).length > 0) {
      await forgetStoredVersions(server, path, left.json);
      const body = WITHOUT_FINALIZERS;
      await server.ask({ method: 'PATCH', path, body, contentType: MERGE_PATCH });
    } else if (left.json?.kind === 'Namespace') {
      const body = JSON.stringify({ ...left.json, spec: { finalizers: [] } });
      await server.ask({ method: 'PUT', path: `${path}/finalize`, body });
    }
  }
}

/** A definition does not change while it says that it has stored a version that it has no more. */
async function forgetStoredVersions(
  server: ApiClient,
  path: string,
  object: { kind: string; spec: { versions: { name: string; storage: boolean }[] } },
): Promise<void> {
  if (object.kind !== 'CustomResourceDefinition') return;
  const stored = object.spec.versions.filter(({ storage }) => storage).map(({ name }) => name);
  const body = JSON.stringify({ status: { storedVersions: stored } });
  const contentType = MERGE_PATCH;
  await server.ask({ method: 'PATCH', path: `${path}/status`, body, contentType });
}

/** Removes all objects of a collection. */
export async function removeCollection(server: ApiClient, path: string): Promise<void> {
  await server.ask({ method: 'DELETE', path, body: DELETE_OPTIONS });
  const left = await server.get(path);
  const items: { metadata: { name: string } }[] = left.json?.items ?? [];
  for (const { metadata } of items) {
    await removeObject(server, `${path}/${encodeURIComponent(metadata.name)}`);
  }
}
