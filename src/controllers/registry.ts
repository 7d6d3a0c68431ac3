/**
 * The controllers inside the process: which types each has to do with, whether it runs where nobody
 * says so, and how it is run. Implementations are loaded where they run, so that options can be
 * read without them.
 */
import type { AuthorizationConfig } from '../auth/authorizers.ts';
import type { SigningSettings } from '../auth/certificate-authority.ts';
import type { TokenSettings } from '../auth/service-account-tokens.ts';
import type { KindDefinition } from '../resources/kind.ts';
import type { ApiEndpoint } from './bootstrap-objects.ts';
import type { ServedKind } from './controller-protocol.ts';
import type { Ports } from './run-controller.ts';

/** A type, built-in or custom, as far as it decides who has to do with it. */
export interface ConcernedType {
  /** The name of its shard. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly defaultPropagation?: KindDefinition['defaultPropagation'];
}

/** The settings that the server gives its controllers when it starts them. */
export interface ControllerOptions {
  readonly eventTtlMs: number;
  /** The name by which the server tells of itself; '' where it does not. */
  readonly serverId: string;
  readonly runtimeConfig: string;
  readonly endpoint: ApiEndpoint;
  /** Custom types that there are at the start. */
  readonly types: readonly ServedKind[];
  readonly signing: SigningSettings;
  /** The keys and settings of tokens of service accounts. */
  readonly tokens: TokenSettings;
  readonly authorization: AuthorizationConfig;
  /** Which changes were answered: see `AnsweredVersions`. */
  readonly answered: SharedArrayBuffer;
}

/** The settings and tools that a controller has of the thread that runs it. */
export interface ControllerContext extends ControllerOptions {
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

interface Controller {
  /** Whether it is given a port to the shard of a type. */
  readonly concerns: (type: ConcernedType) => boolean;
  /**
   * Shards have verbs for it that clients do not have, because they know what it would otherwise
   * have to keep or ask for object by object. Absent: it is a client like any other.
   */
  readonly hasOwnVerbs?: true;
  /** `*` does not switch it on, only its name does. */
  readonly isOffByDefault?: true;
  /**
   * It is not in the hands of `--controllers`: it runs where all of these ways to authorize and
   * features are on.
   */
  readonly requiredBy?: readonly string[];
  /** It has done its work before anybody is served. */
  readonly isFirst?: true;
  /** The steps of a start that it does; absent: one step by its name. */
  readonly steps?: readonly string[];
  /** Resolves when it was told to stop. */
  readonly run: (ports: Ports, context: ControllerContext) => Promise<void>;
}

const REQUESTS = 'certificatesigningrequests.certificates.cluster.io';
const ROLES = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(
  (plural) => `${plural}.rbac.authorization.cluster.io`,
);

const REGISTRY = {
  'bootstrap-policy': {
    concerns: oneOf(...ROLES),
    requiredBy: ['RBAC'],
    steps: ['poststarthook/rbac/bootstrap-roles'],
    run: async (ports, { logError }) => {
      const { StartObjects } = await import('./start-objects.ts');
      const { bootstrapPolicy } = await import('../auth/bootstrap-policy/bootstrap-policy.ts');
      const objects = bootstrapPolicy();
      await new StartObjects(ports, { objects, what: 'the bootstrap policy', logError }).run();
    },
  },
  'system-priority-classes': {
    concerns: oneOf('priorityclasses.scheduling.cluster.io'),
    requiredBy: [],
    steps: ['poststarthook/scheduling/bootstrap-system-priority-classes'],
    run: async (ports, { logError }) => {
      const { StartObjects } = await import('./start-objects.ts');
      const { systemPriorityClasses } = await import('./system-priority-classes.ts');
      const objects = systemPriorityClasses();
      await new StartObjects(ports, { objects, what: 'system priorities', logError }).run();
    },
  },
  'identity-lease': {
    concerns: oneOf('leases.coordination.cluster.io'),
    requiredBy: ['APIServerIdentity'],
    isFirst: true,
    steps: ['poststarthook/start-kube-apiserver-identity-lease-controller'],
    run: async (ports, context) => {
      const { holdIdentity } = await import('./server-identity.ts');
      await holdIdentity(ports, context);
    },
  },
  'storage-versions': {
    concerns: oneOf('storageversions.internal.apiserver.cluster.io'),
    requiredBy: ['APIServerIdentity', 'StorageVersionAPI'],
    isFirst: true,
    steps: ['poststarthook/built-in-resources-storage-version-updater'],
    run: async (ports, context) => {
      const { tellStorageVersions } = await import('./storage-versions.ts');
      await tellStorageVersions(ports, context);
    },
  },
  bootstrap: {
    concerns: oneOf(
      'services',
      'endpoints',
      'endpointslices.discovery.cluster.io',
      'configmaps',
      'namespaces',
    ),
    steps: [
      'poststarthook/bootstrap-controller',
      'poststarthook/start-cluster-authentication-info-controller',
    ],
    run: async (ports, { endpoint, logError }) => {
      const { Bootstrap } = await import('./bootstrap.ts');
      await new Bootstrap(ports, { endpoint, logError }).run();
    },
  },
  namespace: {
    concerns: ({ resource, namespaced }) => namespaced || resource === 'namespaces',
    hasOwnVerbs: true,
    run: async (ports, { logError }) => {
      const { NamespaceController } = await import('./namespace-controller.ts');
      await new NamespaceController(ports, logError).run();
    },
  },
  'garbage-collector': {
    // Events come and go by themselves: nothing is collected with them.
    concerns: ({ defaultPropagation }) => defaultPropagation !== 'none',
    hasOwnVerbs: true,
    run: async (ports, { types, logError }) => {
      const { GarbageCollector } = await import('./garbage-collector.ts');
      const { OwnerKinds } = await import('./owner-kinds.ts');
      const { KINDS } = await import('../resources/registry.ts');
      await new GarbageCollector(ports, { kinds: new OwnerKinds(KINDS), types, logError }).run();
    },
  },
  'event-expiry': {
    concerns: oneOf('events'),
    hasOwnVerbs: true,
    run: async (ports, { eventTtlMs, nowMs, logError }) => {
      const { EventExpiry } = await import('./event-expiry.ts');
      await new EventExpiry(ports, { eventTtlMs, nowMs, logError }).run();
    },
  },
  'serviceaccount-token': {
    concerns: oneOf('serviceaccounts', 'secrets'),
    run: async (ports, { endpoint: { trusted }, tokens, logError }) => {
      const { AccountTokens } = await import('./accounts/account-tokens.ts');
      const { ServiceAccountTokens } = await import('../auth/service-account-tokens.ts');
      const signer = new ServiceAccountTokens(tokens);
      const issue = signer.issueLegacy.bind(signer);
      await new AccountTokens(ports, { authority: trusted, issue, logError }).run();
    },
  },
  csrapproving: {
    concerns: oneOf(REQUESTS, ...ROLES),
    run: async (ports, { authorization, answered, logError }) => {
      const { approveNodes } = await import('./certificates/approving.ts');
      const { LateAuthorizer } = await import('./late-authorizer.ts');
      const { Authorization } = await import('../auth/authorization.ts');
      const loaded = await Authorization.load(authorization);
      const given = { authorization: loaded, answered, logError };
      const authorizer = new LateAuthorizer(ports, given);
      await approveNodes(ports, { authorizer, logError });
      authorizer.close();
    },
  },
  csrsigning: {
    concerns: oneOf(REQUESTS),
    run: async (ports, { signing, nowMs, logError }) => {
      const { signApprovedRequests } = await import('./certificates/signing.ts');
      await signApprovedRequests(ports, { signing, nowMs, logError });
    },
  },
  csrcleaner: {
    concerns: oneOf(REQUESTS),
    run: async (ports, { nowMs, logError }) => {
      const { removeInTime } = await import('./timed-removal.ts');
      const { requestEndMs: endMs } = await import('./certificates/request-end.ts');
      const account = 'certificate-controller';
      await removeInTime(ports, { resource: REQUESTS, account, endMs, nowMs, logError });
    },
  },
  bootstrapsigner: {
    concerns: oneOf('secrets', 'configmaps'),
    isOffByDefault: true,
    run: async (ports, { nowMs, logError }) => {
      const { signClusterInfo } = await import('./bootstrap-tokens/bootstrap-signer.ts');
      await signClusterInfo(ports, { nowMs, logError });
    },
  },
  tokencleaner: {
    concerns: oneOf('secrets'),
    isOffByDefault: true,
    run: async (ports, { nowMs, logError }) => {
      const { removeInTime } = await import('./timed-removal.ts');
      const { BOOTSTRAP_TOKENS: followed, tokenEndMs: endMs } =
        await import('./bootstrap-tokens/bootstrap-token.ts');
      const removed = { resource: 'secrets', account: 'token-cleaner', followed };
      await removeInTime(ports, { ...removed, endMs, nowMs, logError });
    },
  },
  serviceaccount: {
    concerns: oneOf('namespaces', 'serviceaccounts'),
    run: async (ports, { logError }) => {
      const { NamespaceObjects } = await import('./namespace-objects.ts');
      // An account is only created: users may change it as they like.
      const object = { resource: 'serviceaccounts', name: 'default', wanted: {} };
      const kept = { ...object, account: 'service-account-controller', mend: () => undefined };
      await new NamespaceObjects(ports, kept, logError).run();
    },
  },
  'root-ca-cert-publisher': {
    concerns: oneOf('namespaces', 'configmaps'),
    run: async (ports, { endpoint: { trusted }, logError }) => {
      const { NamespaceObjects } = await import('./namespace-objects.ts');
      const { rootCertificates } = await import('./root-certificates.ts');
      await new NamespaceObjects(ports, rootCertificates(trusted), logError).run();
    },
  },
  resourcequota: {
    concerns: ({ namespaced }) => namespaced,
    run: async (ports, { nowMs, logError }) => {
      const { QuotaController } = await import('./resource-quota/quota-controller.ts');
      await new QuotaController(ports, { nowMs, logError }).run();
    },
  },
  'pvc-protection': {
    concerns: oneOf('persistentvolumeclaims', 'pods'),
    run: async (ports, { answered, logError }) => {
      const { protectClaims } = await import('./volumes/claim-protection.ts');
      await protectClaims(ports, { answered, logError });
    },
  },
  'pv-protection': {
    concerns: oneOf('persistentvolumes'),
    run: async (ports, { logError }) => {
      const { protectVolumes } = await import('./volumes/volume-protection.ts');
      await protectVolumes(ports, logError);
    },
  },
  'clusterrole-aggregation': {
    concerns: oneOf('clusterroles.rbac.authorization.cluster.io'),
    run: async (ports, { logError }) => {
      const { ClusterRoleAggregation } = await import('./cluster-role-aggregation.ts');
      await new ClusterRoleAggregation(ports, logError).run();
    },
  },
} as const satisfies Record<string, Controller>;

export type ControllerName = keyof typeof REGISTRY;
export const CONTROLLERS: Readonly<Record<ControllerName, Controller>> = REGISTRY;
const NAMES = Object.keys(REGISTRY) as readonly ControllerName[];
/** Those that `--controllers` may name. */
export const CONTROLLER_NAMES = NAMES.filter((name) => CONTROLLERS[name].requiredBy === undefined);

function oneOf(...resources: readonly string[]): Controller['concerns'] {
  return ({ resource }) => resources.includes(resource);
}

export function isControllerName(name: string): name is ControllerName {
  return Object.hasOwn(REGISTRY, name);
}

/** By which name a shard knows its port to a controller. */
export function controllerPort(name: ControllerName): string {
  return `${CONTROLLERS[name].hasOwnVerbs ? 'controller' : 'client'}:${name}`;
}

/** The names of the start's steps that a controller does. */
export function controllerSteps(name: ControllerName): readonly string[] {
  return CONTROLLERS[name].steps ?? [`poststarthook/${name}-controller`];
}

/** Those that run whatever `--controllers` says, with these ways to authorize and features. */
export function requiredControllers(on: readonly string[]): readonly ControllerName[] {
  return NAMES.filter((name) => CONTROLLERS[name].requiredBy?.every((it) => on.includes(it)));
}

/**
 * Reads a list as the reference's controller manager does: `*` is all that are on by default,
 * `name` that one, `-name` not that one, and what is named wins over `*`. Throws RangeError for a
 * name that there is not.
 */
export function parseControllers(list: string): ReadonlySet<ControllerName> {
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const item of items) {
    const name = item.replace(/^-/, '');
    if (item !== '*' && !(CONTROLLER_NAMES as readonly string[]).includes(name)) {
      throw new RangeError(`there is no controller "${name}"`);
    }
  }
  // Where a name comes both with and without a dash, the first one counts.
  const isOn = (name: ControllerName): boolean => {
    const named = items.find((item) => item === name || item === `-${name}`);
    if (named === undefined) return items.includes('*') && !CONTROLLERS[name].isOffByDefault;
    return named === name;
  };
  return new Set(CONTROLLER_NAMES.filter(isOn));
}
