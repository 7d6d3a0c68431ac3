// Rows of the catalogue cannot say this of volumes: how long a name takes to be read.
import t from 'tap';
import { checkIscsi } from '../../src/resources/core/volumes/volume-source-rules.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';

t.test('names of initiators, however long', async (t) => {
  const many = 'iqn.2000-01.'.repeat(100_000);
  for (const [iqn, isOne] of [
    ['iqn.2024-01.com.example:disk', true],
    ['iqn.2024-01.:disk', false],
    ['iqn.2024-01.com.example:', false],
    ['iqn.2024-01.com.example:a b', false],
    ['iqn. iqn.2024-01.a:b', true],
    ['iqn:iqn.2024-01.a:b', true],
    ['iqnxiqn.2024-01.a:b:c', true],
    [`${many}a:b`, true],
    [many, false],
    [`${many.replaceAll('.iqn', '.a:iqn')}a:b `, false],
  ] as const) {
    const errors: FieldError[] = [];
    checkIscsi({ iqn }, 'iscsi', errors);
    t.equal(errors.length === 0, isOne, `${iqn.slice(0, 40)} of ${iqn.length} characters`);
  }
});
