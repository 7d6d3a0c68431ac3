/** Options about how many requests are served at once, and for how long. */
import t from 'tap';
import { readCommand } from '../src/config/config.ts';

function flow(...args: readonly string[]) {
  const command = readCommand(args);
  return command.run === 'serve' ? command.config.flow : undefined;
}

t.test('as in the reference where nothing is said', async (t) => {
  const limits = { reading: 400, mutating: 200 };
  t.same(flow(), { isFair: true, limits, requestTimeoutMs: 60_000 });
  t.equal(flow('--release=1.37')?.isFair, true, 'its feature is gone, and on');
});

t.test('fairness is switched off by either of two switches', async (t) => {
  t.equal(flow('--enable-priority-and-fairness=false')?.isFair, false);
  t.equal(flow('--feature-gates=APIPriorityAndFairness=false')?.isFair, false);
});

t.test('what clients may have open has bounds of its own', async (t) => {
  const bounds = (...args: readonly string[]) => {
    const command = readCommand(args);
    return command.run === 'serve' ? command.config.bounds : undefined;
  };
  const { connections = 0, ...others } = bounds() ?? {};
  t.ok(connections >= 256, 'there is room for files beside connections');
  t.same(others, { waitingConnections: Infinity, watchesPerUser: Infinity });
  const given = bounds('--max-connections=0', '--max-watches-per-user=7');
  t.same(given, { connections: Infinity, waitingConnections: Infinity, watchesPerUser: 7 });
  t.throws(() => bounds('--max-waiting-connections=many'), { message: /give a number from 0/ });
});

t.test('what is wrong is said in one line', async (t) => {
  const none = ['--max-requests-inflight=0', '--max-mutating-requests-inflight=0'];
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [['--max-requests-inflight=-1'], /^--max-requests-inflight is "-1": give a number from 0 to/],
    [none, /are both 0: give at least one, or --enable-priority-and-fairness=false$/],
    [['--request-timeout=0s'], /^--request-timeout is "0s": give more than none$/],
  ];
  for (const [args, message] of rows) {
    t.throws(() => flow(...args), { message }, args.join(' '));
  }
  t.equal(flow(...none, '--enable-priority-and-fairness=false')?.isFair, false, 'no limit');
});
