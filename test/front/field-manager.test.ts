/** Who owns what a write changes: by the query, else by the User-Agent. */
import t from 'tap';
import { fieldManagerOf } from '../../src/front/requests/field-manager.ts';

/** Who writes with this User-Agent. */
function byAgent(userAgent: string): string {
  return fieldManagerOf('', userAgent);
}

t.test('the query decides', async (t) => {
  t.equal(fieldManagerOf('me', 'client/1.23'), 'me');
  t.equal(fieldManagerOf('a/b c', ''), 'a/b c');
});

t.test('else the agent, up to its first slash', async (t) => {
  const rows: [agent: string, manager: string][] = [
    ['client/1.23 (linux/amd64) x/y', 'client'],
    ['client', 'client'],
    ['Mozilla (X11) Gecko', 'Mozilla (X11) Gecko'],
    ['', 'unknown'],
    ['/1.23', 'unknown'],
    ['\t\u0007/1', 'unknown'],
    [' a /1', ' a '],
    ['a\tb\u007f\u00a0\u200b\u2028c/1', 'abc'],
    ['zoë🚀/1', 'zoë🚀'],
    ['__proto__/1', '__proto__'],
  ];
  for (const [agent, manager] of rows) t.equal(byAgent(agent), manager);
  t.equal(fieldManagerOf('', 'a\ufffdb/1'), 'a\ufffdb', 'bytes that are no text');
});

t.test('cut to 128 bytes, and never within a character', async (t) => {
  const x = (count: number): string => 'x'.repeat(count);
  const rows: [agent: string, manager: string][] = [
    [x(128), x(128)],
    [`${x(128)}/1`, x(128)],
    [x(129), x(128)],
    [`\u0007${x(128)}`, x(128)],
    [`${x(126)}éx`, `${x(126)}é`],
    [`${x(127)}éx`, x(127)],
    [`${x(125)}🚀x`, x(125)],
    [`${x(124)}🚀x`, `${x(124)}🚀`],
    ['é'.repeat(1_000), 'é'.repeat(64)],
  ];
  for (const [agent, manager] of rows) t.equal(byAgent(agent), manager);
});
