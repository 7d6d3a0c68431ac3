/** Those who follow a type inside the process, and how a shard may answer them. */
import t from 'tap';
import type { Answer } from '../../src/actors/link.ts';
import { Link } from '../../src/actors/link.ts';
import { SHARD_EVENTS, SHARD_VERBS } from '../../src/protocol/shard-protocol.ts';
import type { ShardCalls, ShardEvents, WatchPage } from '../../src/protocol/shard-protocol.ts';
import { ShardObjects } from '../../src/replicas/shard-objects.ts';
import { internalError, serviceUnavailable } from '../../src/semantics/errors/status.ts';
import { MemoryPort } from '../support/memory-port.ts';

const EVENT = { type: 'ADDED', object: { metadata: { name: 'a' } } };

/** A client of a shard that answers its watches one after the other with these errors, then well. */
function following(...errors: Error[]) {
  const [port1, port2] = MemoryPort.pair();
  const watch = (_request: object, _body: Uint8Array, answer: Answer<WatchPage>): void => {
    const error = errors.shift();
    if (error !== undefined) answer.fail(error);
    else answer.reply({ channel: 1, rv: 7 }, Buffer.from(`${JSON.stringify(EVENT)}\n`));
  };
  const shard = new Link<ShardEvents, ShardCalls>({
    peer: 'client',
    port: port2,
    sends: SHARD_EVENTS,
    receives: SHARD_VERBS,
    handlers: { watch } as never,
  });
  const objects = new ShardObjects('namespaces', port1);
  t.teardown(() => {
    objects.close();
    shard.close();
  });
  const told: unknown[] = [];
  const versions: number[] = [];
  const onVersion = (rv: number): void => void versions.push(rv);
  return {
    follow: () => objects.follow((event) => told.push(event), { onVersion }),
    told,
    versions,
  };
}

t.test('a type is followed though nobody could say for a while what is the newest', async (t) => {
  const unsure = serviceUnavailable('etcd does not answer');
  const { follow, told, versions } = following(unsure, unsure);
  await follow();
  t.same(told, [EVENT]);
  t.same(versions, [7]);
});

t.test('what else goes wrong is told', async (t) => {
  const { follow, told } = following(internalError('a bug'));
  await t.rejects(follow(), { code: 500 });
  t.same(told, []);
});
