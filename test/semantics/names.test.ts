// The rules for names and their hints, one case per statement of src/semantics/README.md#names.
import t from 'tap';
import {
  configKey,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  labelValue,
  objectName,
  pathSegment,
  qualifiedName,
} from '../../src/semantics/metadata/names.ts';

const SUBDOMAIN_HINT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " +
  "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used " +
  "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_HINT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and " +
  "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex " +
  "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035_HINT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
  "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or " +
  "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED_HINT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for " +
  "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_HINT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or " +
  "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const CONFIG_KEY_HINT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. " +
  "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

type Check = (value: string, prefix?: boolean) => readonly string[];

function cases(
  name: string,
  check: Check,
  table: Readonly<Record<string, readonly string[]>>,
): void {
  t.test(name, async (t) => {
    for (const [value, problems] of Object.entries(table)) {
      t.same(check(value), problems, value.length > 40 ? `${value.length} characters` : value);
    }
  });
}

cases('DNS subdomains', dnsSubdomain, {
  a: [],
  'my-app.example.com': [],
  '0.1': [],
  ['a'.repeat(253)]: [],
  ['a'.repeat(254)]: ['must be no more than 253 characters'],
  '': [SUBDOMAIN_HINT],
  Upper: [SUBDOMAIN_HINT],
  'a..b': [SUBDOMAIN_HINT],
  '-a': [SUBDOMAIN_HINT],
  'a-': [SUBDOMAIN_HINT],
  a_b: [SUBDOMAIN_HINT],
  'a\n': [SUBDOMAIN_HINT],
  é: [SUBDOMAIN_HINT],
});

cases('DNS labels', dnsLabel, {
  'team-1': [],
  ['a'.repeat(63)]: [],
  ['a'.repeat(64)]: ['must be no more than 63 characters'],
  'a.b': [LABEL_HINT],
});

cases('DNS-1035 labels', dns1035Label, { 'a-1': [], '1-a': [LABEL_1035_HINT] });

cases('path segments', pathSegment, {
  'system:node': [],
  '.': ["may not be '.'"],
  '..': ["may not be '..'"],
  'a/b': ["may not contain '/'"],
  'a%b': ["may not contain '%'"],
  'a/%': ["may not contain '/'", "may not contain '%'"],
});

cases('qualified names', qualifiedName, {
  MyName: [],
  'example.com/My_name.1': [],
  '': ['name part must be non-empty', `name part ${QUALIFIED_HINT}`],
  '/a': ['prefix part must be non-empty'],
  'a/': ['name part must be non-empty', `name part ${QUALIFIED_HINT}`],
  'Example.com/a': [`prefix part ${SUBDOMAIN_HINT}`],
  '-a': [`name part ${QUALIFIED_HINT}`],
  ['a'.repeat(64)]: ['name part must be no more than 63 characters'],
  'a/b/c': [
    `a qualified name ${QUALIFIED_HINT} with an optional DNS subdomain prefix and '/' ` +
      "(e.g. 'example.com/MyName')",
  ],
});

cases('label values', labelValue, {
  '': [],
  'My_Value.1': [],
  '-a': [LABEL_VALUE_HINT],
  'a b': [LABEL_VALUE_HINT],
  ['a'.repeat(64)]: ['must be no more than 63 characters'],
});

cases('keys of ConfigMaps and Secrets', configKey, {
  'Key_1.name-x': [],
  '.dockercfg': [],
  '': [CONFIG_KEY_HINT],
  'a b': [CONFIG_KEY_HINT],
  'a/b': [CONFIG_KEY_HINT],
  '.': ["must not be '.'"],
  '..': ["must not be '..'"],
  '..a': ["must not start with '..'"],
  ['a'.repeat(254)]: ['must be no more than 253 characters'],
});

t.test('with generateName a trailing dash is tolerated', async (t) => {
  t.same(dnsSubdomain('my-app-', true), []);
  t.same(dnsLabel('my-app-', true), []);
  t.same(dnsSubdomain('-', true), [SUBDOMAIN_HINT]);
  t.same(dnsSubdomain('My-', true), [SUBDOMAIN_HINT]);
  t.same(pathSegment('.', true), []);
  t.same(objectName('dns1035Label', 'a-', true), []);
  t.same(objectName('dns1035Label', '1-', true), [LABEL_1035_HINT]);
});

t.test('a hostile text costs no more than a glance', async (t) => {
  const hostile = 'a-'.repeat(1_500_000);
  for (const check of [dnsSubdomain, dnsLabel, qualifiedName, labelValue, configKey]) {
    t.equal(check(hostile).length, 1);
  }
});
