import t from 'tap';
import { ContinueTokens } from '../../src/shard/state/continue-token.ts';
import { thrownStatus } from '../support/thrown-status.ts';

const TOKENS = new ContinueTokens('secret', 'configmaps');
const TOKEN = { rv: 42, start: 'ns/name\0', remaining: 7, timeMs: 1_700_000_000_000 };

t.test('a token comes back as it was issued', async (t) => {
  for (const token of [TOKEN, { ...TOKEN, remaining: undefined }, { ...TOKEN, rv: -1 }]) {
    t.same(TOKENS.parse(TOKENS.issue(token, 'ns/'), 'ns/'), token);
    t.same(TOKENS.parse(TOKENS.issue(token, ''), ''), token);
  }
  const restarted = new ContinueTokens('secret', 'configmaps');
  t.same(restarted.parse(TOKENS.issue(TOKEN, ''), ''), TOKEN, 'also after a restart');
});

t.test('it is base64 of JSON with the members of the reference', async (t) => {
  const text = TOKENS.issue(TOKEN, 'ns/');
  t.match(text, /^[A-Za-z0-9_-]+$/);
  const members = JSON.parse(Buffer.from(text, 'base64url').toString());
  t.match(members, { v: 'meta.cluster.io/v1', rv: 42, start: 'name\0' });
});

t.test('tokens of other collections, of other servers, and changed ones are refused', async (t) => {
  const text = TOKENS.issue(TOKEN, 'ns/');
  const members = JSON.parse(Buffer.from(text, 'base64url').toString());
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const json = `{"v":"v1","start":"x","time":1,"sign":"s","rv":${deep}}`;
  const nested = Buffer.from(json).toString('base64url');
  const refused: [string, string, string, ContinueTokens?][] = [
    ['another namespace', text, 'other/'],
    ['all namespaces', text, ''],
    ['another type', text, 'ns/', new ContinueTokens('secret', 'secrets')],
    ['another server', text, 'ns/', new ContinueTokens('another', 'configmaps')],
    ['another version', encode({ ...members, rv: 43 }), 'ns/'],
    ['another start', encode({ ...members, start: 'z\0' }), 'ns/'],
    ['another time', encode({ ...members, time: 1 }), 'ns/'],
    ['another count', encode({ ...members, remaining: 8 }), 'ns/'],
    ['another format', encode({ ...members, v: 'v2' }), 'ns/'],
    ['no signature', encode({ ...members, sign: undefined }), 'ns/'],
    ['an empty signature', encode({ ...members, sign: '' }), 'ns/'],
    ['half a signature', encode({ ...members, sign: members.sign.slice(0, 8) }), 'ns/'],
    ['a nested version', nested, 'ns/'],
    ['null', encode(null), 'ns/'],
    ['a number', encode(1), 'ns/'],
    ['no JSON', Buffer.from('{').toString('base64url'), 'ns/'],
    ['one character less', text.slice(0, -1), 'ns/'],
    ['padding', `${text}=`, 'ns/'],
    ['white space', ` ${text}`, 'ns/'],
    ['a word', 'token', 'ns/'],
  ];
  for (const [what, token, prefix, tokens = TOKENS] of refused) {
    const status = thrownStatus(() => tokens.parse(token, prefix));
    t.match(status, { code: 400, reason: 'BadRequest' }, what);
    t.match(status.message, /^invalid continue token: continue key is not valid: /, what);
  }
});
