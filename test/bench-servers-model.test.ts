/** The model of several servers, with costs that can be reckoned by hand. */
import t from 'tap';
import { modelRows, stepCosts } from '../bench/servers-model.ts';

const WRITE = '2000 writes/s';
const ROWS = [
  {
    scenario: `${WRITE}, 0 followers: a write of the owner`,
    'CPU µs each': 100,
    'etcd CPU µs': 50,
    'etcd sent bytes': 1_000,
  },
  {
    scenario: `${WRITE}, 2 followers: a write of the owner`,
    'CPU µs each': 102,
    'etcd CPU µs': 60,
    'follower CPU µs': 20,
    'etcd transactions': 0.1,
    'etcd disk bytes': 2_000,
    'etcd sent bytes': 5_000,
  },
  {
    scenario: `${WRITE}, 2 followers: a write through one`,
    'CPU µs each': 90,
    'follower CPU µs': 60,
  },
  { scenario: 'get, 64 connections: follower beside single', 'CPU µs each': 20 },
  { scenario: '200 watches, 200 writes/s: an event: follower beside single', 'CPU µs each': 2 },
];

t.test('the owner bounds writes, and the others have time for readers', async (t) => {
  const costs = stepCosts(ROWS);
  t.match(costs, { own: 100, passed: 90, perFollower: 1, etcdPerFollower: 5, sentBytes: 2_000 });
  const [three, , fifty] = costs === undefined ? [] : modelRows(costs, { cores: 1, filled: 1 });
  // (102 + 2 * 90) / 3 = 94 µs at the owner, (60 + 2 * 20) / 3 = 33.3 at a follower, 60 at etcd.
  const writes = 1_000_000 / 94;
  t.match(three, { 'bound by': 'owner', 'writes/s': writes, 'etcd transactions/s': writes / 10 });
  const left = 3_000_000 - (writes / 2) * (94 + (2 * 100) / 3);
  t.equal(three?.['events/s beside half of these writes'], left / 2);
  t.equal(three?.['or gets/s'], left / 20);
  t.equal(fifty?.['bound by'], 'etcd', 'which sends each write to all');
  t.equal(fifty?.['writes/s'], 1_000_000 / (50 + 49 * 5));
});

t.test('without a real etcd there is none', async (t) => {
  t.equal(stepCosts(ROWS.map(({ 'etcd CPU µs': _etcd, ...row }) => row)), undefined);
});
