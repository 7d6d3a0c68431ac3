/** The namespaces of a run: made at its start, deleted with all that is in them at its end. */
import type { ApiClient } from './api-client.ts';
import { RUN_LABEL } from './plan.ts';
import type { Plan } from './plan.ts';

const DELETE_MS_MAX = 60_000;
const DELETE_POLL_MS = 200;

/** Rejects with one line for the user. */
export async function createNamespaces(client: ApiClient, plan: Plan): Promise<void> {
  for (const name of plan.namespaceNames) {
    const labels = { [RUN_LABEL]: plan.options.runId };
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
    const { status, text } = await client.request(
      'POST',
      '/api/v1/namespaces',
      JSON.stringify(body),
    );
    if (status !== 201 && status !== 200) {
      throw new Error(`the server answers the create of a namespace with ${status}: ${text}`);
    }
  }
}

/** Gives those that are still there after a minute, or that the server does not delete. */
export async function deleteNamespaces(client: ApiClient, plan: Plan): Promise<string[]> {
  const deadline = performance.now() + DELETE_MS_MAX;
  const left = await Promise.all(
    plan.namespaceNames.map(async (name) => {
      const path = `/api/v1/namespaces/${name}`;
      const isGone = await deleteOne(client, path, deadline).catch(() => false);
      return isGone ? [] : [name];
    }),
  );
  return left.flat();
}

async function deleteOne(client: ApiClient, path: string, deadline: number): Promise<boolean> {
  const { status } = await client.request('DELETE', path);
  if (status === 404) return true;
  if (status >= 300 && status !== 409) return false;
  while (performance.now() < deadline) {
    if ((await client.request('GET', path)).status === 404) return true;
    await new Promise((resolve) => setTimeout(resolve, DELETE_POLL_MS));
  }
  return false;
}
