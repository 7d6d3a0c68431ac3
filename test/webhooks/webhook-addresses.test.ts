/** Where webhooks are called: at what was said, as everybody reads it, or nowhere. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { ApiObject } from '../../src/resources/kind.ts';
import { ServiceAddresses } from '../../src/webhooks/service-addresses.ts';
import { WebhookClient } from '../../src/webhooks/webhook-client.ts';

const SERVICE = { namespace: 'a', name: 'hook', port: 443 };

function resolve(spec: object, ...ips: string[]) {
  const service = { metadata: {}, spec } as ApiObject;
  const subsets = [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 8443 }] }];
  const endpoints = { metadata: {}, subsets } as ApiObject;
  const objects = {
    service: async () => service,
    endpoints: async () => endpoints,
    slices: async () => [],
  };
  return new ServiceAddresses(objects, () => 0).resolve(SERVICE);
}

t.test('endpoints of a service', async (t) => {
  const spec = { ports: [{ port: 443 }] };
  t.same(await resolve(spec, '10.0.0.1'), { host: '10.0.0.1', port: 8443 });
  t.same(await resolve(spec, 'FD00:0::1'), { host: 'fd00::1', port: 8443 });
  t.same(await resolve(spec, '::ffff:10.0.0.1'), { host: '10.0.0.1', port: 8443 });
  const strange = ['0177.0.0.1', '127.1', '0x7f.0.0.1', '2130706433', '[::1]', '::1%lo', ''];
  const none = { message: 'no endpoints available for service "hook"' };
  for (const ip of strange) await t.rejects(resolve(spec, ip), none, ip);
  t.same(await resolve(spec, ...strange, '10.0.0.1'), { host: '10.0.0.1', port: 8443 });
});

t.test('external names', async (t) => {
  const of = (externalName: string) => resolve({ type: 'ExternalName', externalName });
  t.same(await of('hooks.example.com'), { host: 'hooks.example.com', port: 443 });
  for (const name of ['127.1', '0x7f000001', '2130706433', 'example.0177']) {
    await t.rejects(of(name), { message: `dial tcp: lookup ${name}: no such host` });
  }
});

t.test('addresses in URLs', async (t) => {
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const client = new WebhookClient(() => Promise.reject(new Error('there is no service')));
  const call = (host: string) =>
    client.call({ url: `https://${host}:${port}/x`, caBundle: '' }, '{}', 10_000);
  for (const host of [
    '0177.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '%31%32%37.0.0.1',
    '127。1',
  ]) {
    const message = `Post "https://127.0.0.1:${port}/x?timeout=10s": dial tcp: lookup ${host}: no such host`;
    await t.rejects(call(host), { message });
  }
  t.equal(connections, 0);
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]'])
    await t.rejects(call(host), /EOF|reset by peer/, host);
  t.equal(connections, 2, 'whoever says it gets there');
  client.close();
  listener.close();
});

t.end();
