/** The roles and bindings that a cluster of a release begins with (README.md). */
import type { ClusterRole } from '#messages/rbac.v1';
import type { Binding } from '../../resources/rbac/role-binding-rules.ts';
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import { CLUSTER_ROLES, NAMESPACED_ROLES } from '../../release/data/cluster-roles.ts';
import { CONTROLLER_ROLES } from '../../release/data/controller-roles.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import { AUTO_UPDATE, mendedBinding, mendedRole } from './mend-policy.ts';
import { readRoles, subjectOf, type RoleRow } from './policy-table.ts';
import type { PolicyRelease } from './policy-release.ts';

const BOOTSTRAPPING = ownName('cluster.io/bootstrapping');
const CONTROLLER_PREFIX = 'system:controller:';

/** An object that has to be there. */
export interface PolicyObject {
  /** The resource type, as shards are named. */
  readonly resource: string;
  /** '' for those of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly wanted: ClusterRole | Binding;
  /**
   * Returns the stored object as it should be; undefined when it is right, `'replace'` to make it
   * anew.
   */
  readonly mend: (stored: object) => object | 'replace' | undefined;
}

/** Roles before the bindings that refer to them. */
export function bootstrapPolicy(release: PolicyRelease): PolicyObject[] {
  const controllers = readRoles(CONTROLLER_ROLES, release).map((row) => {
    const subjects = [subjectOf(`ServiceAccount ${row.name}`)];
    return { ...row, name: CONTROLLER_PREFIX + row.name, subjects };
  });
  const cluster = [...readRoles(CLUSTER_ROLES, release), ...controllers];
  const namespaced = readRoles(NAMESPACED_ROLES, release);
  return [cluster, namespaced].flatMap((rows) => [...rows.map(role), ...rows.flatMap(binding)]);
}

function role({ namespace, name, partOf, rules }: RoleRow): PolicyObject {
  const wanted: ClusterRole = {
    metadata: metadata(
      namespace,
      name,
      partOf === undefined ? {} : { [aggregationLabel(partOf)]: 'true' },
    ),
    ...(rules.length > 0 ? { rules } : aggregated(name)),
  };
  const mend = (stored: object): object | undefined => mendedRole(stored as ClusterRole, wanted);
  return { resource: shardOf('roles', namespace), namespace, name, wanted, mend };
}

function binding({ namespace, name, boundAs = name, subjects }: RoleRow): PolicyObject[] {
  if (subjects === undefined) return [];
  const kind = namespace === '' ? 'ClusterRole' : 'Role';
  const wanted: Binding = {
    metadata: metadata(namespace, boundAs),
    roleRef: { apiGroup: RBAC_GROUP, kind, name },
    ...(subjects.length > 0 && { subjects: [...subjects] }),
  };
  const mend = (stored: object): object | 'replace' | undefined =>
    mendedBinding(stored as Binding, wanted);
  const resource = shardOf('rolebindings', namespace);
  return [{ resource, namespace, name: boundAs, wanted, mend }];
}

/** A role without rules of its own is the sum of its parts. */
function aggregated(name: string): Pick<ClusterRole, 'aggregationRule'> {
  const clusterRoleSelectors = [{ matchLabels: { [aggregationLabel(name)]: 'true' } }];
  return { aggregationRule: { clusterRoleSelectors } };
}

function aggregationLabel(name: string): string {
  return ownName(`rbac.authorization.cluster.io/aggregate-to-${name}`);
}

function metadata(
  namespace: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): ClusterRole['metadata'] {
  return {
    name,
    ...(namespace !== '' && { namespace }),
    labels: { [BOOTSTRAPPING]: 'rbac-defaults', ...labels },
    annotations: { [AUTO_UPDATE]: 'true' },
  };
}

/** Keys of types are neutral. */
function shardOf(plural: string, namespace: string): string {
  return `${namespace === '' ? 'cluster' : ''}${plural}.rbac.authorization.cluster.io`;
}
