/** Bootstrap tokens: which sign, when they end, and what a signature is. */
import { createHmac } from 'node:crypto';
import t from 'tap';
import type { Secret } from '#messages/core.v1';
import {
  signingToken,
  tokenEndMs,
} from '../../src/controllers/bootstrap-tokens/bootstrap-token.ts';
import { signedData } from '../../src/controllers/bootstrap-tokens/signature.ts';

const SIGNING = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-signing': 'true',
};

function secret(data: Readonly<Record<string, string>>, name = 'bootstrap-token-abcdef'): Secret {
  const encoded = Object.entries(data).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  return { metadata: { name }, data: Object.fromEntries(encoded) as Record<string, string> };
}

t.test('a token signs when it may, and its Secret is named after it', (t) => {
  t.match(signingToken(secret(SIGNING)), { id: 'abcdef', secret: '0123456789abcdef' });
  const others: [Record<string, string>, string?][] = [
    [{ 'usage-bootstrap-signing': 'yes' }],
    [{ 'token-secret': '' }],
    [{ 'token-id': 'abcdeg' }],
    [{}, 'bootstrap-token-abcdeg'],
    [{ 'token-id': 'ABCDEF' }, 'bootstrap-token-ABCDEF'],
  ];
  for (const [data, name] of others) {
    t.equal(signingToken(secret({ ...SIGNING, ...data }, name)), undefined, JSON.stringify(data));
  }
  t.end();
});

t.test('it ends when it says; one that says it wrongly has ended', (t) => {
  const rows: [string, number | undefined][] = [
    ['', undefined],
    ['2026-01-01T00:00:00Z', 1_767_225_600_000],
    ['2026-01-01T02:00:00+02:00', 1_767_225_600_000],
    ['2026-01-01', 0],
    ['2026-13-01T00:00:00Z', 0],
    ['tomorrow', 0],
  ];
  for (const [expiration, endMs] of rows) t.equal(tokenEndMs(secret({ expiration })), endMs);
  t.end();
});

t.test('signatures are of the text that stands beside them', (t) => {
  const token = { id: 'abcdef', secret: '0123456789abcdef', endMs: undefined };
  const header = Buffer.from('{"alg":"HS256","kid":"abcdef"}').toString('base64url');
  const payload = Buffer.from('text').toString('base64url');
  const hmac = createHmac('sha256', token.secret).update(`${header}.${payload}`);
  const signature = `${header}..${hmac.digest('base64url')}`;
  t.same(signedData({ kubeconfig: 'text', 'jws-kubeconfig-ghijkl': 'old', other: 'x' }, [token]), {
    kubeconfig: 'text',
    other: 'x',
    'jws-kubeconfig-abcdef': signature,
  });
  t.same(signedData({ kubeconfig: 'text', 'jws-kubeconfig-abcdef': 'x' }, []), {
    kubeconfig: 'text',
  });
  t.equal(signedData({ other: 'x' }, [token]), undefined);
  t.end();
});
