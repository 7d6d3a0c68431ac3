import t from 'tap';
import { KINDS } from '../../src/resources/registry.ts';
import { enabledKinds, RuntimeConfigError } from '../../src/resources/runtime-config.ts';

const kindsWith = (text: string): string[] => enabledKinds(KINDS, text).map(({ kind }) => kind);
const ALL = kindsWith('');

t.test('nothing given serves everything (SPEC Groups and paths)', (t) => {
  t.equal(ALL.length, KINDS.length);
  t.same(kindsWith('batch/v1'), ALL, 'an omitted value means true');
  t.end();
});

t.test('a version is switched off with all its resources', (t) => {
  t.same(
    kindsWith('batch/v1=false'),
    ALL.filter((kind) => kind !== 'CronJob'),
  );
  t.notOk(kindsWith('v1=false').includes('ConfigMap'), 'v1 is the core group');
  t.end();
});

t.test('a resource wins over its version', (t) => {
  t.same(
    kindsWith('v1/secrets=false'),
    ALL.filter((kind) => kind !== 'Secret'),
  );
  const only = kindsWith('v1=false, v1/secrets=true');
  t.ok(only.includes('Secret'));
  t.notOk(only.includes('ConfigMap'));
  t.end();
});

for (const text of ['nope/v1', 'batch/v1=maybe', 'batch/v1=true=false', 'v1/pods2=true']) {
  t.test(`refuses ${text}`, (t) => {
    t.throws(() => kindsWith(text), RuntimeConfigError);
    t.end();
  });
}

t.end();
