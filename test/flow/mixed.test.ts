/**
 * Many clients that mix all verbs: every answer is one that the API defines. Some thousand requests
 * here; `node test/flow/mixed.test.ts --seconds 30` (or MIXED_SECONDS=30) for the long form.
 */
import t from 'tap';
import { expectUnharmed } from '../support/expect-status.ts';
import { KINDS, minimalObject, objectPath, typePath } from '../support/kinds.ts';
import type { KindUnderTest } from '../support/kinds.ts';
import { Random, seedFrom } from '../support/random.ts';
import { startServer } from '../support/server.ts';
import type { Answer } from '../support/server.ts';

const CLIENTS = 200;
/** Few names, so that clients get into each other's way. */
const NAMES = 40;
const flag = process.argv.indexOf('--seconds');
const SECONDS = Number((flag > 0 ? process.argv[flag + 1] : process.env['MIXED_SECONDS']) ?? 0);
/** So many that each verb succeeds at times, however slow the machine. */
const ACTIONS_MIN = 2_500;
const kinds = KINDS.filter(({ kind }) => kind !== 'Namespace') as [KindUnderTest];

/** Statuses that each verb may have here; 429 is a full mailbox. */
const DEFINED: Readonly<Record<string, readonly number[]>> = {
  get: [200, 404, 429],
  list: [200, 429],
  create: [201, 409, 429],
  update: [200, 201, 404, 409, 429],
  status: [200, 404, 409, 429],
  delete: [200, 404, 409, 429],
  watch: [200, 429],
};

t.setTimeout((SECONDS + 300) * 1_000);

t.test(`${CLIENTS} clients mix all verbs`, async (t) => {
  const seed = seedFrom('MIXED_SEED');
  t.comment(`MIXED_SEED=${seed}`);
  const server = await startServer({ test: t });
  const counts = new Map<string, number>();
  const wrong: string[] = [];

  const record = (verb: string, answer: Pick<Answer, 'status' | 'text'>): void => {
    const key = `${verb} ${answer.status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (!DEFINED[verb]?.includes(answer.status)) wrong.push(`${key}: ${answer.text.slice(0, 300)}`);
  };

  const actions: Record<string, (random: Random, kind: KindUnderTest) => Promise<void>> = {
    get: async (random, kind) => {
      record('get', await server.get(objectPath(kind, `mixed-${random.below(NAMES)}`)));
    },
    list: async (_random, kind) => {
      const answer = await server.get(typePath(kind));
      record('list', answer);
      if (answer.status === 200 && answer.json?.kind !== `${kind.kind}List`) {
        wrong.push(`list of ${kind.kind}: ${answer.text.slice(0, 300)}`);
      }
    },
    create: async (random, kind) => {
      const object = minimalObject(kind, `mixed-${random.below(NAMES)}`);
      record('create', await server.post(typePath(kind), object));
    },
    update: async (random, kind) => {
      const path = objectPath(kind, `mixed-${random.below(NAMES)}`);
      const { status, json } = await server.get(path);
      if (status !== 200) return;
      json.metadata.annotations = { 'example.com/round': `${random.below(1_000_000)}` };
      record('update', await server.put(path, json));
    },
    status: async (random) => {
      const withStatus = kinds.filter((kind) => kind.hasStatus) as [KindUnderTest];
      const path = objectPath(random.pick(withStatus), `mixed-${random.below(NAMES)}`);
      const { status, json } = await server.get(path);
      if (status === 200) record('status', await server.put(`${path}/status`, json));
    },
    delete: async (random, kind) => {
      record('delete', await server.delete(objectPath(kind, `mixed-${random.below(NAMES)}`)));
    },
    watch: async (_random, kind) => {
      const watch = await server.watch(`${typePath(kind)}?watch=true&timeoutSeconds=1`);
      record('watch', { status: watch.status, text: watch.rest });
      await watch.end();
      if (watch.rest !== '') wrong.push(`watch of ${kind.kind} ended with ${watch.rest}`);
      for (const { type, raw } of watch.events) if (type === 'ERROR') wrong.push(raw);
    },
  };

  const weighted = ['get', 'get', 'get', 'get', 'list', 'create', 'create', 'update', 'update'];
  const choices = [...weighted, 'status', 'delete', 'watch'] as unknown as [string];
  const end = Date.now() + SECONDS * 1_000;
  let begun = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const random = new Random(seed + client);
      while (Date.now() < end || begun < ACTIONS_MIN) {
        begun += 1;
        await actions[random.pick(choices)]!(random, random.pick(kinds));
      }
    }),
  );

  for (const [key, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    t.comment(`${key}: ${count}`);
  t.same(wrong.slice(0, 20), [], 'every answer is one that the API defines');
  for (const verb of Object.keys(DEFINED)) {
    const done = [...counts].some(([key]) => new RegExp(`^${verb} 20`).test(key));
    t.ok(done, `${verb} succeeded at times`);
  }
  await expectUnharmed(t, server);
});

t.end();
