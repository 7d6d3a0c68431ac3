// Webhooks that deny the deletion of some objects and are slow about that of others, while many
// are deleted together: nothing is left behind once they deny no more.
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startAdmissionWebhook, type AdmissionReview } from '../support/admission-webhook.ts';
import { HeldWebhook } from '../support/held-webhook.ts';
import { CONFIG_MAPS, Hooked } from '../support/hooked.ts';
import type { TestObject } from '../support/kinds.ts';
import { until } from '../support/owned-objects.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
const webhook = await startAdmissionWebhook(t);
const SLOW_MS = 100;
/** Codes of refusals: webhooks give none, or mostly these. */
const CODES = [undefined, 403, 404] as const;

/** Denies what is labelled so while it is told to, and takes its time for other things. */
class Denial {
  isOn = true;
  denied = 0;
  readonly #code: number | undefined;

  constructor(code: number | undefined) {
    this.#code = code;
  }

  readonly behaviour = async ({ request }: AdmissionReview) => {
    const { labels = {} } = (request.oldObject?.['metadata'] ?? {}) as TestObject;
    if (labels.slow === 'yes') await sleep(SLOW_MS);
    if (!this.isOn || labels.deny !== 'yes') return {};
    this.denied += 1;
    return { allowed: false, status: { message: 'not yet', code: this.#code } };
  };
}

let bedsMade = 0;

/** A namespace with objects a webhook denies, is slow about, and neither. */
async function bed(code: number | undefined) {
  const here = new Hooked(server, webhook, `deletions-${++bedsMade}`);
  await here.begin();
  const denial = new Denial(code);
  const make = async (name: string, owners: readonly TestObject[] = []): Promise<TestObject> => {
    const ownerReferences = owners.map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: metadata.name,
      uid: metadata.uid,
      blockOwnerDeletion: true,
    }));
    const labels = { [name.replace(/-.*/, '')]: 'yes' };
    const made = await here.make(name, { metadata: { name, labels, ownerReferences } });
    if (made.status !== 201) throw new Error(made.text);
    return made.json;
  };
  const names = async (): Promise<string[]> => {
    const { json } = await server.get(here.path());
    return json.items.map(({ metadata }: TestObject) => metadata.name);
  };
  const remain = async (...expected: string[]): Promise<void> => {
    await until(async () => (await names()).join() === expected.join()).catch(async () => {
      throw new Error(`${(await names()).join()} instead of ${expected.join()}`);
    });
  };
  return { here, denial, make, names, remain };
}

for (const code of CODES) {
  const said = `denied with ${code ?? 'no code'}`;
  const hook = (denial: Denial, operation: string) => ({
    deny: { behaviour: denial.behaviour, rules: [{ ...CONFIG_MAPS, operations: [operation] }] },
  });

  t.test(`a collection, ${said}`, async (t) => {
    const { here, denial, make, remain } = await bed(code);
    for (const name of ['a', 'deny-1', 'slow-1']) await make(name);
    await here.register(t, 'Validating', hook(denial, 'DELETE'));
    const refused = await server.delete(here.path());
    // A deletion by somebody else is no failure by then: the reference, too, goes by the code.
    t.equal(refused.status, code === 404 ? 200 : (code ?? 400), refused.text);
    t.equal((await server.get(here.path('a'))).status, 404, 'what came before it is gone');
    t.equal((await server.get(here.path('deny-1'))).status, 200);
    denial.isOn = false;
    t.equal((await server.delete(here.path())).status, 200);
    await remain();
  });

  t.test(`dependents, ${said}`, async (t) => {
    const { here, denial, make, remain } = await bed(code);
    for (const name of ['background', 'foreground']) {
      const owner = await make(name);
      await make(`a-${name}`, [owner]);
      await make(`deny-${name}`, [owner]);
      await make(`slow-${name}`, [owner]);
    }
    const end = await here.register(t, 'Validating', hook(denial, 'DELETE'));
    for (const [name, propagationPolicy] of [
      ['background', 'Background'],
      ['foreground', 'Foreground'],
    ] as const) {
      const deleted = await server.delete(here.path(name), { propagationPolicy });
      t.equal(deleted.status, 200, deleted.text);
    }
    await remain('deny-background', 'deny-foreground', 'foreground');
    t.ok(denial.denied >= 2);
    // In the next attempt too, which comes by itself.
    const { denied } = denial;
    await until(async () => denial.denied > denied + 1);
    denial.isOn = false;
    await remain();
    await end();
  });

  t.test(`orphans, ${said}`, async (t) => {
    const { here, denial, make, remain } = await bed(code);
    const owner = await make('owner');
    for (const name of ['a', 'deny-1', 'slow-1']) await make(name, [owner]);
    await here.register(t, 'Validating', hook(denial, 'UPDATE'));
    const deleted = await server.delete(here.path('owner'), { propagationPolicy: 'Orphan' });
    t.equal(deleted.status, 200);
    await until(async () => denial.denied > 1);
    t.equal((await server.get(here.path('owner'))).status, 200, 'it waits');
    denial.isOn = false;
    await remain('a', 'deny-1', 'slow-1');
    for (const name of ['a', 'deny-1', 'slow-1']) {
      const { json } = await server.get(here.path(name));
      t.equal(json.metadata.ownerReferences, undefined, `${name} has no owner`);
    }
  });

  t.test(`a namespace, ${said}`, async (t) => {
    const { here, denial, make, remain } = await bed(code);
    for (const name of ['a', 'deny-1', 'slow-1']) await make(name);
    await here.register(t, 'Validating', hook(denial, 'DELETE'));
    const at = `/api/v1/namespaces/${here.namespace}`;
    await server.delete(at);
    await remain('deny-1');
    await until(async () => denial.denied > 1);
    t.equal((await server.get(at)).json.status.phase, 'Terminating');
    denial.isOn = false;
    await until(async () => (await server.get(at)).status === 404);
    t.equal((await server.get(here.path('deny-1'))).status, 404);
  });
}

for (const [operation, propagationPolicy] of [
  ['DELETE', 'Background'],
  ['UPDATE', 'Orphan'],
] as const) {
  t.test(`a webhook of ${operation} does not hold up the collector`, async (t) => {
    const [first, second] = [await bed(undefined), await bed(undefined)];
    const held = new HeldWebhook();
    const rules = [{ ...CONFIG_MAPS, operations: [operation] }];
    const objectSelector = { matchLabels: { slow: 'yes' } };
    await first.here.register(t, 'Validating', {
      held: { behaviour: held.behaviour, rules, objectSelector, timeoutSeconds: 30 },
    });
    for (const { make } of [first, second]) {
      const owner = await make('owner');
      for (const name of ['a', 'slow-1']) await make(name, [owner]);
    }
    const deleted = await server.delete(first.here.path('owner'), { propagationPolicy });
    t.equal(deleted.status, 200);
    await held.asked();
    t.equal((await server.delete(second.here.path('owner'))).status, 200);
    await second.remain();
    t.equal(first.here.requests('held').length, 1, 'it waits all the while');
    held.release();
    await first.remain(...(operation === 'UPDATE' ? ['a', 'slow-1'] : []));
  });
}

t.end();
