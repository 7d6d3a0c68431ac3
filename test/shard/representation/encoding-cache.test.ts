import t from 'tap';
import { EncodingCache } from '../../../src/shard/representation/encoding-cache.ts';

const bytes = (length: number): Uint8Array => new Uint8Array(length);

t.test('what was encoded is kept for whoever asks next', async (t) => {
  const forms = new EncodingCache(100);
  t.equal(forms.get('a/', 1), undefined);
  const form = bytes(10);
  forms.set('a/', 1, form);
  t.equal(forms.get('a/', 1), form, 'itself, not a copy');
  t.equal(forms.get('b/', 1), undefined, 'another way to write the same version is another form');
  forms.set('a/', 1, bytes(50));
  t.equal(forms.bytes, 10, 'a version never changes');
  forms.set('a/', 0, bytes(10));
  t.equal(forms.get('a/', 0), undefined, 'what is no version is not kept');
});

t.test('the oldest are forgotten when there is too much', async (t) => {
  const forms = new EncodingCache(100);
  for (const rv of [1, 2, 3]) forms.set('a/', rv, bytes(40));
  t.equal(forms.bytes, 80);
  t.equal(forms.get('a/', 1), undefined);
  t.ok(forms.get('a/', 2) && forms.get('a/', 3));
  forms.set('a/', 4, bytes(101));
  t.equal(forms.bytes, 0, 'what is larger than all that may be kept is not');
});
