// Rows of kind Pod on the rights that it runs with; `pod.ts` has a full one.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';
import { CONTAINER, MINIMAL, MINIMAL_STORED, spec } from '../../support/pod-cases.ts';

const windows = (options: Change): Change => spec({ securityContext: { windowsOptions: options } });

const SECURITY: KindCases['invalid'] = [
  [
    'hostPID shares all processes already',
    spec({ hostPID: true, shareProcessNamespace: true }),
    [
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace ' +
        'and HostPID cannot both be enabled',
    ],
  ],
  [
    'ids of users and groups',
    spec({
      securityContext: {
        runAsUser: -1,
        runAsGroup: -2,
        supplementalGroups: [0, -3],
        fsGroup: 2e10,
      },
    }),
    [
      ['runAsUser', '-1'],
      ['runAsGroup', '-2'],
      ['supplementalGroups[1]', '-3'],
      ['fsGroup', '20000000000'],
    ].map(
      ([member, id]) =>
        `spec.securityContext.${member}: Invalid value: ${id}: must be between 0 and ` +
        '2147483647, inclusive',
    ),
  ],
  [
    'fsGroupChangePolicy',
    spec({ securityContext: { fsGroupChangePolicy: 'Never' } }),
    [
      'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Never": supported values: ' +
        '"Always", "OnRootMismatch"',
    ],
  ],
  [
    'sysctls: names',
    spec({ securityContext: { sysctls: [{}, { name: 'A' }, { name: 'a.b' }, { name: 'a.b' }] } }),
    [
      'spec.securityContext.sysctls[0].name: Required value',
      'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 ' +
        'characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*' +
        '[a-z0-9]([-_a-z0-9]*[a-z0-9])?',
      'spec.securityContext.sysctls[3].name: Duplicate value: "a.b"',
    ],
  ],
  [
    'seccompProfile: type',
    spec({ securityContext: { seccompProfile: {} } }),
    [
      'spec.securityContext.seccompProfile.type: Required value: type is required when ' +
        'seccompProfile is set',
    ],
  ],
  [
    'seccompProfile: known types',
    spec({ securityContext: { seccompProfile: { type: 'Other' } } }),
    [
      'spec.securityContext.seccompProfile.type: Unsupported value: "Other": supported values: ' +
        '"Localhost", "RuntimeDefault", "Unconfined"',
    ],
  ],
  [
    'seccompProfile: Localhost needs a profile',
    spec({ securityContext: { seccompProfile: { type: 'Localhost' } } }),
    [
      'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when ' +
        'seccomp type is Localhost',
    ],
  ],
  [
    'seccompProfile: the profile is a relative path',
    spec({ securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: '../a' } } }),
    [
      'metadata.annotations.seccomp.security.alpha.cluster.io/pod: Invalid value: "../a": must ' +
        "not contain '..'",
      'spec.securityContext.seccompProfile.localhostProfile: Invalid value: "../a": must not ' +
        "contain '..'",
    ],
  ],
  [
    'seccompProfile: a profile for Localhost only',
    spec({ securityContext: { seccompProfile: { type: 'Unconfined', localhostProfile: 'a' } } }),
    [
      'spec.securityContext.seccompProfile.localhostProfile: Invalid value: ' +
        '{"type":"Unconfined","localhostProfile":"a"}: can only be set when seccomp type is ' +
        'Localhost',
    ],
  ],
  [
    'windowsOptions: credentials',
    windows({ gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '' }),
    [
      'spec.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "A": ' +
        SUBDOMAIN_HINT,
      'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": ' +
        'gmsaCredentialSpec cannot be an empty string',
    ],
  ],
  ...(
    [
      ['', ' cannot be an empty string'],
      ['a\\b\\c', ' cannot contain more than one backslash'],
      ['a\tb', ' cannot contain control characters'],
      ['NT\\', "'s User cannot be empty"],
      ['NT\\. .', "'s User cannot contain only periods or spaces"],
      ['.a_b\\me', "'s Domain doesn't match the NetBios nor the DNS format"],
      ['me@x', `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`],
    ] as const
  ).map(
    ([runAsUserName, problem]) =>
      [
        `windowsOptions: runAsUserName${problem}`,
        windows({ runAsUserName }),
        [
          'spec.securityContext.windowsOptions.runAsUserName: Invalid value: ' +
            `${JSON.stringify(runAsUserName)}: runAsUserName${problem}`,
        ],
      ] as const,
  ),
  [
    'windowsOptions: runAsUserName, for each reason',
    windows({ runAsUserName: '.a_b\\@' }),
    [
      "'s Domain doesn't match the NetBios nor the DNS format",
      `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`,
    ].map(
      (why) =>
        'spec.securityContext.windowsOptions.runAsUserName: Invalid value: ' +
        `".a_b\\\\@": runAsUserName${why}`,
    ),
  ],
  [
    'hostProcess needs hostNetwork',
    windows({ hostProcess: true }),
    [
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any ' +
        'hostProcess containers',
    ],
  ],
  [
    'seccomp: annotations',
    {
      metadata: {
        annotations: {
          'seccomp.security.alpha.cluster.io/pod': 'mine',
          'container.seccomp.security.alpha.cluster.io/app': 'mine',
        },
      },
    },
    [
      'metadata.annotations.seccomp.security.alpha.cluster.io/pod: Invalid value: "mine": must ' +
        'be a valid seccomp profile',
      'metadata.annotations.container.seccomp.security.alpha.cluster.io/app: Invalid value: ' +
        '"mine": must be a valid seccomp profile',
    ],
  ],
  [
    'seccomp: annotations and members say the same',
    {
      metadata: {
        annotations: {
          'seccomp.security.alpha.cluster.io/pod': 'unconfined',
          'container.seccomp.security.alpha.cluster.io/app': 'localhost/a',
        },
      },
      ...spec({
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            ...CONTAINER,
            securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'b' } },
          },
        ],
      }),
    },
    [
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field ' +
        'must match',
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Forbidden: seccomp ' +
        'profile in annotation and field must match',
    ],
  ],
  [
    'AppArmor: annotations',
    {
      metadata: {
        annotations: {
          'container.apparmor.security.beta.cluster.io/app': 'mine',
          'container.apparmor.security.beta.cluster.io/other': 'localhost/mine',
        },
      },
    },
    [
      'metadata.annotations[container.apparmor.security.beta.cluster.io/app]: Invalid value: ' +
        '"mine": invalid AppArmor profile name: "mine"',
      'metadata.annotations[container.apparmor.security.beta.cluster.io/other]: Invalid value: ' +
        '"other": container not found',
    ],
  ],
  [
    'sysctls: no slashes',
    spec({ securityContext: { sysctls: [{ name: 'net/core', value: '1' }] } }),
    [
      'spec.securityContext.sysctls[0].name: Invalid value: "net/core": must have at most 253 ' +
        'characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?',
    ],
  ],
  ['os: is dropped', spec({ os: { name: 'beos' } }), []],
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: MINIMAL,
  fullStored: MINIMAL_STORED,
  invalid: SECURITY,
};
