/** Options of the laboratory. */
import t from 'tap';
import { readCommand } from '../src/config/config.ts';

t.test('a laboratory is of one front and of a store of its own', async (t) => {
  const refused = (...args: string[]): void => void readCommand(['--laboratory', ...args]);
  t.throws(() => refused('--fronts=2'), /^--laboratory is of one front: leave --fronts out/);
  const etcd = ['--store=etcd', '--etcd-servers=http://127.0.0.1:2379'];
  t.throws(() => refused(...etcd), /--laboratory is of one server: leave --store out/);
  const command = readCommand(['--laboratory', '--fronts=1']);
  t.match(command, { run: 'serve', config: { laboratory: { isOn: true } } });
});

t.test('a clock that is moved is of a laboratory', async (t) => {
  t.throws(() => readCommand(['--clock=laboratory']), /^--clock=laboratory needs --laboratory/);
  t.throws(() => readCommand(['--clock=fast']), /--clock is "fast": give real or laboratory/);
  const command = readCommand(['--laboratory', '--clock=laboratory']);
  t.match(command, { run: 'serve', config: { laboratory: { movesClock: true } } });
});

t.end();
