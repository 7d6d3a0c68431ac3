import type { Change, KindCases } from '../../support/kind-cases.ts';
import { SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
  "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', " +
  "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
export const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for " +
  "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const API_VERSION =
  'an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters ' +
  "or '-', start with an alphabetic character, and end with an alphanumeric character " +
  "(e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') " +
  "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

const SERVER = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1'] };
const OTHER = { apiServerID: 'b', encodingVersion: 'v2', decodableVersions: ['v1', 'v2'] };
const CONDITION = { type: 'A', status: 'True', reason: 'a', message: 'b' };
const FIRST = 'status.storageVersions[0]';
const COMMON = 'status.commonEncodingVersion: Invalid value';
const servers = (...storageVersions: Change[]): Change => ({ status: { storageVersions } });
const common = (commonEncodingVersion: string, ...storageVersions: Change[]): Change => ({
  status: { storageVersions, commonEncodingVersion },
});
const conditions = (...changes: Change[]): Change => ({
  status: { conditions: changes.map((change) => ({ ...CONDITION, ...change })) },
});

export const CASES: KindCases = {
  apiVersion: 'internal.apiserver.cluster.io/v1alpha1',
  kind: 'StorageVersion',
  name: (unique) => `${unique}.things`,
  minimal: {},
  minimalStored: { spec: {}, status: {} },
  full: { spec: {}, status: {} },
  fullStored: { spec: {}, status: {} },
  invalid: [
    [
      'the name is of a group and a resource',
      { metadata: { name: 'things' } },
      ['metadata.name: Invalid value: "things": name must be in the form of <group>.<resource>'],
    ],
    [
      'both have names of their own',
      { metadata: { name: 'A.b.9c' } },
      [
        `metadata.name: Invalid value: "A.b.9c": the group segment ${SUBDOMAIN_HINT}`,
        `metadata.name: Invalid value: "A.b.9c": the resource segment ${LABEL_1035}`,
      ],
    ],
  ],
  updates: [
    ['a status is not written here', {}, servers(SERVER), []],
    [
      'no unconditional update',
      {},
      { metadata: { resourceVersion: '0' } },
      ['metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
    ],
  ],
  statusUpdates: [
    ['servers that agree', {}, common('v1', SERVER, { ...SERVER, apiServerID: 'b' }), []],
    ['servers that differ', {}, servers(SERVER, OTHER), []],
    [
      'each names itself and what it decodes',
      {},
      servers({ decodableVersions: ['/v1', 'a/b/c', 'x/'] }, OTHER),
      [
        `${FIRST}.apiServerID: Invalid value: "": ${SUBDOMAIN_HINT}`,
        `${FIRST}.encodingVersion: Invalid value: "": version part: must be non-empty`,
        `${FIRST}.decodableVersions[0]: Invalid value: "/v1": group part: must be non-empty`,
        `${FIRST}.decodableVersions[1]: Invalid value: "a/b/c": ${API_VERSION}`,
        `${FIRST}.decodableVersions[2]: Invalid value: "x/": version part: must be non-empty`,
        `${FIRST}.decodableVersions: Invalid value: []string{"/v1", "a/b/c", "x/"}: ` +
          'decodableVersions must include encodingVersion ',
      ],
    ],
    [
      'what it encodes in it decodes',
      {},
      servers({ apiServerID: 'a', encodingVersion: 'v1' }, OTHER),
      [
        `${FIRST}.decodableVersions: Invalid value: []string(nil): ` +
          'decodableVersions must include encodingVersion v1',
      ],
    ],
    [
      'the common version is said',
      {},
      servers(SERVER),
      [`${COMMON}: "null": the common encoding version is v1`],
    ],
    [
      'and is that of the servers',
      {},
      common('v2', SERVER),
      [`${COMMON}: "v2": the actual common encoding version is v1`],
    ],
    [
      'where they differ there is none',
      {},
      common('v2', SERVER, OTHER),
      [
        `${COMMON}: "v2": should be nil if servers do not agree on the same encoding version, ` +
          'or if there is no server reporting the supported versions yet',
      ],
    ],
    ['conditions', {}, conditions({}, { type: 'example.com/B' }), []],
    [
      'conditions, one of each type',
      {},
      conditions({}, {}),
      [
        'status[1].type: Invalid value: "A": the type of the condition is not unique, ' +
          'it also appears in conditions[0]',
      ],
    ],
    [
      'conditions say all',
      {},
      conditions({ status: 'T d', reason: '', message: '' }, { type: 'A b' }),
      [
        `status[0].status: Invalid value: "A": ${NAME_PART}`,
        'status[0].reason: Required value: reason cannot be empty',
        'status[0].message: Required value: message cannot be empty',
        `status[1].type: Invalid value: "A b": ${NAME_PART}`,
      ],
    ],
  ],
};
