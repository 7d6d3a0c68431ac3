// Rows of kind Pod on volumes that are made of objects; `volumes.ts` has full ones.
import type { Change, KindCases } from '../../support/kind-cases.ts';
import { NAME_PART_HINT } from '../../support/name-hints.ts';
import { MINIMAL, MINIMAL_STORED, spec, type Row } from '../../support/pod-cases.ts';
import { FIELDS, ITEMS, MODE, MORE_THAN_ONE, row } from '../../support/volume-cases.ts';

/** The least of each. */
const SOURCES = { configMap: { name: 'c' }, secret: { secretName: 's' } };

const projected = (rule: string, sources: readonly Change[], ...errors: string[]): Row =>
  row(rule, { projected: { sources } }, ...errors.map((error) => `projected${error}`));

const FILES: KindCases['invalid'] = [
  ...(['configMap', 'secret'] as const).flatMap((member) =>
    (
      [
        ['a key', { path: 'p' }, 'key: Required value'],
        ['a path', { key: 'k' }, 'path: Required value'],
        ['a mode', { key: 'k', path: 'p', mode: 512 }, `mode: Invalid value: 512: ${MODE}`],
        [
          'Volume: "Paths must be relative"',
          { key: 'k', path: '/p' },
          'path: Invalid value: "/p": must be a relative path',
        ],
        [
          'Volume: paths "must not contain .."',
          { key: 'k', path: 'a/../p' },
          'path: Invalid value: "a/../p": must not contain \'..\'',
        ],
        [
          'Volume: paths "must not start with .."',
          { key: 'k', path: '..p' },
          'path: Invalid value: "..p": must not start with \'..\'',
        ],
      ] as const
    ).map(([rule, item, error]) =>
      row(
        `${member}: ${rule}`,
        { [member]: { ...SOURCES[member], items: [ITEMS[0], item] } },
        `${member}.items[1].${error}`,
      ),
    ),
  ),
  row(
    'downwardAPI: a path and a source',
    { downwardAPI: { items: [{}] } },
    'downwardAPI.path: Required value',
    'downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
  ),
  row(
    'downwardAPI: a field',
    { downwardAPI: { items: [{ path: 'a', fieldRef: {} }] } },
    'downwardAPI.fieldRef.fieldPath: Required value',
  ),
  row(
    'downwardAPI: relative paths, and modes',
    { downwardAPI: { items: [{ ...FIELDS[0], path: '/a', mode: 512 }] } },
    'downwardAPI.path: Invalid value: "/a": must be a relative path',
    `downwardAPI.mode: Invalid value: 512: ${MODE}`,
  ),
  row(
    'downwardAPI: not two sources',
    { downwardAPI: { items: [{ ...FIELDS[0], ...FIELDS[1] }] } },
    'downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified ' +
      'simultaneously',
  ),
  row(
    'downwardAPI: fields that can be files',
    { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'status.podIP' } }] } },
    'downwardAPI.fieldRef.fieldPath: Unsupported value: "status.podIP": supported values: ' +
      '"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", ' +
      '"metadata.uid"',
  ),
  row(
    'downwardAPI: an annotation of a valid key',
    {
      downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: "metadata.annotations['-']" } }] },
    },
    `downwardAPI.fieldRef: Invalid value: "-": ${NAME_PART_HINT}`,
  ),
  row(
    'downwardAPI: resources of a container',
    { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
    'downwardAPI.resourceFieldRef.containerName: Required value',
  ),
  projected(
    'Volume: projected: names of objects',
    [{ secret: {} }, { configMap: {} }],
    '.sources[0].secret.name: Required value',
    '.sources[1].configMap.name: Required value',
  ),
  projected(
    'projected: one type per source',
    [{ secret: { name: 's' }, configMap: { name: 'c' } }],
    `.sources[0].configMap: ${MORE_THAN_ONE}`,
  ),
  projected(
    'projected: paths as elsewhere',
    [{ secret: { name: 's', items: [{ key: 'k', path: '../a' }] } }],
    '.sources[0].secret.items[0].path: Invalid value: "../a": must not contain \'..\'',
  ),
  projected(
    'projected: no file twice',
    [
      { secret: { name: 's', items: [{ key: 'k', path: 'a' }] } },
      { configMap: { name: 'c', items: [{ key: 'k', path: 'a' }] } },
      { downwardAPI: { items: [{ ...FIELDS[0], path: 'a' }] } },
    ],
    ': Invalid value: "c": conflicting duplicate paths',
    ': Invalid value: "a": conflicting duplicate paths',
  ),
  projected(
    'serviceAccountToken: expirationSeconds: "minimum 10 minutes"',
    [{ serviceAccountToken: { path: 't', expirationSeconds: 599 } }],
    '.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a ' +
      'duration less than 10 minutes',
  ),
  projected(
    'serviceAccountToken: expirationSeconds has a maximum',
    [{ serviceAccountToken: { path: 't', expirationSeconds: 4_294_967_297 } }],
    '.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 4294967297: may not ' +
      'specify a duration larger than 2^32 seconds',
  ),
  projected(
    'serviceAccountToken: path: required',
    [{ serviceAccountToken: {} }],
    '.sources[0].serviceAccountToken.path: Required value',
  ),
  projected(
    'serviceAccountToken: "File path relative to the mount point"',
    [{ serviceAccountToken: { path: '/t' } }],
    '.sources[0].serviceAccountToken.path: Invalid value: "/t": must be a relative path',
  ),
  [
    'serviceAccountToken: of an account',
    spec({
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }],
    }),
    [
      'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be ' +
        'specified when serviceAccountName is not set',
    ],
  ],
];

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Pod',
  minimal: MINIMAL,
  minimalStored: MINIMAL_STORED,
  full: MINIMAL,
  fullStored: MINIMAL_STORED,
  invalid: FILES,
};
