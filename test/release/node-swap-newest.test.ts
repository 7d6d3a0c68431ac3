/** Swap of a node that its status got, which is looked at when the node itself is written. */
import t from 'tap';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer('--release=1.37');
const MERGE = { 'content-type': 'application/merge-patch+json' };

t.test('a write of the node looks at the swap that its status has', async (t) => {
  await server.post('/api/v1/nodes', { metadata: { name: 'a' } });
  const swap = JSON.stringify({ status: { nodeInfo: { swap: { capacity: 0 } } } });
  const status = await server.request('PATCH', '/api/v1/nodes/a/status', swap, MERGE);
  t.equal(status.status, 200, status.text);
  const labels = JSON.stringify({ metadata: { labels: { a: 'b' } } });
  const { json } = await server.request('PATCH', '/api/v1/nodes/a', labels, MERGE);
  t.match(json.message, /metadata\.nodeSwapStatus\.capacity: Invalid value: 0: must be greater/);
});
