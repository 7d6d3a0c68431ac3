/** Items of lists in protobuf, which are measured before they are sent. */
import t from 'tap';
import { CONFIG_MAP } from '../../../src/resources/core/config-map.ts';
import { PageBuffer } from '../../../src/shard/state/page-buffer.ts';
import { EncodingCache } from '../../../src/shard/representation/encoding-cache.ts';
import { CacheBudget } from '../../../src/shard/representation/cache-budget.ts';
import { Representations } from '../../../src/shard/representation/representations.ts';
import { compileValidators } from '../../../src/semantics/validation/validator-compiler.ts';
import { builtInType } from '../../../src/types/built-in/built-in-type.ts';
import { MODEL } from '../../resources/kind-rules.ts';

const KIND = builtInType(CONFIG_MAP, MODEL, compileValidators(MODEL, [CONFIG_MAP.message]));
const WIRE = Buffer.from('"metadata":{"name":"a","resourceVersion":"7"},"data":{"a":"1"}}');
const MINUTE_MS = 60_000;

t.test('one list displaces nothing, however long it takes to measure it', async (t) => {
  let nowMs = 0;
  const cache = new EncodingCache(new CacheBudget(undefined, 1_000), () => nowMs);
  t.ok(cache.set('other/', 1, new Uint8Array(100)));
  const { list } = new Representations(KIND, () => nowMs, cache).of({
    form: { encoding: 'protobuf' },
  });
  const listed = (): number => {
    const page = new PageBuffer();
    nowMs += MINUTE_MS;
    list.measuring?.make(page, 7, () => WIRE);
    nowMs += MINUTE_MS;
    page.clear();
    t.ok(list.addItem(page, 7, () => WIRE, true));
    return page.length;
  };
  const length = listed();
  t.equal(list.measuring?.keptLength(7), undefined, 'what others ask for is still in its place');
  t.equal(listed(), length);
  t.equal(list.measuring?.keptLength(7), length, 'a further list is one who asks again');
  t.equal(cache.get('other/', 1), undefined);
});
