// The ranges of services that a server may be started with.
import t from 'tap';
import { readCommand } from '../src/config/config.ts';

function range(...args: string[]): string | undefined {
  const command = readCommand(['--service-cluster-ip-range=fd00::/100', ...args]);
  return command.run === 'serve' ? command.config.kindSettings.serviceClusterIpRange : undefined;
}

t.test('ranges of IPv6 that are accounted for in one object are short', async (t) => {
  const told = '--service-cluster-ip-range is "fd00::/100": "fd00::/100" has too many addresses';
  const long = { name: 'ConfigError', message: `${told}: give a prefix from /108 to /125` };
  t.throws(() => range(), long);
  const gate = '--feature-gates=MultiCIDRServiceAllocator=true';
  t.equal(range('--release=1.30', gate), 'fd00::/100', 'addresses are objects');
  t.throws(() => range('--release=1.33'), long, 'and accounted for besides');
  t.equal(range('--release=1.34'), 'fd00::/100', 'until that ends');
});
