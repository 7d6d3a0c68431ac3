/**
 * The changes of releases for which the reference has no feature gate: by name, the first minor
 * with it, and the first without it again.
 */
import type { Life } from '../life.ts';

export const CHANGES = {
  /** Metrics: their labels, bounds and texts. */
  longFilterDurations: { since: 28 },
  longWebhookDurations: { since: 27 },
  shortDurations: { since: 25 },
  toldQueueTimes: { since: 27 },
  typesByResource: { since: 34 },
  /** Their media type says how names are written that not all can read, and that it is so. */
  toldEscaping: { since: 31 },
  underscoresInMetrics: { since: 33 },
  /** Health checks are counted, whatever the gates say. */
  countedHealthChecks: { since: 29 },
  /** Readiness tells of the store by a name of its own, too. */
  readinessOfStore: { since: 25 },
  /** `/statusz` and `/flagz` have these forms. */
  pagesOfPaths: { since: 34 },
  structuredPages: { since: 35 },
  betaPages: { since: 36 },

  /**
   * The objects that say which versions are served are there from the start. The reference has them
   * in the oldest release too, whose start stays as it was here.
   */
  objectsOfServing: { since: 24 },

  /** Flow control: how much one request may have, and who else may have what is not used. */
  boundedWidths: { since: 25 },
  borrowedSeats: { since: 26 },
  exemptSeatsCount: { since: 31 },
  growingRetryAfter: { since: 28 },
  longFlowWaits: { since: 28 },
  textsOfFlows: { since: 24 },
  widthsInMetrics: { since: 34 },
  waitsByDeadline: { since: 28 },
  widthsByWatches: { since: 24 },

  /** Kinds that are not known are told with the place of the scheme that lacks them. */
  schemesOfLine110: { since: 33 },
  schemesOfLine111: { since: 35 },

  /** Discovery and OpenAPI. */
  discoveryWithoutTimes: { since: 34 },
  emulationIsTold: { since: 33 },
  itemsWithoutDefaults: { since: 37 },
  kindsOfOwnVersions: { since: 36 },
  leavesWithoutDefaults: { since: 29 },
  mergedSelectorKeys: { until: 28 },
  shardSelectorsAreTold: { since: 36 },
  singularNames: { since: 27 },
  /** Clients are told of groups whose servers cannot be asked as stale ones. */
  staleDiscovery: { since: 27 },
  resourcesBeforeFlowControl: { since: 32 },
  storeReadErrorsMayBeIgnored: { since: 32 },
  typesOfLeaves: { since: 24 },
  watchesMayBeginWithObjects: { since: 27 },

  /** Members that a kind does not have, or that come twice, are warned of unless clients say. */
  warnedOfMembers: { since: 25 },
  /** Of custom objects too with the path to what comes twice. */
  pathsOfRepeated: { since: 25 },
  /** A body of a deletion that cannot be read is a mistake of the client. */
  readDeleteOptions: { since: 35 },
  /** An update whose fields cannot be tracked leaves the owners of the object as they were. */
  ownersOfUntracked: { since: 37 },
  /** The metadata of a ServiceCIDR is not written with its status. */
  metadataOfRanges: { since: 32 },
  /** Custom objects are of the type that they say themselves, and no other is assumed. */
  typesOfCustom: { since: 24 },
  /** An object for another namespace is told before its name, in other words. */
  namespacesBeforeNames: { since: 24 },
  /** Where no type of answers is accepted, those that there are are told. */
  toldRepresentations: { since: 25 },
  /** Patches that are no JSON are refused before anything else. */
  readPatchesFirst: { since: 37 },
  /** An applied object is of the type of the path, or refused as another one. */
  typesOfApplied: { since: 28 },
  /** A scale of nothing is told as the object that is missing. */
  missingScales: { since: 33 },
  /** Parts of objects are shown in Tables too. */
  tablesOfParts: { since: 24 },
  /** A missing object is told before a write's expectations of it. */
  missingBeforeExpected: { since: 34 },

  /** What a strategic patch brings that is new is taken without the nulls and directives in it. */
  droppedNullsOfPatches: { since: 24 },
  droppedDirectivesOfPatches: { since: 28 },
  /** The time of an owner is that of its last change of the object. */
  timesOfChanges: { since: 25 },
  /** Quantities, times and numbers that may be names are scalars in what is applied. */
  scalarsOfAnyType: { since: 29 },
  /** Writers of parts of pods come to own what they write. */
  ownersOfPodParts: { since: 33 },
  /** An apply changes an object where any value of it differs, shown or not. */
  wholeValuesApplied: { since: 29 },
  /** Items that come twice are owned as one. */
  ownedDuplicates: { since: 29 },
  /** An object that only asks does not say when it was made and ends. */
  wipedQuestions: { since: 25 },

  /** Metrics of checks by policies tell a state, and not which error there was. */
  statesOfPolicyChecks: { until: 31 },
  /** Metrics of cluster IPs do not tell those that were asked for from others. */
  unscopedAllocations: { until: 24 },
  /** Accounts of addresses are kept beside their objects unless a feature ends that. */
  accountsBesideAddresses: { since: 31 },
  /** Endpoints stay when their service goes, for the controller that makes them. */
  endpointsOutliveServices: { since: 37 },
  /** Candidates for a lease have one strategy, where they had a list. */
  oneStrategyOfCandidates: { since: 32 },
  /** Each server tells once in which version it stores objects. */
  uniqueServers: { since: 28 },
  /** Migrations are of a resource in whichever version, and have common conditions. */
  migrationsOfResources: { since: 35 },
  /** A migration may have no version yet, and be running when it has ended. */
  migrationsWithoutVersions: { since: 37 },
  /** Values of another type, and too long or too many ones, are told as such by schemas. */
  kindsOfValueErrors: { since: 24 },
  /** Errors of an object with too few or too many members tell how many it has. */
  countedMembers: { since: 24 },
  /** Its members are checked all the same. */
  membersBesidesCounts: { since: 28 },
  /** Errors of items of lists tell which item it is. */
  itemsInValueErrors: { since: 24 },
  /** Errors of rules tell the type of a value, and not all of it. */
  typesInRuleErrors: { since: 24 },
  /** A value that breaks a rule is told where it is a scalar. */
  scalarsInRuleErrors: { since: 35 },
  /** Rules have expressions for messages, whose texts are trimmed. */
  expressionsOfMessages: { since: 27 },
  /** Members of maps that are one value are matched with those before by rules too. */
  matchedMaps: { since: 24 },
  /** The highest cost of rules is estimated, and bounded. */
  estimatedRuleCosts: { since: 24 },
  /** Literals of expressions are converted, and patterns read, before any value is there. */
  plannedConstants: { since: 24 },
  /** Clients are warned of formats in definitions that nothing checks. */
  warnedOfFormats: { since: 34 },
  /** Who writes the status of a claim of devices owns nothing of its metadata. */
  statusOwnsNoMetadata: { since: 35 },
  /** Who writes the status of a definition owns what it writes of the metadata. */
  definitionStatusOwnsMetadata: { since: 36 },
  /** Writes of volumes drop the class of their attributes where the feature is off. */
  droppedAttributes: { since: 31 },
  /** Errors of bindings tell `matchResources` with all of its letters. */
  spelledMatchResources: { since: 32 },
  /** Texts of a format in custom objects may be any scalar to an apply. */
  formatsInApply: { since: 27 },
  /** Lists of custom objects are held against their type where the status is written, too. */
  listsOfStatus: { since: 26 },
  /** Clients are warned of finalizers of custom objects that have no domain, or no path. */
  warnedOfFinalizers: { since: 29 },
  warnedOfPaths: { since: 32 },
  /** Numbers of custom objects are held against their type, and int32, int64, float and double. */
  rangesOfNumbers: { since: 36 },
  /** Clients are warned of sets in definitions whose items are no scalars. */
  warnedOfSets: { since: 37 },
  /** Restrictions in a schema may say that there are no other members. */
  deniedMembersSayNothing: { since: 31 },
  /** Examples and links to documents count as restrictions of the metadata of objects. */
  remarksRestrictMetadata: { since: 36 },
  /** Schemas have formats of names of objects. */
  formatsOfNames: { since: 35 },
  /** Established definitions get no bundle for their conversion that has no certificate. */
  checkedConversionBundles: { since: 31 },
  /** Problems of logical operators and macros are told where the operand stands. */
  problemsAtOperands: { since: 29 },
  /** Fields of expressions may have names that are none by themselves. */
  namesBetweenAccents: { since: 33 },
  /** Durations are made of numbers too. */
  durationsOfNumbers: { until: 37 },
  /** Null compares with what may be null, whichever of the two comes first. */
  nullOnEitherSide: { since: 29 },
  /** The grammar of expressions knows optional parts before they may be used. */
  optionalsInGrammar: { since: 28 },
  /** Expressions that select devices may not cost too much. */
  boundedDeviceCosts: { since: 32 },
  /** Rules of a schema that stays as it is may cost more than new ones. */
  keptRuleCosts: { since: 29 },
  /** Values of one size, such as numbers, are known to have it. */
  sizesOfScalars: { since: 25 },
  /** What a loop makes is as large as its range. */
  sizesOfLoops: { since: 29 },
  /** The parts of lists and maps that expressions make themselves have sizes. */
  estimatedEntries: { since: 33 },
  /** Texts of an enumeration are as long as the longest one. */
  boundedEnums: { since: 29 },
  /** Comparisons of values of the library cost what they do, and the size of a URL is known. */
  costsOfLibraryEquality: { since: 32 },
  /** Functions of the library that read texts cost what they do, of versions later than others. */
  costsOfLibraryFunctions: { since: 30 },
  costsOfVersions: { since: 33 },
  /** Texts that may be numbers have the length that the schema bounds. */
  boundedIntOrString: { since: 34 },
  /** Names of whole objects have their length. */
  boundedNames: { since: 37 },
  /** Rules are not checked on an object that lacks something or has too much. */
  blockedRules: { since: 24 },
  /** A schema is checked as a structural one first, and its rules last and without other errors. */
  structureBeforeRules: { since: 25 },
  /** Errors of the message of a rule come without its name. */
  namelessMessageErrors: { since: 34 },
  /** A stored version that is missing is told what for. */
  reasonsOfStoredVersions: { since: 33 },
  /** Items of a list that an expression has are of one type. */
  equalTypesInLiterals: { since: 24 },
  /** They are of one and the same type, also where one of them fits in the place of another. */
  equivalentTypesInLiterals: { since: 29 },
  /** All digits of the minutes of a zone in an expression count. */
  wholeMinutesOfZones: { since: 25 },
  /** Lists in expressions take whole doubles for indices, and tell those out of bounds alike. */
  indicesOfAllNumbers: { since: 28 },
  /** Places in texts beyond their ends are places where nothing is found. */
  placesBeyondTexts: { since: 32 },
  /** A text is not found in a shorter one. */
  longerTextsAreNotFound: { since: 34 },
  /** Halves of surrogate pairs in texts of expressions are refused. */
  refusedSurrogates: { since: 33 },
  /** Where an empty text is found is a place in the text. */
  boundedEmptyTexts: { since: 37 },
  /** Values of different types in expressions are not equal, and numbers of all types compare. */
  equalityOfTypes: { since: 24 },
  /** A value that has no members lacks each of them, and `has` tells so. */
  keysOfScalars: { since: 28 },
  /** A watch that begins with objects decides the version that it may match. */
  matchesOfWatches: { since: 27 },

  /** A name of a port without letters is told that it needs one, and no number. */
  lettersInPortNames: { since: 25 },
  /** Values of expressions in selectors are checked as values of labels. */
  checkedSelectorValues: { since: 26 },
  /** Owners that are both controllers are told by kind and name. */
  kindsOfOwners: { since: 26 },
  /** A DNS label that would be a subdomain is told that it has dots. */
  namedDotsInLabels: { since: 27 },
  /** Tables of Scales count replicas. */
  tablesOfScales: { since: 24 },
  /** Tables show the state of Jobs and the time zone of CronJobs. */
  statesOfJobs: { since: 30 },
  /** Tables name the resource of an autoscaler's metric. */
  namedResourcesOfAutoscalers: { since: 30 },
  /** Tables do not count the secrets of ServiceAccounts. */
  plainServiceAccounts: { since: 35 },
  /** Tables show the VolumeAttributesClass of volumes and claims. */
  attributesClasses: { since: 29 },
  /** Tables show the age of a quota last. */
  agesOfQuotasLast: { since: 33 },
  /** Tables show the architecture of a node with its kernel. */
  architecturesOfNodes: { since: 36 },
  /** Services say where their traffic goes by an annotation of another name. */
  topologyModes: { since: 27 },
  /** Load balancers may expose the port of node agents. */
  openNodeAgentPort: { since: 33 },
  /** Services with external addresses have a policy for external traffic. */
  policiesOfExternalAddresses: { since: 29 },
  /** A load balancer without ports of nodes keeps none. */
  balancersWithoutPorts: { since: 30 },
  /** Services that are names of others have no policy for internal traffic. */
  noInternalTrafficOfNames: { since: 24 },
  /** Addresses of load balancers and of who may reach them are told one by one. */
  addressesOneByOne: { since: 30 },
  /** Only services with load balancers have their status. */
  statusOfBalancersAlone: { since: 29 },
  /** Names of services that are stored stay. */
  freeServiceNames: { since: 34 },
  /** Ranges of addresses are objects, of which there may be several. */
  objectsOfServiceRanges: { since: 29 },
  /** Services of webhooks and of other servers are reached at what EndpointSlices say. */
  resolvesBySlices: { since: 34 },
  /** Requests to services are passed on to endpoints of slices. */
  proxiesToSlices: { since: 37 },
  /** Administrators have access to devices in namespaces that are marked alone, by that label. */
  adminAccessInMarkedNamespaces: { since: 33 },
  devicesMarkedByName: { since: 34 },
  /** Bases of generated names are not looked at. */
  uncheckedGeneratedNames: { since: 35 },
  /** Items of lists may lack some of their keys. */
  itemsWithSomeKeys: { since: 34 },
  /** Claims of devices count in quotas by their classes. */
  quotasOfDevices: { since: 31 },
  /** Quotas count devices that pods ask for by the names of classes. */
  quotasOfDeviceClasses: { since: 35 },
  /** Services are selected by their type and address. */
  selectableServices: { since: 31 },
  /** Members that a service's type ignores are warned of. */
  ignoredServiceMembers: { since: 28 },
  /** Members that headless services ignore are warned of. */
  ignoredByHeadless: { since: 34 },
  /** External addresses of services are deprecated. */
  deprecatedExternalIps: { since: 36 },
  /** `PreferClose` is deprecated. */
  closeIsSameZone: { since: 35 },
  /** Errors of stored subsets of Endpoints are told of new ones alone. */
  unchangedSubsets: { since: 33 },
  /** Services without an address are told by name. */
  namedServicesWithoutAddress: { since: 36 },
  /** More labels of nodes are deprecated. */
  moreOldNodeLabels: { since: 31 },
  /** Who writes volumes is warned of labels of nodes that are deprecated. */
  warnedVolumes: { since: 25 },
  /** And of the annotation for a class, and of sources that go. */
  warnedClasses: { since: 28 },
  /** And of volumes that are recycled. */
  warnedRecycling: { since: 30 },
  /** And of the annotation for mount options. */
  warnedMountOptions: { since: 31 },
  /** Who claims a part of a byte is warned. */
  fractionalClaims: { since: 26 },
  /** A claim without a class may get one later. */
  laterClasses: { since: 25 },
  /** Sources of claims in the older and the newer member are told apart. */
  sourcesOfClaims: { since: 26 },
  /** Groups of sources of claims are names. */
  namedSourceGroups: { since: 29 },
  /** Errors of fixed members of a claim mention the class of attributes. */
  attributesMayChange: { since: 29 },
  /** The class of attributes may be taken away until it is in force. */
  attributesInForce: { since: 34 },
  /** Names are checked in the statuses of resources of a claim. */
  namedClaimResources: { since: 28 },
  /** How far the resources of a claim have grown is told by the member's own name. */
  ownNameOfResourceStatuses: { since: 34 },
  /** A resize that cannot be is told as infeasible, which failed before. */
  infeasibleResizes: { since: 31 },
  /** Nodes are warned of their external id. */
  warnedExternalIds: { since: 27 },
  /** The cluster configures no node agents any more. */
  removedNodeConfigs: { since: 26 },
  /** Two ranges of a node are compared by their families alone. */
  familiesAlone: { since: 33 },
  /** Who writes a Secret is told that its certificate and key are no pair. */
  pairsInSecrets: { since: 27 },
  /** Errors of core events name the member as it is there. */
  reportingComponents: { since: 25 },
  /** `Strict` looks into the metadata of custom objects and of resources embedded in them. */
  strictMetadataOfCustom: { since: 25 },
  /** Quotas choose among claims by the classes of their volumes. */
  scopesOfClaims: { since: 33 },
  /** Scopes of quotas that only exist are told to by the operator's name. */
  rightOperatorOfScopes: { since: 31 },
  /** Columns that objects are shown in. */
  columnsOfDefinitions: { since: 37 },
  columnOfPreemption: { since: 32 },
  /** The value of a priority is told by its own name. */
  spelledPriorities: { since: 25 },
  /** Names of network policies that are stored stay. */
  freePolicyNames: { since: 36 },
  /** Events of the newer group stay as they are, but for their series. */
  fixedEvents: { since: 24 },
  /** Templates of new ReplicationControllers are told with their whole path. */
  wholePathsOfTemplates: { since: 27 },
  /** TokenRequests are answered with the uid of the account. */
  uidsOfTokenRequests: { since: 34 },
  /** A RuntimeClass without a handler is told that it needs one. */
  requiredHandlers: { since: 36 },
  /** Tolerations of RuntimeClasses are told where they are. */
  tolerationsInPlace: { since: 35 },
  /** Secrets of a CSI volume are told where they are, and have names of subdomains. */
  pathsOfVolumeSecrets: { since: 25 },
  /** The affinity of a volume may get the newer names of labels. */
  renamedLabelsInVolumes: { since: 27 },
  /** Values that nodes are selected by are checked as values of labels. */
  checkedNodeValues: { since: 32 },
  /** A driver without a name gets no other error. */
  missingDriversAlone: { since: 35 },
  /** Errors of networking name an older group. */
  extensionsInErrors: { until: 26 },
  /** An Ingress may name its class in both ways. */
  matchingClasses: { since: 27 },
  /** Slices of domain names are deprecated. */
  deprecatedNamesInSlices: { since: 27 },
  /** Autoscalers say how far off a metric may be. */
  tolerancesOfAutoscalers: { since: 33 },
  /** Conditions of autoscalers say of which generation they are. */
  generationsOfAutoscalers: { since: 37 },
  /** The target of an autoscaler names its group. */
  checkedTargetsOfAutoscalers: { since: 34 },
  /** An autoscaler without replicas is told that it needs some. */
  requiredReplicas: { since: 36 },
  /** Rules of names count bytes, and call a qualified name a label key. */
  bytesInNames: { since: 35 },
  /** A negative number of transitions of a Lease is told as of others. */
  spelledLeases: { since: 24 },
  /** Addresses of slices are told apart by their family, and have rules by it. */
  familiesOfSlices: { since: 33 },
  /** A Job may fail single indexes. */
  failedIndexes: { since: 28 },
  /** Volumes and nodes tell of the health of storage. */
  healthOfVolumes: { since: 37 },
  /** Labels of a Job's pods have a prefix too, and its selector asks for those. */
  prefixedJobLabels: { since: 27 },
  /** Jobs say in an annotation that finalizers track their pods. */
  trackingAnnotations: { until: 28 },
  /** That annotation cannot be removed. */
  trackedJobs: { since: 26 },
  /** Whether the selector of a Job is chosen by hand is written down. */
  writtenManualSelector: { since: 29 },
  /** Names that pods get, and that are no DNS labels, are warned of. */
  podNameWarnings: { since: 27 },
  /** Names of new StatefulSets are DNS labels. */
  labelsForNamesOfSets: { since: 27 },
  /** StatefulSets are numbered from where they say. */
  ordinalsOfSets: { since: 26 },
  /** How many revisions a StatefulSet keeps may change; its service has a name that is checked. */
  openHistoryOfSets: { since: 33 },
  /** The templates of claims in a StatefulSet are checked. */
  checkedClaimTemplates: { since: 34 },
  /** Sets are checked wholly, but for what stands wrong already, and their names once. */
  plainUpdatesOfSets: { since: 34 },
  /** Fixed members of a StatefulSet are told by name. */
  fixedMembersOfSets: { since: 37 },
  /** Revisions of controllers have an object as their data. */
  checkedRevisions: { since: 31 },
  /** Where a Job's pods are gated can change as what says where they run can. */
  mutableSchedulingGates: { since: 27 },
  /** Jobs with very many indexes are warned of. */
  manyIndexesWarnings: { since: 28 },
  /** Time zones in schedules are refused, but where they stand already. */
  schedulesWithoutZones: { since: 29 },
  /** Names of time zones are checked for their form. */
  namedTimeZones: { since: 27 },
  /** The condition by which Jobs say that they are about to succeed has rules. */
  successOfJobs: { since: 30 },
  /** Jobs say that they are about to end before they end. */
  announcedEndsOfJobs: { since: 31 },
  /** Jobs that are resumed, or have nothing to do, may lack a time of their start. */
  resumedJobs: { since: 32 },
  /** Some rules for the status of Jobs are told in plainer words. */
  plainStatusOfJobs: { since: 34 },
  /** A value that is too long "may not be more than" so many bytes. */
  mayNotBeMore: { since: 32 },
  /** Addresses and ranges that are not written in their usual form are warned of. */
  addressWarnings: { since: 33 },
  /** Values that are no text or number are JSON in errors, and missing parts told without why. */
  jsonInErrors: { since: 34 },
  /** A URL of a webhook without a host is told that it must be specified. */
  specifiedHosts: { since: 26 },
  /** The member of a schema that keeps unknown members is told by its whole name. */
  wholeNameOfPreserving: { since: 25 },
  /** A wrong status of a condition of a StorageVersion is shown, and not its type. */
  statusOfStorageVersions: { since: 25 },
  /** Errors count one byte or item without a plural. */
  countsOneInErrors: { since: 34 },
  /** Rules that types declare are told in the words of those, and of owners by their places. */
  declaredRules: { since: 37 },
  /** Taints of devices may inform alone. */
  informingTaints: { since: 35 },
  /** Rules of taints have a status, and the time of a taint follows its effect. */
  statusOfTaintRules: { since: 35 },
  /** A slice may leave it to each device on which nodes it can be used. */
  devicesSayTheirNodes: { since: 33 },
  /** Shared counters have their own slices; devices have 16 taints, and slices fewer of those. */
  slicesOfCounters: { since: 35 },
  /** Slices of devices are selected by their pool. */
  selectablePools: { since: 37 },
  /** Capitals in names of drivers are warned of. */
  capitalsInDrivers: { since: 35 },
  /** The allocation of a claim does not change. */
  allocationsStay: { since: 27 },
  /** An allocation for a claim names its drivers. */
  handlesOfDrivers: { since: 27 },
  /** Tables tell of claims that wait to be deallocated by their drivers. */
  deallocatedByDrivers: { until: 32 },
  /** A claim may have 256 users, not 32. */
  manyUsersOfClaims: { since: 32 },
  /** A repetition in a list of devices is told at the member that is the same. */
  repeatedMembersTold: { until: 35 },
  /** A trust bundle has a bound of bytes. */
  boundedTrustBundles: { since: 29 },
  /** That a signer or usages of a request are missing is told without why. */
  briefRequestErrors: { since: 26 },
  /** That a request is approved and denied is told of its conditions as a whole. */
  opposedConditions: { since: 34 },
  /** Certificates for pods are asked for by requests. */
  requestsForPods: { since: 36 },
  /** Pods may say something to signers. */
  saidToSigners: { since: 35 },
  /** An error of an address that is not in its one form. */
  canonicalAddressText: { since: 29 },
  /** Ranges of services may get another one of the other family. */
  growingServiceRanges: { since: 33 },
  /** Two ranges of services that are not of two families are told of alone. */
  pairedServiceRanges: { until: 33 },
  /** Addresses of new kinds are read strictly. */
  strictAddresses: { since: 33 },
  /** Drivers may change their policy of groups and whether they are told of pods. */
  changeableDrivers: { since: 30 },
  /** CSI nodes have a status. */
  csiNodeStatus: { since: 37 },
  /** Texts of errors of flow control that other kinds share. */
  flowControlTexts: { since: 34 },
  /** An empty type in flow control is required, where it was not supported. */
  flowControlTypesRequired: { since: 36 },
  /** Members of storage classes that change are told as immutable, attachers once. */
  immutableClasses: { since: 36 },
  /** An expression of a policy with a wrong type is told which type it has. */
  gotResults: { since: 32 },
  /** Lists with items that come several times can be mutated by a configuration. */
  repeatedItemsOfMutated: { since: 35 },
  /** Problems of messages and names of variables in policies are told in fewer words. */
  briefPolicyErrors: { since: 34 },
  /** Bindings of policies name actions, and policies have more than validations. */
  actionsOfPolicies: { since: 27 },
  /** Parameters of policies may be selected, and it is said what their absence means. */
  selectedParams: { since: 28 },
  /** Ends of names of policies that are not read from objects bring a warning. */
  staticPolicyNames: { since: 36 },
  /** Network policies have a status. */
  networkPolicyStatus: { since: 24, until: 28 },
  /** Drivers of CSI nodes that change are told where they are. */
  pathsOfDrivers: { since: 33 },
  /** Messages of errors of volumes are told with their own bound. */
  boundOfVolumeErrors: { since: 37 },
  /** Priority levels tell their shares by that name. */
  nominalConcurrencyShares: { since: 26 },
  /** Validating policies have a status. */
  policyStatus: { since: 27 },
  /** The level that is exempt may have another share. */
  sharesOfExempt: { since: 28 },
  /** An annotation tells of shares of zero in the version that has none. */
  zeroConcurrencyShares: { since: 29 },
  /** Who asks for tokens for other audiences is told of the missing right alone. */
  audienceRightAlone: { since: 37 },
  /** The audit log tells messages and details of answers that are a Status. */
  auditedMessages: { since: 24 },
  /** A right lets a node ask for tokens for audiences that its pods do not need. */
  audiencesByRight: { since: 33 },
  /** Errors about claims that a node changes name other members. */
  claimQuantityNamed: { since: 30 },
  /** The audit log tells of webhooks whose certificates have their names in the old way. */
  unnamedServersTold: { since: 24 },
  /** The audit log tells the ids of tokens that are issued. */
  issuedCredentialIdsTold: { since: 30 },
  /** A user who is known by a certificate, or a token of OIDC with an id, is told with its id. */
  credentialIdsTold: { since: 32 },
  /** A node sees what later ephemeral containers of its pods refer to. */
  ephemeralReferences: { since: 33 },
  /** A server is called after a hash, and says on which machine it is. */
  hashedServerIds: { since: 26 },
  /** Legacy tokens whose Secret is marked so do not count; uses of others are counted, and told. */
  legacyTokensMarkedInvalid: { since: 29 },
  /** Pods that a node makes refer to nothing of the API at all. */
  mirrorsWithoutReferences: { since: 34 },
  /** A node may get those resource claims alone that its pods have. */
  nodeClaimsRelated: { since: 28 },
  /** Reasons why nothing is allowed name the authorizers that give them. */
  reasonsNameAuthorizers: { since: 37 },
  /** Files that say who decides have these versions too. */
  betaAuthorizationConfig: { since: 30 },
  stableAuthorizationConfig: { since: 32 },
  /** They, and those that say who is known, count anew when they change. */
  configurationReloads: { since: 30 },
  /** Files that say who is known have these versions too. */
  betaAuthenticationConfig: { since: 30 },
  stableAuthenticationConfig: { since: 34 },
  /** They name any number of issuers, which may be found elsewhere, and several audiences. */
  severalTokenIssuers: { since: 30 },
  /** They name the way to issuers. */
  egressOfTokenIssuers: { since: 34 },
  /** They say which paths are open to those who show nothing. */
  anonymousPaths: { since: 31 },
  /** That an issuer has no URL is told without a detail. */
  shortUrlRequired: { since: 34 },
  /** Expressions see nested claims by their escaped names. */
  escapedClaims: { since: 34 },
  /** They say whether answers of webhooks are kept. */
  authorizationCacheSwitches: { since: 34 },
  /** Who asks to act as somebody without saying as whom is refused with a Status. */
  impersonationRefused: { since: 35 },
  /** Access reviews are about a path or a resource, in the words of all unions. */
  reviewsAreUnions: { since: 37 },
  /** Access reviews that name no version are about all. */
  reviewsOfAllVersions: { since: 28 },
  /** A node sees the slices of its own devices alone. */
  nodeSlices: { since: 30 },
  nodesDeleteTheirSlices: { since: 31 },
  /** Agents ask for certificates of their pods. */
  nodeCertificateRequests: { since: 34 },
  /** Without their feature nobody's role lets an agent ask for them. */
  nodeCertificatesNeedGate: { since: 35 },
  /** Pods that a node makes have no resource claims. */
  mirrorsWithoutClaims: { since: 32 },
  /** A node does not change who owns it, and asks for certificates for itself alone. */
  nodesByThemselves: { since: 31 },
  /** The lease of a server has a label of its own. */
  serverIdentityLabel: { since: 27 },
  /** TokenRequests are answered with a name and time, and their user is told of shortened times. */
  tokenRequestsFilled: { since: 24 },

  /** New pods say profiles of seccomp in annotations too. */
  seccompAnnotations: { until: 27 },
  /** Pods that wait for something are told of it in their conditions when they are made. */
  conditionsOfGatedPods: { since: 30 },
  /** Where pods may be resized, containers say that they need no restart for it. */
  defaultResizePolicies: { since: 27, until: 33 },
  /** Annotations that init containers once were are dropped. */
  droppedInitContainerAnnotations: { until: 37 },
  /** Pods are resized through a subresource. */
  resizesOfPods: { since: 32 },
  /** And sidecars with them. */
  resizesOfSidecars: { since: 33 },
  /** Conditions of pods are told by another path. */
  typesOfPodConditions: { since: 25 },
  /** The class of service of a pod stays, also where a status does not say it. */
  fixedServiceClasses: { since: 32 },
  /** A status of a pod says of which generation it is. */
  generationsInPodStatus: { since: 33 },
  /** The one address of a pod is the first of its list, and the list has it. */
  samePodAddresses: { since: 37 },
  /** Reported claims of a pod stay where a status does not mention them. */
  keptClaimStatuses: { since: 37 },
  /** Errors in the name of a claim of a pod are told of that member. */
  ownPathsOfClaimNames: { since: 36 },
  /** Claims for extended resources are told apart by their requests. */
  requestsOfExtendedClaims: { since: 35 },
  /** Claims take resources of a node, told by resource. */
  mappedAllocatable: { since: 37 },
  /** The health of devices is told by their claims. */
  healthOfClaims: { since: 32 },
  /** And by the claims for extended resources. */
  healthOfExtendedClaims: { since: 37 },
  /** Containers may run as any user that a node knows. */
  anyUsersOfContainers: { since: 37 },
  /** Users of containers are told by the whole path. */
  pathsOfContainerUsers: { since: 33 },
  /** Errors of addresses of a pod say which one. */
  placesOfPodAddresses: { since: 27 },
  /** Forbidden members in templates of claims are told as in other templates. */
  templatesOfAll: { since: 26 },
  /** Pods that wait for something say since when. */
  timesOfGatedPods: { since: 31 },
  /** Names of nodes in bindings are checked. */
  checkedBindings: { since: 37 },
  /** Values that no label can have are warned of where they are preferred. */
  warnedPreferences: { since: 33 },
  /** Pods with resources of their own may be resized. */
  resizesOfWholePods: { since: 35 },
  /** And pods whose claims take of what the node has. */
  resizesBesideClaims: { since: 37 },
  /** A resize of a running container does not lower its limit of memory. */
  fixedMemoryLimits: { since: 33, until: 34 },
  /** Tables tell that pods wait for something before a node is looked for. */
  gatedPods: { since: 26 },
  /** Tables tell of pods that have ended as such while they are deleted. */
  endedPodsStayEnded: { since: 31 },
  /** Tables tell of a container that failed before those that have completed. */
  failuresOfPods: { since: 35 },
  /** A quota counts what a node keeps for a pod. */
  usageByPod: { since: 27 },
  /** A quota names the containers that do not say what they need. */
  namedContainersInQuotas: { since: 24 },
  /** Containers may say by which signal they are stopped. */
  stopSignals: { since: 33 },
  /** Claims tell how their volumes do. */
  healthOfClaimedVolumes: { since: 37 },
  /** Names, and labels that are generated, are those of new Jobs alone. */
  keptNamesOfJobs: { since: 37 },
  /** Names of StatefulSets are checked only in new ones. */
  keptNamesOfSets: { since: 27 },
  /** Pods have a generation. */
  generationsOfPods: { since: 33 },
  /** Grace periods below zero are one second. */
  gracePeriodsAtLeastZero: { since: 37 },
  /** Warnings of pods: it is open when annotations of seccomp stop. */
  openEndOfSeccompAnnotations: { since: 25, until: 27 },
  /** Volumes of Gluster are told as old. */
  oldGlusterVolumes: { since: 25 },
  /** Claims of ephemeral volumes are warned of as others. */
  warnedClaimsOfPods: { since: 26 },
  /** Volumes that were to go are told as gone. */
  goneVolumes: { since: 27 },
  /** Grace periods below zero are warned of. */
  negativeGraceWarned: { since: 27 },
  /** Volumes of Ceph are told as old. */
  oldCephVolumes: { since: 28 },
  /** Selectors that are absent, and select nothing, are warned of. */
  nullSelectorsWarned: { since: 28 },
  /** Variables are warned of only where they hide others. */
  hiddenVariables: { since: 28 },
  /** And it is told that apply may drop those. */
  appliedVariables: { since: 30 },
  /** Ports that others have too are warned of. */
  warnedPorts: { since: 28 },
  /** Files of a volume at the same place are warned of. */
  overlappingPaths: { since: 32 },
  /** Names of ports that others have too are warned of. */
  namedPortsWarned: { since: 33 },
  /** Volumes of git are off unless they are switched on. */
  gitVolumesAreOff: { since: 33 },
  /** The common members of containers are checked first, and told in other words. */
  commonMembersFirst: { since: 25 },
  /** Constraints that spread pods may have keys only with a selector. */
  keysNeedSelectors: { since: 27 },
  /** And those selectors are checked. */
  checkedSpreadSelectors: { since: 27 },
  /** Errors of an update of a pod list the members that may change. */
  listedPodUpdates: { since: 27 },
  /** Pods that wait for something may get more that selects their nodes. */
  openNodesOfGatedPods: { since: 27 },
  /** Pods that the node made from files get no ephemeral containers. */
  staticPodsStayAsTheyAre: { since: 27 },
  /** An error shows the limit that was passed. */
  limitsInErrors: { since: 27 },
  /** Claims that are made from templates are named after their pods. */
  namesOfMadeClaims: { since: 27, until: 31 },
  /** The sources of the claims of pods are a member. */
  sourcesOfPodClaims: { until: 31 },
  /** Users who are none of the node have few kinds of volumes. */
  volumesOfUserNamespaces: { since: 25, until: 28 },
  /** Init containers may run beside the containers of their pods. */
  sidecars: { since: 28 },
  /** Pods show their containers all addresses of their node. */
  listedHostAddresses: { since: 28 },
  /** Templates leave ports of hosts open, which are named in errors. */
  openHostPorts: { since: 28 },
  /** Names of sysctls may have slashes. */
  slashesInSysctls: { since: 26 },
  /** Pods in a namespace of their node do not set its sysctls. */
  sysctlsOfHost: { since: 29 },
  /** Pods that are not restarted are not restarted to be resized either. */
  resizesOfPodsThatEnd: { since: 29 },
  /** Name servers and aliases of hosts follow the rule of addresses, and are told by place. */
  addressesOfPodsByRule: { since: 30 },
  /** Profiles of AppArmor are members. */
  appArmorMembers: { since: 30 },
  /** Names of variables that stand already may be so. */
  keptVariableNames: { since: 30 },
  /** Unmasked file systems of processes need users who are none of the node. */
  unmaskedUserNamespaces: { since: 30 },
  /** Each source of a projected volume is checked. */
  eachProjectionChecked: { since: 31 },
  /** Domains of searches that stand already may be so. */
  keptSearchDomains: { since: 32 },
  /** Sidecars may say how they are resized. */
  sidecarsMayResize: { since: 32 },
  /** Who sleeps for no time is told of the feature for that. */
  sleepsOfNoTime: { since: 32 },
  /** Pods that the node made from files have no claims. */
  staticPodsWithoutClaims: { since: 32 },
  /** A toleration with a value too many shows that value. */
  toleratedValuesShown: { since: 32 },
  /** Users who are none of the node have no devices, and are called by the name of the member. */
  devicesOfUserNamespaces: { since: 34 },
  /** Errors of resources of whole pods have the paths of those. */
  pathsOfPodResources: { since: 34 },
  /** Tolerations may compare numbers. */
  comparingTolerations: { since: 35 },
  /** Rules of restarts need a policy of init containers too. */
  restartRulesNeedPolicy: { since: 35 },
  /** Init containers that end are not restarted to be resized. */
  initContainersResizeInPlace: { since: 36 },
  /** Image volumes need a reference in templates too, but where they have none already. */
  keptEmptyImages: { since: 37 },
  /** Capabilities that go beyond what is escalated may stay. */
  keptSysAdmins: { since: 37 },
  /** Groups of pods have priorities as pods do. */
  prioritiesOfGroups: { since: 37 },
  /** That processes are shared is told of the pod. */
  plainProcessNamespaces: { since: 37 },
} as const satisfies Record<string, Life>;

/** On before their time, from this minor on, since clients of later releases rely on them. */
export const ON_EARLY = [
  { name: 'OpenAPIV3', since: 23 },
  { name: 'ServerSideFieldValidation', since: 23 },
] as const;

/** Beta versions that came with this minor or later are off unless they are switched on. */
export const BETAS_ARE_OFF_SINCE = 24;
