/** Members of kinds that are dropped unless `--feature-gates` switches them on. */

/** What each is about, by the names that the reference release has for them: there all are off. */
export const FEATURES = {
  CustomResourceValidationExpressions: 'rules in the schemas of custom resources',
  DynamicKubeletConfig: 'configSource and status.config of nodes',
  HPAContainerMetrics: 'containerResource in the metrics of autoscalers',
  IdentifyPodOS: 'os of pods',
  ProbeTerminationGracePeriod: 'terminationGracePeriodSeconds of probes',
  ProcMountType: 'procMount of containers, allowedProcMountTypes of policies',
  RecoverVolumeExpansionFailure: 'allocatedResources and resizeStatus of claims',
  TopologyAwareHints: 'hints of the endpoints in slices',
} as const;

export type FeatureGate = keyof typeof FEATURES;

export const FEATURE_GATES = Object.keys(FEATURES) as readonly FeatureGate[];

/** Those that are on. */
export type FeatureGates = ReadonlySet<FeatureGate>;

export const DEFAULT_GATES: FeatureGates = new Set();

/**
 * Reads pairs as `IdentifyPodOS=true,ProcMountType=false`; of pairs with one name the last counts.
 * Throws RangeError for a name that there is not and for a value that is no boolean.
 */
export function parseFeatureGates(pairs: string): FeatureGates {
  const gates = new Set(DEFAULT_GATES);
  for (const pair of pairs.split(',')) {
    if (pair.trim() === '') continue;
    const [name = '', value = '', ...more] = pair.split('=').map((part) => part.trim());
    const gate = FEATURE_GATES.find((one) => one === name);
    if (gate === undefined)
      throw new RangeError(`there is no feature gate "${name}", only ${FEATURE_GATES.join(', ')}`);
    if (more.length > 0 || (value !== 'true' && value !== 'false')) {
      throw new RangeError(`"${pair.trim()}" is not ${name}=true or ${name}=false`);
    }
    if (value === 'true') gates.add(gate);
    else gates.delete(gate);
  }
  return gates;
}
