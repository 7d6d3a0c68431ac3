/** Parameters of operations. */
import { ownRelease } from '../../release/release.ts';
import type { DescribedModel } from './definitions.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

const query = (
  name: string,
  description: string,
  type: Parameter['type'] = 'string',
): Parameter => ({ name, in: 'query', type, description });

const PRETTY = query('pretty', 'Whether the answer is indented.');
const DRY_RUN = query('dryRun', 'With All, everything is done but nothing is stored.');
const FIELD_MANAGER = query('fieldManager', 'Who comes to own the fields that the request sets.');
const FIELD_VALIDATION = query(
  'fieldValidation',
  'Whether unknown and repeated members are dropped (Ignore), told of (Warn) or refused (Strict).',
);
const FORCE = query('force', 'Whether an apply takes over fields that others own.', 'boolean');
const told = (isTold: boolean, ...parameters: readonly Parameter[]): readonly Parameter[] =>
  isTold ? parameters : [];

const OWN_RELEASE = ownRelease();

const SELECTION: readonly Parameter[] = [
  query('continue', 'Where to go on: from the metadata of the page before.'),
  query('fieldSelector', 'Only objects with these values of fields.'),
  query('labelSelector', 'Only objects with these labels.'),
  query('limit', 'How many objects to answer at most.', 'integer'),
  query('resourceVersion', 'The version to list or to watch from.'),
  query('resourceVersionMatch', 'How the version of a list is meant: Exact or NotOlderThan.'),
  ...told(
    OWN_RELEASE.has('watchesMayBeginWithObjects'),
    query(
      'sendInitialEvents',
      'Whether a watch begins with the objects that are there.',
      'boolean',
    ),
  ),
  ...told(
    OWN_RELEASE.has('shardSelectorsAreTold'),
    query('shardSelector', 'Only objects of these shards. It selects none here.'),
  ),
  query('timeoutSeconds', 'How long the request may take.', 'integer'),
];
const DELETION: readonly Parameter[] = [
  DRY_RUN,
  query('gracePeriodSeconds', 'How long the deletion waits.', 'integer'),
  ...told(
    OWN_RELEASE.has('storeReadErrorsMayBeIgnored'),
    query(
      'ignoreStoreReadErrorWithClusterBreakingPotential',
      'Whether an object that cannot be read is deleted all the same. None is unreadable here.',
      'boolean',
    ),
  ),
  query('orphanDependents', 'Deprecated: see propagationPolicy.', 'boolean'),
  query('propagationPolicy', 'What becomes of dependents: Orphan, Background or Foreground.'),
];

/** Query parameters by what is done. */
export const QUERY_PARAMETERS = {
  get: [PRETTY],
  list: [
    PRETTY,
    ...SELECTION,
    query('allowWatchBookmarks', 'Whether a watch may be sent bookmarks.', 'boolean'),
    query('watch', 'Whether to answer changes as they happen.', 'boolean'),
  ],
  write: [PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION],
  patch: [PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION, FORCE],
  delete: [PRETTY, ...DELETION],
  deletecollection: [PRETTY, ...SELECTION, ...DELETION],
} as const;

export function nameParameter(kind: string): Parameter {
  return { name: 'name', in: 'path', type: 'string', description: `Name of the ${kind}.` };
}

export const NAMESPACE_PARAMETER: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'The namespace of the objects.',
};

/** The rest of the path of a proxy. */
export const PATH_PARAMETER: Parameter = {
  name: 'path',
  in: 'path',
  type: 'string',
  description: 'The path of the request that is passed on.',
};

const OPTION_TYPES: Readonly<Record<string, Parameter['type']>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'integer',
  int64: 'integer',
};

/** The fields of an options message, such as `core.v1.PodExecOptions`, as query parameters. */
export function optionParameters(
  { model, descriptions }: DescribedModel,
  message: string,
): readonly Parameter[] {
  return (model.messages[message]?.fields ?? []).flatMap(({ name, type }) => {
    const parameterType = OPTION_TYPES[type];
    const description = descriptions[`${message}.${name}`] ?? '';
    return parameterType === undefined ? [] : [query(name, description, parameterType)];
  });
}
