// Pods break levels by version, in the words of the reference.
import t from 'tap';
import {
  detailsText,
  reasonsText,
  violationsOf,
} from '../../../src/admission/pod-security/checks.ts';
import type { Level } from '../../../src/admission/pod-security/levels.ts';
import { FACTS, type Fact } from './facts.ts';
import { podWith } from './pods.ts';

const FACT =
  /^(?<level>\w+)(?: from v1\.(?<from>\d+))?(?: to v1\.(?<to>\d+))?: (?<reason>.*?) \((?<detail>.*)\)$/;
/** Versions after the newest one that changed anything are like that. */
const MINORS = Array.from({ length: 26 }, (_, minor) => minor);

/** Gives the complaint in that version, or undefined. */
function wrongIn(
  fact: Fact,
  level: Level,
  minor: number,
): { reason: string; detail: string } | undefined {
  const {
    level: of,
    from = '0',
    to = '99',
    reason = '',
    detail = '',
  } = FACT.exec(fact)?.groups ?? {};
  if (reason === '') throw new Error(`this is no fact: ${fact}`);
  if (level === 'baseline' && of === 'restricted') return undefined;
  return minor >= Number(from) && minor <= Number(to) ? { reason, detail } : undefined;
}

for (const [change, facts] of FACTS) {
  t.test(JSON.stringify(change), async (t) => {
    const pod = podWith(change);
    t.same(violationsOf(pod, { level: 'privileged', version: 'latest' }), []);
    for (const level of ['baseline', 'restricted'] as const) {
      const expectedIn = (minor: number): object[] =>
        facts.flatMap((fact) => wrongIn(fact, level, minor) ?? []);
      const found = MINORS.map((minor) => violationsOf(pod, { level, version: `v1.${minor}` }));
      t.same(found, MINORS.map(expectedIn), level);
      t.same(violationsOf(pod, { level, version: 'latest' }), expectedIn(25), `${level}:latest`);
      t.same(violationsOf(pod, { level, version: `v1.${2n ** 63n - 1n}` }), expectedIn(25));
    }
  });
}

t.test('what is wrong is told with and without the names', async (t) => {
  const change = { spec: { hostPID: true }, inner: { privileged: true } };
  const found = violationsOf(podWith(change), { level: 'baseline', version: 'v1.0' });
  t.equal(reasonsText(found), 'host namespaces, privileged');
  t.equal(
    detailsText(found),
    'host namespaces (hostPID=true), ' +
      'privileged (container "c" must not set securityContext.privileged=true)',
  );
});

t.test('names and values are shown as they are, in the order of their bytes', async (t) => {
  const capabilities = { add: ['😀', '\uffee', 'a"b'], drop: ['ALL'] };
  const [found] = violationsOf(podWith({ inner: { capabilities } }), {
    level: 'baseline',
    version: 'latest',
  });
  t.match(found?.detail, 'must not include "a"b", "\uffee", "😀" in');
});

t.test('a container may say very much', async (t) => {
  const add = Array.from({ length: 300_000 }, (_, index) => `X${index % 2}`);
  const ports = add.map((_, index) => ({ hostPort: 1 + (index % 2) }));
  const pod = podWith({ inner: { capabilities: { add } }, container: { ports } });
  const found = violationsOf(pod, { level: 'baseline', version: 'latest' });
  t.equal(
    detailsText(found),
    'non-default capabilities (container "c" must not include "X0", "X1" in ' +
      'securityContext.capabilities.add), hostPort (container "c" uses hostPorts 1, 2)',
  );
});
