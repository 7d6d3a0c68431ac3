/**
 * The features that `--feature-gates` switches, in their stages of release 1.23
 * (README.md#features).
 */
import { FALSE_TEXTS, TRUE_TEXTS } from '../base/text/truth-texts.ts';

/**
 * `alpha` is off and `beta` on unless `isOn` says otherwise, `GA` is on for good, and `deprecated`
 * is about to go.
 */
type Stage = 'alpha' | 'beta' | 'GA' | 'deprecated';

interface Feature {
  readonly stage: Stage;
  /** Whether it is on by default, where that does not follow from the stage. */
  readonly isOn?: boolean;
  readonly about: string;
}

/** The features that change what this server does. */
export const FEATURES = {
  APIListChunking: { stage: 'beta', about: 'limit and continue of lists' },
  APIResponseCompression: { stage: 'beta', about: 'large answers are gzipped' },
  APIServerIdentity: { stage: 'alpha', about: 'a lease that says that the server lives' },
  CSRDuration: { stage: 'beta', about: 'expirationSeconds of signing requests' },
  CustomResourceValidationExpressions: {
    stage: 'alpha',
    about: 'rules in the schemas of custom resources',
  },
  DaemonSetUpdateSurge: { stage: 'beta', about: 'maxSurge of daemon sets' },
  DynamicKubeletConfig: {
    stage: 'deprecated',
    isOn: false,
    about: 'configSource and status.config of nodes',
  },
  HPAContainerMetrics: { stage: 'alpha', about: 'containerResource in metrics of autoscalers' },
  IdentifyPodOS: { stage: 'alpha', about: 'os of pods' },
  IndexedJob: { stage: 'beta', about: 'completionMode of jobs' },
  NetworkPolicyEndPort: { stage: 'beta', about: 'endPort of network policies' },
  NonPreemptingPriority: { stage: 'beta', about: 'preemptionPolicy of priority classes and pods' },
  // Clients of later releases rely on these two, so they are on here already.
  OpenAPIV3: { stage: 'alpha', isOn: true, about: 'documents below /openapi/v3' },
  ServerSideFieldValidation: { stage: 'alpha', isOn: true, about: 'fieldValidation of writes' },
  PodOverhead: { stage: 'beta', about: 'overhead of pods' },
  PodSecurity: { stage: 'beta', about: 'the admission plugin of that name' },
  ProbeTerminationGracePeriod: {
    stage: 'beta',
    isOn: false,
    about: 'terminationGracePeriodSeconds of probes',
  },
  ProcMountType: {
    stage: 'alpha',
    about: 'procMount of containers, allowedProcMountTypes of policies',
  },
  RecoverVolumeExpansionFailure: {
    stage: 'alpha',
    about: 'allocatedResources and resizeStatus of claims',
  },
  RemainingItemCount: { stage: 'beta', about: 'remainingItemCount of lists' },
  StatefulSetMinReadySeconds: { stage: 'beta', about: 'minReadySeconds of stateful sets' },
  StorageVersionAPI: {
    stage: 'alpha',
    about: 'storage versions are told, with APIServerIdentity',
  },
  SuspendJob: { stage: 'beta', about: 'suspend of jobs' },
  TopologyAwareHints: { stage: 'beta', isOn: false, about: 'hints of the endpoints in slices' },
} as const satisfies Record<string, Feature>;

export type FeatureGate = keyof typeof FEATURES;

export const FEATURE_GATES = Object.keys(FEATURES) as readonly FeatureGate[];

/** Features that are on for good in release 1.23, and so here. */
const GENERAL: ReadonlySet<string> = new Set(
  `AdvancedAuditing CSIServiceAccountToken CSIVolumeFSGroupPolicy ConfigurableFSGroupPolicy
  DryRun EndpointSlice EndpointSliceNodeName EndpointSliceProxying ExecProbeTimeout
  GenericEphemeralVolume HugePageStorageMediumSize IPv6DualStack ImmutableEphemeralVolumes
  IngressClassNamespacedParams NamespaceDefaultLabelName PodDisruptionBudget RuntimeClass
  SelectorIndex ServerSideApply SetHostnameAsFQDN StorageObjectInUseProtection TTLAfterFinished
  VolumeSubpath WarningHeaders WatchBookmark WindowsEndpointSliceProxying`.split(/\s+/),
);

/**
 * Features of release 1.23 that change nothing here: other programs have them, or they are always
 * on.
 */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
  `APIPriorityAndFairness APIServerTracing AnyVolumeDataSource AppArmor
  CPUManager CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions
  CSIInlineVolume CSIMigration CSIMigrationAWS CSIMigrationAzureDisk CSIMigrationAzureFile
  CSIMigrationGCE CSIMigrationOpenStack CSIMigrationPortworx CSIMigrationvSphere
  CSIStorageCapacity CSIVolumeHealth ControllerManagerLeaderMigration CustomCPUCFSQuotaPeriod
  DefaultPodTopologySpread DelegateFSGroupToCSIDriver DevicePlugins
  DisableAcceleratorUsageMetrics DisableCloudProviders DisableKubeletCloudCredentialProviders
  DownwardAPIHugePages EfficientWatchResumption EndpointSliceTerminatingCondition
  EphemeralContainers ExpandCSIVolumes ExpandInUsePersistentVolumes ExpandPersistentVolumes
  ExpandedDNSConfig ExperimentalHostUserNamespaceDefaulting GRPCContainerProbe
  GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAScaleToZero
  HonorPVReclaimPolicy InTreePluginAWSUnregister InTreePluginAzureDiskUnregister
  InTreePluginAzureFileUnregister InTreePluginGCEUnregister InTreePluginOpenStackUnregister
  InTreePluginPortworxUnregister InTreePluginRBDUnregister InTreePluginvSphereUnregister
  JobMutableNodeSchedulingDirectives JobReadyPods JobTrackingWithFinalizers
  KubeletCredentialProviders KubeletInUserNamespace KubeletPodResources
  KubeletPodResourcesGetAllocatable LocalStorageCapacityIsolation
  LocalStorageCapacityIsolationFSQuotaMonitoring LogarithmicScaleDown MemoryManager MemoryQoS
  MixedProtocolLBService NodeSwap OpenAPIEnums PodAffinityNamespaceSelector
  PodAndContainerStatsFromCRI PodDeletionCost PreferNominatedNode ProxyTerminatingEndpoints
  QOSReserved ReadWriteOncePod RemoveSelfLink RotateKubeletServerCertificate SeccompDefault
  ServiceInternalTrafficPolicy ServiceLBNodePortControl ServiceLoadBalancerClass
  SizeMemoryBackedVolumes StatefulSetAutoDeletePVC StorageVersionHash
  StreamingProxyRedirects TopologyManager ValidateProxyRedirects VolumeCapacityPriority WinDSR
  WinOverlay WindowsHostProcessContainers csiMigrationRBD`.split(/\s+/),
);

/** Switch all features of a stage that are not switched by their names. */
const STAGES: ReadonlyMap<string, Stage> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/** Those that are on. */
export type FeatureGates = ReadonlySet<FeatureGate>;

/** The stage of a feature, and whether it is on by default. */
export function stageOf(gate: FeatureGate): { readonly stage: Stage; readonly isOn: boolean } {
  const { stage, isOn = stage !== 'alpha' }: Feature = FEATURES[gate];
  return { stage, isOn };
}

export const DEFAULT_GATES: FeatureGates = new Set(
  FEATURE_GATES.filter((gate) => stageOf(gate).isOn),
);

/**
 * Reads pairs as `IdentifyPodOS=true,AllBeta=false`; of pairs with one name the last counts. Throws
 * RangeError for a name that there is not, for a value that is no boolean, and for a feature that
 * is switched off though it is on for good.
 */
export function parseFeatureGates(pairs: string): FeatureGates {
  const given = readPairs(pairs);
  const gates = new Set(DEFAULT_GATES);
  const set = (gate: FeatureGate, isOn: boolean): void => {
    if (isOn) gates.add(gate);
    else gates.delete(gate);
  };
  for (const [name, stage] of STAGES) {
    const isOn = given.get(name);
    if (isOn === undefined) continue;
    for (const gate of FEATURE_GATES) if (stageOf(gate).stage === stage) set(gate, isOn);
  }
  for (const gate of FEATURE_GATES) set(gate, given.get(gate) ?? gates.has(gate));
  return gates;
}

/** Warnings about valid `pairs`: features that are about to go, or that change nothing here. */
export function featureGateWarnings(pairs: string): readonly string[] {
  return [...readPairs(pairs)].flatMap(([name, isOn]) => {
    if (WITHOUT_EFFECT.has(name)) return [`${name} changes nothing in this server`];
    const stage = GENERAL.has(name) ? 'GA' : featureNamed(name)?.stage;
    const isLeaving = stage === 'GA' || stage === 'deprecated';
    if (!isLeaving) return [];
    const what = `setting ${stage} feature gate ${name}=${String(isOn)}`;
    return [`${what}: it will be removed in a future release`];
  });
}

function featureNamed(name: string): Feature | undefined {
  return Object.hasOwn(FEATURES, name) ? FEATURES[name as FeatureGate] : undefined;
}

function readPairs(pairs: string): ReadonlyMap<string, boolean> {
  const given = new Map<string, boolean>();
  for (const pair of pairs.split(',')) {
    if (pair.trim() === '') continue;
    const [name = '', value = '', ...more] = pair.split('=').map((part) => part.trim());
    const isKnown =
      featureNamed(name) !== undefined ||
      [GENERAL, WITHOUT_EFFECT, STAGES].some((names) => names.has(name));
    if (!isKnown) {
      const known = [...STAGES.keys(), ...FEATURE_GATES].join(', ');
      throw new RangeError(`there is no feature gate "${name}", only ${known}`);
    }
    if (more.length > 0 || !(TRUE_TEXTS.has(value) || FALSE_TEXTS.has(value))) {
      throw new RangeError(`"${pair.trim()}" is not ${name}=true or ${name}=false`);
    }
    if (GENERAL.has(name) && FALSE_TEXTS.has(value)) {
      throw new RangeError(`${name} cannot be switched off: it is locked to true`);
    }
    given.set(name, TRUE_TEXTS.has(value));
  }
  return given;
}
