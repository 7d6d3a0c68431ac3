/** The page that browsers get at `/`. */
import t from 'tap';
import { prefersHtml, rootPageHtml } from '../../src/front/documents/root-page.ts';
import type { RootPage } from '../../src/front/documents/root-page.ts';

const PAGE: RootPage = {
  version: '1.2.3',
  apiDomain: 'k8s.io',
  addresses: ['http://127.0.0.1:8080', 'https://127.0.0.1:6443'],
  commands: ["export KUBECONFIG='/a&b/<x>\"'", 'kubectl get namespaces'],
};

t.test('who would rather have a page', async (t) => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
  const rows: [string, boolean][] = [
    [browser, true],
    ['text/html', true],
    ['text/*', true],
    ['TEXT/HTML, application/json;q=0.5', true],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/html', false],
    ['text/html;q=0.5, application/json', false],
    ['text/html;q=0, */*', false],
    ['application/json, */*', false],
    ['image/png', false],
  ];
  for (const [accept, expected] of rows) t.equal(prefersHtml(accept), expected, accept);
});

t.test('it says what there is, and brings nothing of others', async (t) => {
  const html = rootPageHtml(PAGE, ['/api', '/x"><script>']);
  for (const text of ['shardplane', '1.2.3', 'k8s.io', ...PAGE.addresses, 'get namespaces']) {
    t.ok(html.includes(text), text);
  }
  for (const path of [
    '/api',
    '/apis',
    '/openapi/v2',
    '/openapi/v3',
    '/healthz',
    '/readyz',
    '/version',
  ]) {
    t.ok(html.includes(`<a href="${path}">${path}</a>`), path);
  }
  t.ok(html.includes('KUBECONFIG=&#39;/a&amp;b/&lt;x&gt;&quot;&#39;'), 'escaped');
  t.ok(html.includes('<a href="/x&quot;&gt;&lt;script&gt;">'), 'escaped');
  t.notMatch(html, /<(?:img|iframe|style)\b|@import|url\(|\son\w+=|<script[^>]*>[^<]/);
  const loaded = [...html.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="([^"]*)"/g)];
  t.same(
    loaded.map(([, address]) => address),
    ['/shardplane/page/page.css', '/shardplane/page/page.js'],
  );
  t.match(html, 'name="color-scheme" content="light dark"');
  t.ok(Buffer.byteLength(html) < 4_000, 'small');
});

t.test('without the list of paths, and without commands', async (t) => {
  const all = rootPageHtml(PAGE, ['/api/v1']);
  const less = rootPageHtml({ ...PAGE, commands: [] }, undefined);
  t.match(all, 'All paths');
  t.notMatch(less, 'All paths');
  t.notMatch(less, '/api/v1');
  t.notMatch(less, 'First commands');
  t.match(less, 'Requests need a bearer token.');
});
