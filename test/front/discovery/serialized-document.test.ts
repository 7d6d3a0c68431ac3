/** Documents in bytes, with the hash that ETags carry. */
import t from 'tap';
import { serializeDocument } from '../../../src/front/discovery/serialized-document.ts';

t.test('compact text with a newline, and a hash of it', async (t) => {
  const { bytes, hash } = serializeDocument({ kind: 'APIVersions', versions: ['v1', 'é'] });
  t.equal(Buffer.from(bytes).toString(), '{"kind":"APIVersions","versions":["v1","é"]}\n');
  t.match(hash, /^[0-9A-F]{128}$/);
  t.equal(serializeDocument({ kind: 'APIVersions', versions: ['v1', 'é'] }).hash, hash);
  t.not(serializeDocument({ kind: 'APIVersions', versions: ['v1'] }).hash, hash);
});
