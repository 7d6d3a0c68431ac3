/** Which labels an agent may give to its node: others would let it draw pods to itself. */
import { ownDialect, ownDomain, ownName } from '../../../semantics/dialect/own-names.ts';

/** Domains of labels that have a meaning to the server and its own components. */
const OWN_DOMAINS = [ownDomain('cluster.io'), ownDialect().domain];
/** For people who want to keep nodes apart. */
const RESTRICTED_DOMAINS = [ownDomain('node-restriction.cluster.io')];
const AGENT_DOMAINS = [ownDomain('kubelet.cluster.io'), ownDomain('node.cluster.io')];
/** Labels of facts that an agent knows about its machine. */
const AGENT_LABELS: ReadonlySet<string> = new Set(
  [
    'cluster.io/hostname',
    'cluster.io/os',
    'cluster.io/arch',
    'topology.cluster.io/zone',
    'topology.cluster.io/region',
    'node.cluster.io/instance-type',
    'beta.cluster.io/os',
    'beta.cluster.io/arch',
    'beta.cluster.io/instance-type',
    'failure-domain.beta.cluster.io/zone',
    'failure-domain.beta.cluster.io/region',
  ].map(ownName),
);

type Labels = Readonly<Record<string, string>>;

/** The keys of labels that an agent may not have changed, in their order. */
export function forbiddenChanges(labels: Labels = {}, stored: Labels = {}): string[] {
  const changed = Object.keys({ ...labels, ...stored }).filter(
    (key) => valueOf(labels, key) !== valueOf(stored, key),
  );
  return changed.filter(isForbidden).toSorted();
}

function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/');
  const domain = slash < 0 ? '' : key.slice(0, slash);
  if (isBelow(domain, RESTRICTED_DOMAINS)) return true;
  return isBelow(domain, OWN_DOMAINS) && !isBelow(domain, AGENT_DOMAINS) && !AGENT_LABELS.has(key);
}

function isBelow(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}
