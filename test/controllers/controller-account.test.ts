/** As whom controllers write. */
import t from 'tap';
import { Link } from '../../src/actors/link.ts';
import { CONTROLLER_PROGRAM, controllerAccount } from '../../src/controllers/controller-account.ts';
import { ShardObjects } from '../../src/replicas/shard-objects.ts';
import type { Writer } from '../../src/replicas/shard-objects.ts';
import { userOfText } from '../../src/semantics/user.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../../src/protocol/shard-protocol.ts';
import type { ShardCalls, ShardEvents } from '../../src/protocol/shard-protocol.ts';
import { MemoryPort } from '../support/memory-port.ts';

const AT = { namespace: 'ns', name: 'a' };

interface Seen {
  readonly manager?: string;
  readonly user?: string;
}

/** Gives the requests that a shard gets with each way to write, by the verb. */
async function asked(writer?: Writer): Promise<Readonly<Record<string, Seen>>> {
  const [port1, port2] = MemoryPort.pair();
  const seen: Record<string, Seen> = {};
  const note = (verb: string) => (header: Seen, _body: Uint8Array, answer: { reply: Reply }) => {
    seen[verb] = { ...header };
    answer.reply({});
  };
  const handlers = Object.fromEntries(SHARD_VERBS.map((verb) => [verb, note(verb)]));
  const shard = new Link<ShardEvents, ShardCalls>({
    peer: 'client',
    port: port2,
    sends: SHARD_EVENTS,
    receives: SHARD_VERBS,
    handlers: handlers as never,
  });
  const objects = new ShardObjects('configmaps', port1, writer);
  await objects.create(AT, {});
  await objects.update(AT, {});
  await objects.apply(AT, {});
  await objects.delete(AT);
  objects.close();
  shard.close();
  return seen;
}

type Reply = (header: object) => void;

t.test('each write says whose it is', async (t) => {
  const account = controllerAccount('token-cleaner');
  const seen = await asked(account);
  for (const verb of ['create', 'update', 'patch', 'delete']) {
    t.equal(seen[verb]?.user, account.user, verb);
    if (verb !== 'delete') t.equal(seen[verb]?.manager, 'cluster-controller-manager', verb);
  }
});

t.test('what the server does by itself has no user', async (t) => {
  const { create, delete: deleted } = await asked();
  t.match(create, { manager: 'cluster-apiserver', user: undefined });
  t.equal(deleted?.user, undefined);
});

t.test('accounts have the groups of accounts', async (t) => {
  t.same(userOfText(controllerAccount('token-cleaner').user ?? ''), {
    name: 'system:serviceaccount:cluster-system:token-cleaner',
    uid: '',
    groups: [
      'system:serviceaccounts',
      'system:serviceaccounts:cluster-system',
      'system:authenticated',
    ],
  });
  t.match(userOfText(CONTROLLER_PROGRAM.user ?? ''), {
    name: 'system:kube-controller-manager',
    groups: ['system:authenticated'],
  });
});
