/** The objects of flow control that a cluster begins with, and how they are kept right. */
import { deepEqual } from '../../base/deep-equal.ts';
import { FALSE_TEXTS, TRUE_TEXTS } from '../../base/text/truth-texts.ts';
import {
  FLOW_LEVELS,
  FLOW_SCHEMAS,
  FLOW_VERSIONS,
  MANDATORY_FLOWS,
} from '../../release/data/flow-control.ts';
import { isIn } from '../../release/life.ts';
import { ownRelease } from '../../release/release.ts';
import { LEVEL_VERSIONS, SCHEMA_VERSIONS } from '../../resources/flowcontrol/flow-versions.ts';
import type { ApiObject, KindVersion } from '../../resources/kind.ts';
import {
  ownGroup,
  ownGroupVersion,
  ownName,
  ownNamespace,
} from '../../semantics/dialect/own-names.ts';

/** A true value keeps the specification of an object as it is here. */
const KEPT = ownName('apf.cluster.io/autoupdate-spec');
const SYSTEM_NAMESPACE = ownNamespace('cluster-system');
const EXEMPT = 'exempt';
const FLOW_LEVELS_TYPE = 'prioritylevelconfigurations.flowcontrol.apiserver.cluster.io';
const FLOW_SCHEMAS_TYPE = 'flowschemas.flowcontrol.apiserver.cluster.io';

/** The objects of one type. */
export interface FlowObjects {
  /** The name of its shard. */
  readonly resource: string;
  /** The place of the version that they are written in, and its name. */
  readonly version: number;
  readonly apiVersion: string;
  readonly specs: ReadonlyMap<string, object>;
}

/** An object of either type, as far as it is looked at here. */
export interface FlowObject extends ApiObject {
  readonly spec?: object;
}

export function nameOf({ metadata: { name = '' } }: ApiObject): string {
  return name;
}

/** Those that the release has. */
export function flowObjects(): readonly FlowObjects[] {
  const { minor } = ownRelease();
  const name = FLOW_VERSIONS.find((life) => isIn(life, minor))?.version;
  const placeOf = (versions: readonly KindVersion[]): number =>
    versions.findIndex(({ version }) => version === name) + 1;
  const schemas = Object.entries(FLOW_SCHEMAS).filter(([, life]) => isIn(life, minor));
  const apiVersion = ownGroupVersion(`flowcontrol.apiserver.cluster.io/${name}`);
  const levels = Object.keys(FLOW_LEVELS).map((level) => [level, limitedSpec(level)] as const);
  return [
    {
      resource: FLOW_LEVELS_TYPE,
      version: placeOf(LEVEL_VERSIONS),
      apiVersion,
      specs: new Map([[EXEMPT, exemptSpec()], ...levels]),
    },
    {
      resource: FLOW_SCHEMAS_TYPE,
      version: placeOf(SCHEMA_VERSIONS),
      apiVersion,
      specs: new Map(schemas.map(([schema]) => [schema, schemaSpec(schema)] as const)),
    },
  ];
}

/** One of them as it is made. */
export function newFlowObject(name: string, spec: object): object {
  return { metadata: { name, annotations: { [KEPT]: 'true' } }, spec };
}

/**
 * The object as it has to be; undefined where it is right. Suggested ones are their owners' once
 * these have changed them, and say so.
 */
export function revised(stored: FlowObject, wanted: object): FlowObject | undefined {
  const { annotations } = stored.metadata;
  const said = truthOf(annotations?.[KEPT]);
  const isKept =
    MANDATORY_FLOWS.includes(nameOf(stored)) || (said ?? (stored.metadata.generation ?? 0) === 1);
  const isChanged = isKept && !isSame(wanted, stored.spec);
  if (said === isKept && !isChanged) return undefined;
  return {
    ...stored,
    metadata: { ...stored.metadata, annotations: { ...annotations, [KEPT]: String(isKept) } },
    ...(isChanged && { spec: wanted }),
  };
}

/** Whether an object is one that an earlier release kept, and this one does not have. */
export function isLeftOver(stored: FlowObject, specs: FlowObjects['specs']): boolean {
  return !specs.has(nameOf(stored)) && truthOf(stored.metadata.annotations?.[KEPT]) === true;
}

/** The shares of what is exempt are free. */
function isSame(wanted: object, stored: object | undefined): boolean {
  if (stored === undefined) return false;
  if (!('exempt' in wanted)) return deepEqual(wanted, stored);
  return 'exempt' in stored && deepEqual({ ...wanted, exempt: stored.exempt }, stored);
}

function truthOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (TRUE_TEXTS.has(text)) return true;
  return FALSE_TEXTS.has(text) ? false : undefined;
}

function exemptSpec(): object {
  const share = ownRelease().has('sharesOfExempt');
  return {
    type: 'Exempt',
    ...(share && { exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
  };
}

function limitedSpec(name: string): object {
  const { shares = 0, lendable = 0, queuing } = FLOW_LEVELS[name] ?? {};
  const [queues, handSize, queueLengthLimit] = queuing ?? [];
  const queue = { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } };
  const limitResponse = queuing === undefined ? { type: 'Reject' } : queue;
  const isNominal = ownRelease().has('nominalConcurrencyShares');
  const limited = isNominal
    ? { nominalConcurrencyShares: shares, limitResponse, lendablePercent: lendable }
    : { assuredConcurrencyShares: shares, limitResponse };
  return { type: 'Limited', limited };
}

function schemaSpec(name: string): object {
  const schema = FLOW_SCHEMAS[name];
  if (schema === undefined) throw new RangeError(`no flow schema ${name}`);
  const { level, precedence, by, who } = schema;
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(by !== undefined && { distinguisherMethod: { type: by } }),
    rules: [{ subjects: subjectsOf(who), ...rulesOf(schema.what) }],
  };
}

type Schema = (typeof FLOW_SCHEMAS)[string];

function subjectsOf({ user = [], group = [], account = [] }: Schema['who']): readonly object[] {
  return [
    ...user.map((name) => ({ kind: 'User', user: { name } })),
    ...group.map((name) => ({ kind: 'Group', group: { name } })),
    ...account.map((name) => ({
      kind: 'ServiceAccount',
      serviceAccount: { namespace: SYSTEM_NAMESPACE, name },
    })),
  ];
}

function rulesOf(what: Schema['what']): object {
  if (what === undefined) {
    return {
      resourceRules: [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
      ],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    };
  }
  if ('paths' in what) {
    return { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: what.paths }] };
  }
  return {
    resourceRules: what.map(({ verbs, group, resources, isOfCluster }) => ({
      verbs,
      apiGroups: [group === '' ? '' : ownGroup(group)],
      resources,
      ...(isOfCluster && { clusterScope: true }),
      namespaces: ['*'],
    })),
  };
}
