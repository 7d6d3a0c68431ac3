/** Objects go with their type when its definition is deleted. */
import t from 'tap';
import { LinkClosedError } from '../../src/actors/link.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { CustomTypes } from '../../src/cluster/custom-types.ts';
import type {
  GoneDefinition,
  TypeContent,
} from '../../src/controllers/definitions/type-protocol.ts';
import type { Store } from '../../src/storage/store.ts';
import { customKey } from '../../src/types/custom/custom-type-facts.ts';

const NAME = 'widgets.example.com';

/** The answer for a type whose shard answers each verb so. */
async function emptied(answers: Record<string, () => Promise<unknown>>): Promise<TypeContent> {
  const link = { call: (verb: string) => answers[verb]?.() };
  const cluster = { shards: new Map([[customKey(NAME), link]]) } as unknown as Cluster;
  const types = new CustomTypes({
    cluster: () => cluster,
    store: {} as Store,
    onLogDropped: () => undefined,
    logError: (text) => t.fail(text),
  });
  return new Promise((resolve, reject) => {
    const answer = { reply: resolve, replyGiven: resolve, fail: reject };
    types.handlers.emptyType({ name: NAME }, new Uint8Array(0), answer);
  });
}

const closed = (): Promise<never> => Promise.reject(new LinkClosedError('the link is closed'));

t.test('what is left, and why, is told', async (t) => {
  const refused = (): Promise<never> => Promise.reject(new Error('held'));
  const ping = (): Promise<unknown> => Promise.resolve({ objects: 2, storageError: '' });
  const content = await emptied({ deleteCollection: refused, ping });
  t.same(content, { remaining: 2, problems: ['held'] });
});

t.test('a type that goes meanwhile leaves nothing, and nothing went wrong', async (t) => {
  const nothing = { remaining: 0, problems: [] };
  t.same(await emptied({ deleteCollection: closed, ping: closed }), nothing);
  const deleteCollection = (): Promise<unknown> => Promise.resolve({ code: 200 });
  t.same(await emptied({ deleteCollection, ping: closed }), nothing);
});

t.test('what a snapshot has of a type is given up with the last of them', async (t) => {
  let needed = new Set(['kept']);
  const dropped: string[] = [];
  const snapshots = { isOn: true, needsLog: (uid: string) => Promise.resolve(needed.has(uid)) };
  const fronts = { typeGone: () => Promise.resolve() };
  const stopType = (): Promise<void> => Promise.resolve();
  const types = new CustomTypes({
    cluster: () => ({ snapshots, fronts, stopType }) as unknown as Cluster,
    store: { dropLog: (name: string) => Promise.resolve(void dropped.push(name)) } as Store,
    onLogDropped: () => undefined,
    logError: (text) => t.fail(text),
  });
  const gone = (definition: GoneDefinition): Promise<undefined> =>
    new Promise((resolve, reject) => {
      const answer = { reply: resolve, replyGiven: resolve, fail: reject };
      types.handlers.typeGone(definition, new Uint8Array(0), answer);
    });
  await gone({ name: NAME, uid: 'kept' });
  await gone({ name: NAME, uid: 'later' });
  await types.dropUnneeded();
  t.strictSame(dropped, ['later']);
  needed = new Set();
  await types.dropUnneeded();
  t.strictSame(dropped, ['later', 'kept']);
  await gone({ name: NAME, uid: 'anew', isMadeAnew: true });
  t.strictSame(dropped, ['later', 'kept', 'anew'], 'at once');
});
