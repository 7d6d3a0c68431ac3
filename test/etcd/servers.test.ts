import t from 'tap';
import { connectEtcd } from '../../src/etcd/connect.ts';
import type { EtcdClient } from '../../src/etcd/etcd.ts';
import { failureOf } from '../support/etcd/failure-of.ts';
import { ETCD_MESSAGES } from '../support/etcd/messages.ts';

const key = Buffer.from('key');

function connect(...servers: string[]): EtcdClient {
  return connectEtcd({ servers, messages: ETCD_MESSAGES });
}

t.test('where nothing listens, nothing was done', async (t) => {
  const client = connect('http://127.0.0.1:1', 'http://127.0.0.1:2');
  t.teardown(() => client.close());
  const options = { deadlineMs: 300 };
  const calls = [
    client.range({ key }, options),
    client.txn({ success: [{ put: { key, value: key } }] }, options),
    client.compact(1, options),
    client.leaseGrant({ ttlSeconds: 5 }, options),
    client.status(options),
  ];
  for (const failure of await Promise.all(calls.map(failureOf))) {
    t.match(failure, { sort: 'unavailable', message: /^etcd: http:\/\/127\.0\.0\.1:[12]: / });
  }
});

t.test('a call that is made when the client is closed, or before, ends', async (t) => {
  const client = connect('http://127.0.0.1:1');
  const early = client.range({ key });
  client.close();
  t.equal((await failureOf(early)).sort, 'unavailable');
  t.equal((await failureOf(client.txn({}))).sort, 'unavailable');
});

t.test('addresses that are none are refused in a line', async (t) => {
  for (const server of ['127.0.0.1:2379', 'ftp://etcd', 'http://etcd/path', 'http://a@etcd', '']) {
    t.throws(
      () => connect(server),
      { message: `"${server}" is no URL of an etcd server like http://127.0.0.1:2379` },
      server,
    );
  }
  t.throws(() => connect(), { message: 'give at least one server of etcd' });
  for (const server of ['http://etcd', 'https://etcd-0.example.com:443/', 'http://[::1]:2379']) {
    connect(server).close();
  }
});
