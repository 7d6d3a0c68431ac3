// Rows of the catalogue cannot say this of a Secret.
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { SECRET } from '../../src/resources/core/secret.ts';

t.test('stringData is merged into data, whatever its keys are', async (t) => {
  const stringData = Object.create(null) as Record<string, string>;
  stringData['__proto__'] = 'x';
  const object = { metadata: {}, stringData };
  SECRET.applyDefaults?.(object, DEFAULT_GATES);
  t.notOk('stringData' in object, 'it is never returned');
  t.same(Object.keys((object as { data?: object }).data ?? {}), ['__proto__'], 'no key is special');
});

t.equal(
  SECRET.selectableFields?.['type']?.({ metadata: {}, type: 'Opaque' }),
  'Opaque',
  '7.6: selectable by type',
);
