/** Which certificates of clients hold, for whom, and who it is that they name. */
import { X509Certificate } from 'node:crypto';
import t from 'tap';
import { certificatesIn, ConnectionCertificate } from '../../src/auth/client-authorities.ts';
import type { ShownCertificate } from '../../src/auth/client-authorities.ts';
import type { ClientCertificate } from '../../src/auth/authenticator.ts';
import { makeAuthority } from '../support/authorities.ts';
import type { CertificateWishes, Pair } from '../support/authorities.ts';

const HOUR_MS = 3_600_000;
const ALICE: CertificateWishes = { subject: [{ CN: ['alice'] }], usage: 'client' };
const NOBODY = { clients: false, frontProxy: false };
const A_CLIENT = { clients: true, frontProxy: false };

function shown({ cert }: Pair, intermediates: readonly Pair[] = []): ShownCertificate {
  return {
    certificate: new X509Certificate(cert),
    intermediates: intermediates.map((pair) => new X509Certificate(pair.cert)),
    isSound: true,
  };
}

function trust(clients: readonly Pair[], frontProxy: readonly Pair[] = []) {
  const all = (pairs: readonly Pair[]) => certificatesIn(pairs.map(({ cert }) => cert).join('\n'));
  return { clients: all(clients), frontProxy: all(frontProxy) };
}

function verified(
  given: ShownCertificate,
  trusted: ReturnType<typeof trust>,
  nowMs = Date.now(),
): ClientCertificate {
  return new ConnectionCertificate(given).verified(trusted, nowMs);
}

t.test('what an authority has signed holds for those who trust it', async (t) => {
  const [one, two, three] = await Promise.all(['one', 'two', 'three'].map(makeAuthority));
  if (!one || !two || !three) throw new Error('no authorities');
  const alice = shown(await one.sign(ALICE));
  t.same(verified(alice, trust([one])).signedBy, A_CLIENT);
  t.same(verified(alice, trust([two, one])).signedBy, A_CLIENT, 'of several in a file');
  t.same(verified(alice, trust([two])).signedBy, NOBODY);
  t.same(verified(alice, trust([])).signedBy, NOBODY);
  t.same(verified(alice, trust([three], [two, one])).signedBy, {
    clients: false,
    frontProxy: true,
  });
  t.same(verified(alice, trust([one], [one])).signedBy, { clients: true, frontProxy: true });
  t.same(verified({ ...alice, isSound: false }, trust([one])).signedBy, NOBODY, 'a flaw in it');
  const self = shown(one);
  t.same(verified(self, trust([one])).signedBy, A_CLIENT, 'an authority of itself');
  const namesake = shown(await (await makeAuthority('one')).sign(ALICE));
  t.same(verified(namesake, trust([one])).signedBy, NOBODY, 'one of the same name');
});

t.test('certificates between it and the authority are shown with it', async (t) => {
  const root = await makeAuthority('root');
  const middle = await root.below('middle');
  const last = await middle.below('last');
  const pair = await last.sign(ALICE);
  const holds = (given: ShownCertificate) => verified(given, trust([root])).signedBy.clients;
  t.ok(holds(shown(pair, [last, middle])));
  t.ok(holds(shown(pair, [middle, last])), 'in any order');
  t.notOk(holds(shown(pair, [last])), 'one is missing');
  t.notOk(holds(shown(pair)));
  t.ok(verified(shown(pair, [last]), trust([middle])).signedBy.clients, 'trust begins below');
  const signer = await root.sign({ subject: [{ CN: ['no authority'] }] });
  const by = await (await makeAuthority('no authority')).sign(ALICE);
  t.notOk(holds(shown(by, [signer])), 'a certificate that is no authority signs nothing');
});

t.test('it is for clients, or for everything', async (t) => {
  const authority = await makeAuthority('authority');
  const holds = async (wishes: Partial<CertificateWishes>) => {
    const pair = await authority.sign({ subject: [{ CN: ['x'] }], ...wishes });
    return verified(shown(pair), trust([authority])).signedBy.clients;
  };
  t.ok(await holds({ usage: 'client' }));
  t.ok(await holds({}));
  t.notOk(await holds({ usage: 'server' }));
});

t.test('it holds in its time, on connections that are open too', async (t) => {
  const authority = await makeAuthority('authority');
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  const wishes = { ...ALICE, fromMs: nowMs - HOUR_MS, untilMs: nowMs + HOUR_MS };
  const connection = new ConnectionCertificate(shown(await authority.sign(wishes)));
  const trusted = trust([authority]);
  const holdsAt = (ms: number) => connection.verified(trusted, ms).signedBy.clients;
  t.notOk(holdsAt(nowMs - 2 * HOUR_MS), 'not yet');
  t.ok(holdsAt(nowMs - HOUR_MS));
  t.ok(holdsAt(nowMs));
  t.ok(holdsAt(nowMs + HOUR_MS));
  t.notOk(holdsAt(nowMs + HOUR_MS + 1_000), 'no more');
  t.equal(connection.verified(trusted, nowMs), connection.verified(trusted, nowMs + 1), 'kept');
  t.notOk(connection.verified(trust([]), nowMs).signedBy.clients, 'nobody trusts it any more');
  t.ok(connection.verified(trust([authority]), nowMs).signedBy.clients, 'and again');
});

t.test('the last common name is who it is, all organizations are groups', async (t) => {
  const authority = await makeAuthority('authority');
  const rows: [CertificateWishes['subject'], string, readonly string[]][] = [
    [[{ CN: ['alice'] }], 'alice', []],
    [[{ O: ['dev'] }, { CN: ['alice'] }], 'alice', ['dev']],
    [[{ O: ['a'] }, { O: ['b'] }, { CN: ['x'] }], 'x', ['a', 'b']],
    [
      [{ O: ['a'], OU: ['ignored'], CN: ['one of several in a set'] }],
      'one of several in a set',
      ['a'],
    ],
    [[{ CN: ['first'] }, { CN: ['last'] }], 'last', []],
    [
      [{ O: ['b, O=system:masters'] }, { CN: ['x/CN=admin\nO = y'] }],
      'x/CN=admin\nO = y',
      ['b, O=system:masters'],
    ],
    [[{ O: ['Zoë 组'] }, { CN: ['jürgen 🌍'] }], 'jürgen 🌍', ['Zoë 组']],
    [[{ O: ['#1e020416'] }, { CN: ['system:node:n1'] }], 'system:node:n1', ['Ж']],
    [[{ O: ['__proto__'] }, { CN: ['constructor'] }], 'constructor', ['__proto__']],
    [[{ O: ['dev'] }], '', ['dev']],
  ];
  for (const [subject, commonName, organizations] of rows) {
    const pair = await authority.sign({ subject });
    const found = verified(shown(pair), trust([authority]));
    const { endMs, fingerprint, ...whose } = found;
    t.same(whose, { commonName, organizations, signedBy: A_CLIENT }, commonName);
    t.ok(endMs > Date.now(), 'it has not ended');
    t.match(fingerprint, /^[0-9a-f]{64}$/);
  }
});

t.test('a long chain that leads nowhere is followed no further than is bearable', async (t) => {
  const name = 'same';
  const authorities = await Promise.all(Array.from({ length: 24 }, () => makeAuthority(name)));
  const [first, ...others] = authorities;
  if (first === undefined) throw new Error('no authority');
  const given = shown(await first.sign(ALICE), others);
  t.same(verified(given, trust([await makeAuthority(name)])).signedBy, NOBODY);
});

t.end();
