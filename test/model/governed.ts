/**
 * A namespace whose writes others have a say in: webhooks that change and refuse some of them, now
 * and then only after a while, and a quota of which there is less than is asked for. What becomes
 * of a write can be told from its record: the model knows the same rules.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  patchOf,
  startAdmissionWebhook,
  type AdmissionReview,
} from '../support/admission-webhook.ts';
import type { TestObject } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import type { Random } from '../support/random.ts';
import { GROUP } from './custom-kinds.ts';
import type { LiveRun } from './live-run.ts';
import type { Observed, WriteRecord } from './records.ts';
import { ADMITTED, STAMP } from './records.ts';

const NAMESPACE = 'n2';
/** How many objects of a type there may be, by its name in the quota. */
const QUOTA: Readonly<Record<string, readonly [counted: string, path: string, hard: number]>> = {
  ConfigMap: ['configmaps', '/api/v1', 4],
  Secret: ['count/secrets', '/api/v1', 5],
  Lease: ['count/leases.coordination.cluster.io', '/apis/coordination.cluster.io/v1', 4],
  Widget: [`count/widgets.${GROUP}`, `/apis/${GROUP}/v1`, 5],
};
const QUOTAS = `/api/v1/namespaces/${NAMESPACE}/resourcequotas`;
const DENIED_EVERY = 23;
const SLOW_SHARE = 0.2;
const SLOW_MS_MAX = 40;

export function isGoverned(key: string): boolean {
  return key.startsWith(`${NAMESPACE}/`);
}

/** Whether the webhook refuses a write, whenever it comes. */
export function isDenied({ key, stamp }: Pick<WriteRecord, 'key' | 'stamp'>): boolean {
  return isGoverned(key) && stamp !== '' && Number(stamp.slice(1)) % DENIED_EVERY === 0;
}

/** How many objects of a type there may be in the namespace. */
export function hardOf(type: string): number {
  return QUOTA[type]?.[2] ?? Infinity;
}

/** How many of these there are in it. */
export function countGoverned(objects: Iterable<Observed>): number {
  let count = 0;
  for (const { key } of objects) if (isGoverned(key)) count++;
  return count;
}

/** By the message of an answer with 403. */
export function refusedBy(message: string): WriteRecord['refusedBy'] {
  if (message.includes(' denied the request: ')) return 'webhook';
  return message.includes(' exceeded quota: ') ? 'quota' : undefined;
}

/** Registers the webhooks and makes the quota. Resolves with what ends the webhooks. */
export async function govern(run: LiveRun, random: Random): Promise<() => Promise<void>> {
  const teardowns: (() => unknown)[] = [];
  const webhook = await startAdmissionWebhook({ teardown: (end) => void teardowns.push(end) });
  const late = async (): Promise<void> => {
    if (random.fraction() < SLOW_SHARE) await sleep(random.below(SLOW_MS_MAX));
  };
  const admit = async ({ request }: AdmissionReview) => {
    await late();
    const path = `/metadata/annotations/${ADMITTED.replace('/', '~1')}`;
    return patchOf({ op: 'add', path, value: stampOf(request.object) });
  };
  const validate = async ({ request }: AdmissionReview) => {
    await late();
    const { name = '', namespace = '', object } = request;
    if (request.operation === 'DELETE') return {};
    const stamp = stampOf(object);
    const { annotations = {} } = object['metadata'] as TestObject;
    // It is asked after the other one: no history has a write that is refused so.
    if (annotations[ADMITTED] !== stamp) return { allowed: false, status: { code: 418 } };
    const key = `${String(namespace)}/${name}`;
    const status = { code: 403, message: 'it is denied' };
    return isDenied({ key, stamp }) ? { allowed: false, status } : {};
  };
  const operations = ['CREATE', 'UPDATE'];
  await register(run, 'Mutating', operations, webhook.at('admit', admit));
  await register(run, 'Validating', [...operations, 'DELETE'], webhook.at('validate', validate));
  const hard = Object.fromEntries(
    Object.values(QUOTA).map(([counted, , most]) => [counted, String(most)]),
  );
  await made(run, QUOTAS, { metadata: { name: 'few' }, spec: { hard } });
  await until(async () => (await used(run)) !== undefined);
  return async () => {
    for (const end of teardowns) await end();
  };
}

function stampOf(object: TestObject): string {
  return object.metadata.annotations?.[STAMP] ?? '';
}

async function register(
  run: LiveRun,
  sort: 'Mutating' | 'Validating',
  operations: readonly string[],
  clientConfig: object,
): Promise<void> {
  const group = 'admissionregistration.cluster.io';
  const kind = `${sort}WebhookConfiguration`;
  const name = `${sort.toLowerCase()}.example.com`;
  const rules = [
    { apiGroups: [''], resources: ['configmaps', 'secrets'] },
    { apiGroups: ['coordination.cluster.io'], resources: ['leases'] },
    { apiGroups: [GROUP], resources: ['widgets'] },
  ].map((rule) => ({ operations, apiVersions: ['*'], ...rule }));
  await made(run, `/apis/${group}/v1/${kind.toLowerCase()}s`, {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name },
    webhooks: [
      {
        name,
        clientConfig,
        rules,
        namespaceSelector: { matchLabels: { 'cluster.io/metadata.name': NAMESPACE } },
        timeoutSeconds: 30,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

async function made(run: LiveRun, path: string, body: object): Promise<void> {
  const answer = await run.server.post(path, body);
  if (answer.status !== 201) throw new Error(answer.text);
}

async function used(run: LiveRun): Promise<Readonly<Record<string, string>> | undefined> {
  const { json } = await run.server.get(`${QUOTAS}/few`);
  return json.status?.used;
}

/** In the end the quota says what there is. Rejects where it does not. */
export async function checkUsed(run: LiveRun): Promise<void> {
  const there: Record<string, string> = {};
  for (const [type, [counted, root]] of Object.entries(QUOTA)) {
    const path = `${root}/namespaces/${NAMESPACE}/${type.toLowerCase()}s`;
    there[counted] = String((await run.server.get(path)).json.items.length);
  }
  let said: Readonly<Record<string, string>> = {};
  const isSame = async (): Promise<boolean> => {
    said = (await used(run)) ?? {};
    return Object.entries(there).every(([counted, count]) => said[counted] === count);
  };
  await until(isSame).catch(() => {
    throw new Error(`used is ${JSON.stringify(said)}, there is ${JSON.stringify(there)}`);
  });
}
