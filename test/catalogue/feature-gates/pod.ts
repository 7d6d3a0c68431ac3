import type { KindCases } from '../../support/kind-cases.ts';
import {
  CONTAINER,
  CONTAINER_DEFAULTS,
  containerRow as row,
  MINIMAL,
  MINIMAL_STORED,
  spec,
} from '../../support/pod-cases.ts';

const PROBE = { exec: { command: ['true'] }, terminationGracePeriodSeconds: 5 };
const PROBE_DEFAULTS = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};
const FULL = {
  ...CONTAINER,
  livenessProbe: PROBE,
  startupProbe: PROBE,
  securityContext: { procMount: 'Unmasked' },
};
const STORED_PROBE = { ...PROBE, ...PROBE_DEFAULTS };

export const CASES: KindCases = {
  featureGates: ['IdentifyPodOS', 'ProbeTerminationGracePeriod', 'ProcMountType'],
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: { spec: { containers: [FULL], os: { name: 'linux' } } },
  fullStored: {
    ...MINIMAL_STORED,
    spec: {
      ...MINIMAL_STORED.spec,
      containers: [
        {
          ...FULL,
          ...CONTAINER_DEFAULTS,
          livenessProbe: STORED_PROBE,
          startupProbe: STORED_PROBE,
        },
      ],
      os: { name: 'linux' },
    },
  },
  invalid: [
    row(
      'probes: the time to end is not nothing',
      { livenessProbe: { ...PROBE, terminationGracePeriodSeconds: 0 } },
      'livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
    ),
    row(
      'procMount: names',
      { securityContext: { procMount: 'Open' } },
      'securityContext.procMount: Unsupported value: "Open": supported values: "Default", ' +
        '"Unmasked"',
    ),
    [
      'os: names',
      spec({ os: { name: 'beos' } }),
      ['spec.os: Unsupported value: "beos": supported values: "linux", "windows"'],
    ],
    ['os: a name', spec({ os: {} }), ['spec.os.name: Required value: cannot be empty']],
    [
      'os: what windows does not have',
      spec({ os: { name: 'windows' }, hostPID: true, securityContext: { runAsUser: 1 } }),
      [
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [
      'os: what linux does not have',
      spec({ os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'me' } } }),
      [
        'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a ' +
          'linux pod',
      ],
    ],
  ],
};
