import t from 'tap';
import { KINDS } from '../../src/resources/registry.ts';
import { enabledTypes, RuntimeConfigError } from '../../src/resources/runtime-config.ts';
import { servedTypes } from '../../src/resources/served-types.ts';

const typesWith = (text: string): string[] =>
  enabledTypes(servedTypes(KINDS), text).map(
    ({ groupVersion, definition }) => `${groupVersion}/${definition.plural}`,
  );
const ALL = typesWith('');

t.test('nothing given serves everything (SPEC Groups and paths)', (t) => {
  t.equal(ALL.length, servedTypes(KINDS).length);
  t.same(typesWith('batch/v1'), ALL, 'an omitted value means true');
  t.end();
});

t.test('a version is switched off with all its resources', (t) => {
  t.same(
    typesWith('batch/v1=false'),
    ALL.filter((type) => !type.startsWith('batch/v1/')),
    'and other versions of its kinds stay',
  );
  t.notOk(typesWith('v1=false').includes('v1/configmaps'), 'v1 is the core group');
  t.end();
});

t.test('a resource wins over its version', (t) => {
  t.same(
    typesWith('v1/secrets=false'),
    ALL.filter((type) => type !== 'v1/secrets'),
  );
  const only = typesWith('v1=false, v1/secrets=true');
  t.ok(only.includes('v1/secrets'));
  t.notOk(only.includes('v1/configmaps'));
  t.end();
});

for (const text of ['nope/v1', 'batch/v1=maybe', 'batch/v1=true=false', 'v1/pods2=true']) {
  t.test(`refuses ${text}`, (t) => {
    t.throws(() => typesWith(text), RuntimeConfigError);
    t.end();
  });
}

t.end();
