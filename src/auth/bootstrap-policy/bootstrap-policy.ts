/** The roles and bindings that a cluster of release 1.23 begins with (README.md). */
import type { ClusterRole } from '#messages/rbac.v1';
import type { Binding } from '../../resources/rbac/role-binding-rules.ts';
import { ownName, ownNamespace, ownRole } from '../../semantics/dialect/own-names.ts';
import { RBAC_GROUP } from '../../resources/rbac/policy-rules.ts';
import {
  AGGREGATED_ROLES,
  AGGREGATED_TO,
  CLUSTER_ROLE_SUBJECTS,
  CLUSTER_ROLES,
} from './cluster-roles.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';
import { NAMESPACED_ROLES } from './namespaced-roles.ts';
import { policyRule, policySubject, type RuleRow, type SubjectRow } from './policy-rows.ts';
import { AUTO_UPDATE, mendedBinding, mendedRole } from './mend-policy.ts';

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
  /** What the stored object should be; undefined when it is right, `'replace'` to make it anew. */
  readonly mend: (stored: object) => object | 'replace' | undefined;
}

/** Roles before the bindings that refer to them. */
export function bootstrapPolicy(): PolicyObject[] {
  const controllers = Object.entries(CONTROLLER_ROLES);
  return [
    ...AGGREGATED_ROLES.map((name) => clusterRole(name, aggregated(name))),
    ...Object.entries(CLUSTER_ROLES).map(([name, rows]) => clusterRole(name, ruled(rows))),
    ...controllers.map(([name, rows]) => clusterRole(CONTROLLER_PREFIX + name, ruled(rows))),
    ...Object.entries(CLUSTER_ROLE_SUBJECTS).map(([name, rows]) => clusterBinding(name, rows)),
    ...controllers.map(([name]) =>
      clusterBinding(CONTROLLER_PREFIX + name, [['ServiceAccount', name]]),
    ),
    ...NAMESPACED_ROLES.map(({ namespace, name, rules }) => {
      return role('roles', ownNamespace(namespace), name, ruled(rules));
    }),
    ...NAMESPACED_ROLES.map(({ namespace, name, binding = name, subjects }) => {
      const own = ownNamespace(namespace);
      return bound('rolebindings', own, binding, { kind: 'Role', name }, subjects);
    }),
  ];
}

function clusterRole(name: string, content: Partial<ClusterRole>): PolicyObject {
  const to = AGGREGATED_TO[name];
  const labels = to && { [aggregationLabel(to)]: 'true' };
  return role('clusterroles', '', ownRole(name), content, labels);
}

function role(
  plural: string,
  namespace: string,
  name: string,
  content: Partial<ClusterRole>,
  labels: Readonly<Record<string, string>> = {},
): PolicyObject {
  const wanted: ClusterRole = { metadata: metadata(namespace, name, labels), ...content };
  const mend = (stored: object): object | undefined => mendedRole(stored as ClusterRole, wanted);
  return { resource: shardOf(plural), namespace, name, wanted, mend };
}

function clusterBinding(name: string, subjects: readonly SubjectRow[]): PolicyObject {
  const own = ownRole(name);
  return bound('clusterrolebindings', '', own, { kind: 'ClusterRole', name: own }, subjects);
}

function bound(
  plural: string,
  namespace: string,
  name: string,
  roleRef: { readonly kind: string; readonly name: string },
  subjects: readonly SubjectRow[],
): PolicyObject {
  const wanted: Binding = {
    metadata: metadata(namespace, name),
    roleRef: { apiGroup: RBAC_GROUP, ...roleRef },
    ...(subjects.length > 0 && { subjects: subjects.map(policySubject) }),
  };
  const mend = (stored: object): object | 'replace' | undefined =>
    mendedBinding(stored as Binding, wanted);
  return { resource: shardOf(plural), namespace, name, wanted, mend };
}

function ruled(rows: readonly RuleRow[]): Pick<ClusterRole, 'rules'> {
  return { rules: rows.map(policyRule) };
}

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
function shardOf(plural: string): string {
  return `${plural}.rbac.authorization.cluster.io`;
}
