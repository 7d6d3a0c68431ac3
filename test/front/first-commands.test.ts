/** The start suggests commands that a shell takes as they stand. */
import { execFileSync } from 'node:child_process';
import t from 'tap';
import { firstCommands, shellQuote } from '../../src/front/documents/first-commands.ts';
import type { Reach } from '../../src/front/documents/first-commands.ts';

const HTTP = 'http://127.0.0.1:8080';
const HTTPS = 'https://127.0.0.1:6443';

function reach(members: Partial<Reach> = {}): Reach {
  return {
    apiDomain: 'cluster.io',
    http: HTTP,
    https: HTTPS,
    kubeconfig: '/data/admin.kubeconfig',
    tokenFile: '/data/admin.token',
    authorityFile: '/data/ca.crt',
    ...members,
  };
}

t.test('by dialect and by what is listened on', async (t) => {
  const bearer = '-H "Authorization: Bearer $(cat /data/admin.token)"';
  const kubectl = 'kubectl get namespaces';
  const rows: [string, Partial<Reach>, string][] = [
    ['neutral, both ports', {}, `curl ${bearer} ${HTTP}/api/v1/namespaces`],
    [
      'neutral, HTTPS with its own certificate',
      { http: '' },
      `curl --cacert /data/ca.crt ${bearer} ${HTTPS}/api/v1/namespaces`,
    ],
    [
      'neutral, HTTPS with a given certificate',
      { http: '', authorityFile: '' },
      `curl -k ${bearer} ${HTTPS}/api/v1/namespaces`,
    ],
    ['k8s.io, both ports', { apiDomain: 'k8s.io' }, kubectl],
    ['k8s.io, HTTPS', { apiDomain: 'k8s.io', http: '' }, kubectl],
    [
      'k8s.io without HTTPS, where the client would send no token',
      { apiDomain: 'k8s.io', https: '' },
      `curl ${bearer} ${HTTP}/api/v1/namespaces`,
    ],
    [
      'an address that shells would take for a pattern',
      { http: 'http://[::1]:8080' },
      `curl ${bearer} 'http://[::1]:8080/api/v1/namespaces'`,
    ],
  ];
  for (const [what, members, second] of rows) {
    const commands = firstCommands(reach(members));
    t.equal(commands[0], 'export KUBECONFIG=/data/admin.kubeconfig', what);
    t.equal(commands[1], second, what);
    t.equal(commands.length, 4, `${what}: short`);
  }
});

t.test('a shell reads any path as one word', async (t) => {
  const paths = ['/plain', '/with space', "/it's", '/$(x) `y`', '/a"b', '/*?[a]', '/ä\\', '', '~'];
  for (const path of paths) {
    const said = execFileSync('sh', ['-c', `printf %s ${shellQuote(path)}`]).toString();
    t.equal(said, path, JSON.stringify(path));
  }
  t.equal(shellQuote('/home/me/.shardplane/x-1.y'), '/home/me/.shardplane/x-1.y', 'as it is');
});

t.test('the token of a folder with an odd name is still read', async (t) => {
  const folder = t.testdir({ "it's $(here)": { 'admin.token': 'secret\n' } });
  const tokenFile = `${folder}/it's $(here)/admin.token`;
  const [, curl = ''] = firstCommands(reach({ tokenFile }));
  const said = execFileSync('sh', ['-c', curl.replace(/^curl/, 'printf "%s\\n"')]).toString();
  t.equal(said, `-H\nAuthorization: Bearer secret\n${HTTP}/api/v1/namespaces\n`);
});
