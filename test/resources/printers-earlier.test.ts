// Printers of kinds that later releases do not have.
import t from 'tap';
import { chooseRelease } from '../../src/release/release.ts';

const MINOR = 30;
chooseRelease(MINOR);
const { compileMemberReader } = await import('../../src/codec/json/member-reader.ts');
const { KINDS } = await import('../../src/resources/registry.ts');
const { MODEL } = await import('./kind-rules.ts');

t.test('what parameters were made from', (t) => {
  for (const name of ['ResourceClaimParameters', 'ResourceClassParameters']) {
    const { printer, message } = KINDS.find(({ kind }) => kind === name) ?? {};
    if (printer === undefined || message === undefined) throw new Error(`${name} has no printer`);
    const read = compileMemberReader(MODEL, message, printer.members());
    const cells = (members: object): readonly unknown[] => {
      const text = JSON.stringify({ metadata: { name: 'a' }, ...members });
      return printer.cells(read(Buffer.from(text.slice(1))) as never).slice(0, 2);
    };
    const generatedFrom = { apiGroup: 'example.com', kind: 'Gpu', name: 'b' };
    t.same(cells({ generatedFrom }), ['a', 'Gpu.example.com b']);
    t.same(cells({}), ['a', '']);
  }
  t.end();
});
