// Cluster IPs and node ports of services: no two services have the same.
import t from 'tap';
import type { Service, ServicePort, ServiceSpec } from '#messages/core.v1';
import type { RandomBelow } from '../../src/resources/core/services/address-range.ts';
import { ServiceAllocator } from '../../src/resources/core/services/service-allocator.ts';
import { prepareServiceUpdate } from '../../src/resources/core/services/service-links.ts';
import {
  parseClusterIpRange,
  parseClusterIpRanges,
  parseNodePortRange,
} from '../../src/resources/core/services/service-ranges.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';
import { Random, seedFrom } from '../support/random.ts';
import { texts } from './kind-rules.ts';

const IPS = '10.0.0.0/29';
const PORTS = '30000-30003';

function allocator(randomBelow: RandomBelow = () => 0): ServiceAllocator {
  return new ServiceAllocator([parseClusterIpRange(IPS)], parseNodePortRange(PORTS), {
    randomBelow,
  });
}

function service(spec: ServiceSpec): Service {
  return { metadata: { name: 'a' }, spec: { type: 'ClusterIP', ...spec } };
}

function port(number: number, nodePort = 0, protocol = 'TCP'): ServicePort {
  return { name: `p${number}-${protocol}`, port: number, protocol, nodePort };
}

/**
 * As the service is prepared and then written: what it held and its successor does not is freed.
 */
function update(
  account: ServiceAllocator,
  stored: Service,
  spec: ServiceSpec,
): { readonly updated: Service; readonly errors: string[] } {
  const updated = service(spec);
  prepareServiceUpdate(updated, stored, ['IPv4']);
  const errors = texts(account.allocate(updated, stored));
  if (errors.length === 0) account.release(stored, updated);
  return { updated, errors };
}

function nodePorts({ spec }: Service): number[] {
  return spec?.ports?.map(({ nodePort = 0 }) => nodePort) ?? [];
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return '';
}

t.test('an address for each service but headless and external ones', async (t) => {
  const account = allocator();
  const made = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6'];
  for (const expected of made) {
    const each = service({});
    t.same(account.allocate(each, undefined), []);
    t.match(each.spec, { clusterIP: expected, clusterIPs: [expected] });
  }
  for (const spec of [
    { clusterIP: 'None', clusterIPs: ['None'] },
    { type: 'ExternalName', externalName: 'example.com' },
  ]) {
    const each = service(spec);
    t.same(account.allocate(each, undefined), []);
    t.match(each.spec, spec, 'none is needed');
  }
  t.equal(
    refusal(() => account.allocate(service({}), undefined)),
    '500 Internal error occurred: failed to allocate a serviceIP: range is full',
  );
  account.release(service({ clusterIPs: ['10.0.0.3'] }), undefined);
  const last = service({});
  t.same(account.allocate(last, undefined), []);
  t.equal(last.spec?.clusterIP, '10.0.0.3', 'the one that was given back is found by looking');
});

t.test('addresses that are asked for', async (t) => {
  const account = allocator();
  const ask = (clusterIP: string): string[] =>
    texts(account.allocate(service({ clusterIP, clusterIPs: [clusterIP] }), undefined));
  const problem = (ip: string, why: string): string =>
    `spec.clusterIPs: Invalid value: []string{"${ip}"}: failed to allocate IP ${ip}: ${why}`;
  t.same(ask('10.0.0.5'), []);
  t.same(ask('10.0.0.5'), [problem('10.0.0.5', 'provided IP is already allocated')]);
  for (const outside of ['10.0.0.0', '10.0.0.7', '1.2.3.4']) {
    const why = `the provided IP (${outside}) is not in the valid range. The range of valid IPs is ${IPS}`;
    t.same(ask(outside), [problem(outside, why)]);
  }
});

t.test('addresses of two families', async (t) => {
  const ranges = parseClusterIpRanges(`fd00::/112,${IPS}`);
  const account = new ServiceAllocator(ranges, parseNodePortRange(PORTS), { randomBelow: () => 0 });
  const made = (spec: ServiceSpec): readonly string[] => {
    const each = service(spec);
    t.same(account.allocate(each, undefined), []);
    t.equal(each.spec?.clusterIP, each.spec?.clusterIPs?.[0]);
    return each.spec?.clusterIPs ?? [];
  };
  t.same(made({}), ['fd00::1'], 'that of the first range, where none is asked for');
  t.same(made({ ipFamilies: ['IPv4', 'IPv6'] }), ['10.0.0.1', 'fd00::2']);
  t.same(made({ ipFamilies: ['IPv6', 'IPv4'], clusterIPs: ['fd00::a'] }), ['fd00::a', '10.0.0.2']);
  const taken = service({ ipFamilies: ['IPv4', 'IPv6'], clusterIPs: ['10.0.0.3', 'fd00::a'] });
  const [error = ''] = texts(account.allocate(taken, undefined));
  t.match(error, 'failed to allocate IP fd00::a: provided IP is already allocated');
  t.same(made({ ipFamilies: ['IPv4'], clusterIPs: ['10.0.0.3'] }), ['10.0.0.3'], 'given back');
  const stored = service({ ipFamilies: ['IPv6', 'IPv4'], clusterIPs: ['fd00::a', '10.0.0.2'] });
  account.release(stored, service({ ipFamilies: ['IPv6'], clusterIPs: ['fd00::a'] }));
  t.same(made({ ipFamilies: ['IPv4'] }), ['10.0.0.2'], 'the second one of a service that has one');
});

t.test('low addresses and ports are given out last', async (t) => {
  const account = new ServiceAllocator(
    [parseClusterIpRange('10.0.0.0/27')],
    parseNodePortRange('30000-30031'),
    { randomBelow: () => 0, keepsLow: { addresses: true, ports: true } },
  );
  const given = Array.from({ length: 15 }, () => {
    const each = service({ type: 'NodePort', ports: [port(80)] });
    t.same(account.allocate(each, undefined), []);
    return [each.spec?.clusterIP, nodePorts(each)[0]];
  });
  t.same(given[0], ['10.0.0.17', 30_016]);
  t.same(given[13], ['10.0.0.30', 30_029]);
  t.same(given[14], ['10.0.0.1', 30_030]);
});

t.test('node ports of new services', async (t) => {
  const made = (spec: ServiceSpec, account = allocator()): number[] => {
    const each = service(spec);
    t.same(account.allocate(each, undefined), []);
    return nodePorts(each);
  };
  const both = [port(80), port(443)];
  t.same(made({ type: 'NodePort', ports: both.map((each) => ({ ...each })) }), [30_000, 30_001]);
  t.same(made({ type: 'LoadBalancer', ports: [port(80)] }), [30_000]);
  t.same(made({ ports: [port(80)] }), [0], 'a ClusterIP service has none');
  t.same(
    made({
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      ports: [port(80), port(443, 30_003)],
    }),
    [0, 30_003],
    'a load balancer may go without',
  );
  t.same(
    made({ type: 'NodePort', ports: [port(53, 0, 'TCP'), port(53, 0, 'UDP')] }),
    [30_000, 30_000],
    'the same for one port of two protocols',
  );
  t.same(
    made({ type: 'NodePort', ports: [port(53, 0, 'TCP'), port(53, 30_002, 'UDP')] }),
    [30_002, 30_002],
    'the one that was asked for by either',
  );
});

t.test('node ports that cannot be given', async (t) => {
  const account = allocator();
  const ask = (...ports: ServicePort[]): string[] =>
    texts(account.allocate(service({ type: 'NodePort', ports }), undefined));
  t.same(ask(port(80, 30_000)), []);
  t.same(ask(port(80, 30_001), port(443, 30_000)), [
    'spec.ports[1].nodePort: Invalid value: 30000: provided port is already allocated',
  ]);
  t.same(ask(port(80, 30_001), port(443, 29_999)), [
    `spec.ports[1].nodePort: Invalid value: 29999: provided port is not in the valid range. The range of valid ports is ${PORTS}`,
  ]);
  t.same(ask(port(80, 30_001)), [], 'what was taken on the way was given back');
  const rest = [port(1), port(2), port(3)];
  t.equal(
    refusal(() => ask(...rest)),
    '500 Internal error occurred: failed to allocate a nodePort: range is full',
  );
  t.same(ask(port(1), port(2)), [], 'and so it was when nothing was left');
});

t.test('a port for health checks', async (t) => {
  const account = allocator();
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [port(80)] };
  const first = service(structuredClone(local));
  t.same(account.allocate(first, undefined), []);
  t.equal(first.spec?.healthCheckNodePort, 30_001, 'after those of the ports');
  t.equal(
    refusal(() => account.allocate(service({ ...local, healthCheckNodePort: 30_001 }), undefined)),
    '500 Internal error occurred: failed to allocate requested HealthCheck NodePort 30001: provided port is already allocated',
  );
  const { updated, errors } = update(account, first, { ...first.spec, type: 'NodePort' });
  t.same(errors, []);
  t.equal(updated.spec?.healthCheckNodePort, undefined, 'a NodePort service has none');
  t.same(
    account.allocate(service({ ...local, ports: [], healthCheckNodePort: 30_001 }), undefined),
    [],
  );
});

t.test('updates keep what they can', async (t) => {
  const account = allocator();
  const stored = service({ type: 'NodePort', ports: [port(80), port(443)] });
  t.same(account.allocate(stored, undefined), []);
  t.same(nodePorts(stored), [30_000, 30_001]);

  const same = update(account, stored, { type: 'NodePort', ports: [port(443), port(80)] });
  t.same(same.errors, []);
  t.same(nodePorts(same.updated), [30_001, 30_000], 'ports are known by their names');
  t.equal(same.updated.spec?.clusterIP, stored.spec?.clusterIP);

  const fewer = update(account, same.updated, { type: 'NodePort', ports: [port(80)] });
  const other = service({ type: 'NodePort', ports: [port(1, 30_001)] });
  t.same(account.allocate(other, undefined), [], 'a port that is gone is free');

  const moved = update(account, fewer.updated, { type: 'NodePort', ports: [port(80, 30_003)] });
  t.same(moved.errors, []);
  t.same(update(account, moved.updated, { type: 'NodePort', ports: [port(80, 30_001)] }).errors, [
    'spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated',
  ]);

  const external = update(account, moved.updated, { type: 'ExternalName', ports: [port(80)] });
  t.same(external.errors, []);
  t.same(external.updated.spec?.clusterIP ?? '', '');
  t.same(nodePorts(external.updated), [0]);
  const heir = service({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] });
  t.same(account.allocate(heir, undefined), [], 'an ExternalName service gives its address back');

  const back = update(account, external.updated, { type: 'NodePort', ports: [port(80)] });
  t.same(back.errors, []);
  t.match(back.updated.spec, { clusterIP: '10.0.0.3' }, 'and gets another later');
  t.same(nodePorts(back.updated), [30_000]);
});

t.test('an update may use one node port for two protocols', async (t) => {
  const account = allocator();
  const stored = service({ type: 'NodePort', ports: [port(80)] });
  account.allocate(stored, undefined);
  const ports = [port(80, 30_002), port(81, 30_002, 'UDP')];
  t.same(update(account, stored, { type: 'NodePort', ports }).errors, []);
});

t.test('ranges', async (t) => {
  t.match(parseClusterIpRange('10.0.0.9/24'), {
    first: 0x0a000001,
    last: 0x0a0000fe,
    text: '10.0.0.0/24',
  });
  t.match(parseNodePortRange('30000-32767'), { first: 30_000, last: 32_767, text: '30000-32767' });
  for (const [text, message] of [
    ['10.0.0.0', '"10.0.0.0" is no range of addresses like 10.0.0.0/24'],
    ['2001:db8::/32', '"2001:db8::/32" has too many addresses: give a prefix from /64 to /125'],
    ['10.0.0.0/30', '"10.0.0.0/30" has too few addresses: give a prefix from /12 to /29'],
    ['10.0.0.0/8', '"10.0.0.0/8" has too many addresses: give a prefix from /12 to /29'],
  ] as const) {
    t.throws(() => parseClusterIpRange(text), { message });
  }
  for (const [text, message] of [
    ['30000', '"30000" is no range of ports like 30000-32767'],
    ['0-100', '"0-100" is not within the ports from 1 to 65535'],
    ['1-65536', '"1-65536" is not within the ports from 1 to 65535'],
    ['2-1', '"2-1" ends before it begins'],
  ] as const) {
    t.throws(() => parseNodePortRange(text), { message });
  }
});

/** Gives the values in use, as a second allocator that knows only of `services` sees them too. */
function held(services: Iterable<Service>): { readonly ips: string[]; readonly ports: string[] } {
  const ips: string[] = [];
  const ports: string[] = [];
  for (const { spec = {} } of services) {
    if (spec.clusterIP) ips.push(spec.clusterIP);
    // Within one service two protocols may share a port.
    for (const each of new Set(nodePorts({ metadata: {}, spec }))) {
      if (each !== 0) ports.push(String(each));
    }
    if (spec.healthCheckNodePort) ports.push(String(spec.healthCheckNodePort));
  }
  return { ips: ips.sort(), ports: ports.sort() };
}

/** Everything that an account would still give out. */
function free(account: ServiceAllocator): string[] {
  const given: string[] = [];
  const drain = (spec: () => ServiceSpec, what: (each: Service) => string): void => {
    for (;;) {
      const each = service(spec());
      if (refusal(() => account.allocate(each, undefined)) !== '') return;
      given.push(what(each));
    }
  };
  const headless = { clusterIP: 'None', clusterIPs: ['None'] };
  drain(
    () => ({}),
    ({ spec }) => spec?.clusterIP ?? '',
  );
  drain(
    () => ({ ...headless, type: 'NodePort', ports: [port(1)] }),
    (each) => String(nodePorts(each)[0]),
  );
  return given.sort();
}

function randomSpec(random: Random): ServiceSpec {
  const type = random.pick([
    'ClusterIP',
    'NodePort',
    'LoadBalancer',
    'LoadBalancer',
    'ExternalName',
  ]);
  const outside = type === 'NodePort' || type === 'LoadBalancer';
  const asked = (): number => (outside && random.below(3) === 0 ? 29_999 + random.below(20) : 0);
  const ports = Array.from({ length: random.below(4) }, (_, index) =>
    port(80 + random.below(2) + 10 * index, asked(), random.pick(['TCP', 'UDP'])),
  );
  const clusterIP = random.below(3) === 0 ? `10.0.0.${random.below(20)}` : '';
  return {
    type,
    ports,
    ...(type === 'ExternalName' || clusterIP === '' ? {} : { clusterIP, clusterIPs: [clusterIP] }),
    ...(outside ? { externalTrafficPolicy: random.pick(['Cluster', 'Local']) } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: random.below(4) > 0 } : {}),
  };
}

t.test('random services: nothing is held twice, nothing is lost', async (t) => {
  const seed = seedFrom('SERVICE_ALLOCATOR_SEED');
  t.comment(`SERVICE_ALLOCATOR_SEED=${seed}`);
  const random = new Random(seed);
  for (let run = 0; run < 40; run++) {
    const make = (): ServiceAllocator =>
      new ServiceAllocator(
        [parseClusterIpRange('10.0.0.0/28')],
        parseNodePortRange('30000-30015'),
        {
          randomBelow: (limit) => random.below(limit),
        },
      );
    const account = make();
    const services = new Map<number, Service>();
    for (let step = 0; step < 60; step++) {
      const key = random.below(12);
      const stored = services.get(key);
      if (stored !== undefined && random.below(3) === 0) {
        account.release(stored, undefined);
        services.delete(key);
        continue;
      }
      const next = service(randomSpec(random));
      if (stored !== undefined) prepareServiceUpdate(next, stored, ['IPv4']);
      let refused = false;
      if (refusal(() => (refused = account.allocate(next, stored).length > 0)) !== '')
        refused = true;
      if (refused) continue;
      if (random.below(6) === 0) {
        // The write fails: what only the new object holds goes back.
        account.release(next, stored);
        continue;
      }
      if (stored !== undefined) account.release(stored, next);
      services.set(key, next);
    }
    const { ips, ports } = held(services.values());
    if (new Set(ips).size !== ips.length || new Set(ports).size !== ports.length) {
      t.fail('held twice', { ips, ports });
    }
    const loaded = make();
    for (const each of services.values()) loaded.load(each);
    const left = free(account);
    t.same(left, free(loaded), 'the survivors alone give the same account');
    t.equal(left.length, 30 - new Set(ips).size - new Set(ports).size);
  }
});
