/** What every node agent may do, besides what is decided for each node (README.md#rules). */
import type { PolicyRule } from '../../resources/rbac/policy-rules.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';

const READ = ['get', 'list', 'watch'];

function rule(verbs: readonly string[], group: string, resources: readonly string[]): PolicyRule {
  return { verbs, apiGroups: [group === '' ? '' : ownGroup(group)], resources };
}

export const NODE_RULES: readonly PolicyRule[] = [
  rule(['create'], 'authentication.cluster.io', ['tokenreviews']),
  rule(['create'], 'authorization.cluster.io', [
    'subjectaccessreviews',
    'localsubjectaccessreviews',
  ]),
  rule(READ, '', ['services', 'pods', 'nodes']),
  rule(['create', 'update', 'patch'], '', ['nodes', 'events']),
  rule(['update', 'patch'], '', ['nodes/status', 'pods/status']),
  rule(['create', 'delete'], '', ['pods']),
  rule(['create'], '', ['pods/eviction']),
  rule(['get'], '', ['endpoints']),
  rule(['create', ...READ], 'certificates.cluster.io', ['certificatesigningrequests']),
  rule(READ, 'storage.cluster.io', ['csidrivers']),
  rule(READ, 'node.cluster.io', ['runtimeclasses']),
];
