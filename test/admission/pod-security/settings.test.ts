// The document of PodSecurity in the file of settings.
import t from 'tap';
import { checkPodSecuritySettings } from '../../../src/admission/pod-security/settings.ts';

const GROUP = 'pod-security.admission.config.cluster.io';

function problems(members: object, version = 'v1beta1'): string[] {
  const settings = {
    apiVersion: `${GROUP}/${version}`,
    kind: 'PodSecurityConfiguration',
    ...members,
  };
  return checkPodSecuritySettings(settings).map(({ field, message }) => `${field}: ${message}`);
}

t.test('what is right', async (t) => {
  t.same(checkPodSecuritySettings({}), [], 'no document');
  for (const version of ['v1alpha1', 'v1beta1']) {
    t.same(problems({}, version), []);
    t.same(
      problems({ defaults: { enforce: 'baseline', 'warn-version': 'v1.30', audit: '' } }, version),
      [],
    );
    const exemptions = { usernames: ['a', 'B:c'], namespaces: ['n'], runtimeClasses: ['a.b'] };
    t.same(problems({ exemptions }, version), []);
  }
});

t.test('what is wrong', async (t) => {
  const rows: [members: object, found: readonly string[]][] = [
    [
      { apiVersion: `${GROUP}/v1` },
      [
        `apiVersion: Unsupported value: "${GROUP}/v1": supported values: "${GROUP}/v1beta1", "${GROUP}/v1alpha1"`,
      ],
    ],
    [
      { kind: 'Pod' },
      ['kind: Unsupported value: "Pod": supported values: "PodSecurityConfiguration"'],
    ],
    [{ default: {} }, ['default: Forbidden: unknown member']],
    [{ defaults: { enforces: 'baseline' } }, ['defaults.enforces: Forbidden: unknown member']],
    [
      { defaults: { enforce: 'baslein', 'warn-version': 'v.122', audit: 3 } },
      [
        'defaults.enforce: Invalid value: "baslein": must be one of privileged, baseline, restricted',
        'defaults.audit: Invalid value: 3: must be a text',
        'defaults.warn-version: Invalid value: "v.122": must be "latest" or "v1.x"',
      ],
    ],
    [
      { exemptions: { usernames: ['', 'a', 'a'], namespaces: ['n', 'n', 3], runtimeClasses: 'a' } },
      [
        'exemptions.usernames[0]: Invalid value: "": username must not be empty',
        'exemptions.usernames[2]: Duplicate value: "a"',
        'exemptions.namespaces[1]: Duplicate value: "n"',
        'exemptions.namespaces[2]: Invalid value: 3: must be a text',
        'exemptions.runtimeClasses: Invalid value: "a": must be a list',
      ],
    ],
  ];
  for (const [members, found] of rows) t.same(problems(members), found);
  t.match(problems({ exemptions: { namespaces: ['A_b'] } }), [
    /^exemptions\.namespaces\[0\]: Invalid value: "A_b": a lowercase RFC 1123 label must/,
  ]);
});
