/** By what other servers know the clients of this one, with and without options. */
import t from 'tap';
import { publishedAuthentication } from '../../src/auth/published-authentication.ts';

const NONE = {
  own: '',
  clients: '',
  proxies: '',
  allowedNames: [],
  userHeaders: [],
  groupHeaders: [],
  extraPrefixes: [],
};

t.test('nothing without an authority', async (t) => {
  t.same(publishedAuthentication(NONE), {});
});

t.test('the own authority, and one proxy', async (t) => {
  t.same(publishedAuthentication({ ...NONE, own: 'OWN' }), {
    'client-ca-file': 'OWN',
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-client-ca-file': 'OWN',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
});

t.test('what the options say goes before it', async (t) => {
  const given = { ...NONE, own: 'OWN', clients: 'CLIENTS', proxies: 'PROXIES' };
  t.same(publishedAuthentication({ ...given, userHeaders: ['X-User'] }), {
    'client-ca-file': 'CLIENTS',
    'requestheader-allowed-names': '[]',
    'requestheader-client-ca-file': 'PROXIES',
    'requestheader-extra-headers-prefix': '[]',
    'requestheader-group-headers': '[]',
    'requestheader-username-headers': '["X-User"]',
  });
});
