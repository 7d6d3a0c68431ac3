/** What the schema model does not say of types and members: forms of leaves, descriptions. */

/** A schema object of a document, in either version. */
export interface JsonSchema {
  [member: string]: unknown;
}

/** The leaf types that have definitions of their own, and types that only documents have. */
export const LEAF_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Time: {
    description: 'A moment as RFC 3339 text, with whole seconds in UTC; null stands for none.',
    type: 'string',
    format: 'date-time',
  },
  MicroTime: {
    description: 'A moment as RFC 3339 text with microseconds, in UTC; null stands for none.',
    type: 'string',
    format: 'date-time',
  },
  Duration: { description: 'A length of time, such as 1h0m0s.', type: 'string' },
  Quantity: {
    description: 'An amount: a decimal number with an optional suffix, such as 500m, 2 or 1Gi.',
    type: 'string',
  },
  IntOrString: {
    description: 'A whole number, or a string such as a name or a percentage.',
    type: 'string',
    format: 'int-or-string',
  },
  RawExtension: {
    description: 'An object of any kind, kept as it was sent.',
    type: 'object',
  },
  FieldsV1: {
    description: 'A set of fields as a tree of their names.',
    type: 'object',
  },
  VersionInfo: {
    description: 'The release that the server behaves like, and how it was built.',
    type: 'object',
    required: [
      'major',
      'minor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ],
    properties: {
      buildDate: { type: 'string' },
      compiler: { type: 'string' },
      gitCommit: { type: 'string' },
      gitTreeState: { type: 'string' },
      gitVersion: { type: 'string' },
      goVersion: { type: 'string' },
      major: { type: 'string' },
      minor: { type: 'string' },
      platform: { type: 'string' },
    },
  },
  'meta.v1.Patch': {
    description: 'A patch: what it looks like depends on its media type.',
    type: 'object',
  },
  'apiextensions.v1.JSON': { description: 'Any JSON value.' },
  'apiextensions.v1.JSONSchemaPropsOrArray': { description: 'A schema, or a list of schemas.' },
  'apiextensions.v1.JSONSchemaPropsOrBool': { description: 'A schema, or a boolean.' },
  'apiextensions.v1.JSONSchemaPropsOrStringArray': {
    description: 'A schema, or a list of strings.',
  },
};

/** Members that are published as another type; `strings` is a list of strings. */
export const PUBLISHED_MEMBERS: Readonly<Record<string, string>> = {
  'apiextensions.v1.JSONSchemaProps.additionalItems': 'apiextensions.v1.JSONSchemaPropsOrBool',
  'apiextensions.v1.JSONSchemaProps.additionalProperties': 'apiextensions.v1.JSONSchemaPropsOrBool',
  'apiextensions.v1.JSONSchemaProps.default': 'apiextensions.v1.JSON',
  'apiextensions.v1.JSONSchemaProps.dependencies': 'apiextensions.v1.JSONSchemaPropsOrStringArray',
  'apiextensions.v1.JSONSchemaProps.enum': 'apiextensions.v1.JSON',
  'apiextensions.v1.JSONSchemaProps.example': 'apiextensions.v1.JSON',
  'apiextensions.v1.JSONSchemaProps.items': 'apiextensions.v1.JSONSchemaPropsOrArray',
  'authentication.v1.UserInfo.extra': 'strings',
  // The versions share these; their names in the older one are known to clients.
  'node.v1alpha1.RuntimeClassSpec.overhead': 'node.v1alpha1.Overhead',
  'node.v1alpha1.RuntimeClassSpec.scheduling': 'node.v1alpha1.Scheduling',
  'policy.v1beta1.PodDisruptionBudget.status': 'policy.v1beta1.PodDisruptionBudgetStatus',
  'authorization.v1.SubjectAccessReviewSpec.extra': 'strings',
  'certificates.v1.CertificateSigningRequestSpec.extra': 'strings',
};

/** Members of messages of which one is set: the one that the discriminator names. */
export const UNIONS: Readonly<Record<string, readonly JsonSchema[]>> = {
  'core.v1.SeccompProfile': [union('type', { localhostProfile: 'LocalhostProfile' })],
  'flowcontrol.v1beta2.LimitResponse': [union('type', { queuing: 'Queuing' })],
  'flowcontrol.v1beta2.PriorityLevelConfigurationSpec': [union('type', { limited: 'Limited' })],
  'flowcontrol.v1beta2.Subject': [
    union('kind', { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' }),
  ],
};

function union(discriminator: string, members: Readonly<Record<string, string>>): JsonSchema {
  return { discriminator, 'fields-to-discriminateBy': members };
}

/** Extensions of single members that say nothing to this server. */
export const MEMBER_EXTENSIONS: Readonly<Record<string, JsonSchema>> = {
  // It is no list, and clients merge none by it; the public document has it all the same.
  'meta.v1.LabelSelectorRequirement.key': {
    'x-kubernetes-patch-merge-key': 'key',
    'x-kubernetes-patch-strategy': 'merge',
  },
};

/** Members of documents of a kind. */
export const KIND_MEMBERS: Readonly<Record<string, string>> = {
  apiVersion: 'The API group and version that the document is written in.',
  kind: 'The name of the type that the document is of.',
};

/** What members of kinds and lists mean, wherever the schema has them. */
export const COMMON_MEMBERS: Readonly<Record<string, string>> = {
  items: 'The objects of the list.',
  metadata: 'What every object has: name, namespace, labels, versions and owners.',
  spec: 'The state that is wanted.',
  status: 'The state that was last observed; the system writes it.',
};

export const LIST_METADATA = 'What every list has: its version, and how to go on reading it.';

/** Descriptions of kinds that are the same in every group. */
export const META_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'meta.v1.DeleteOptions': 'How an object is to be deleted.',
  'meta.v1.LabelSelector': 'Selects objects by their labels.',
  'meta.v1.ListMeta': LIST_METADATA,
  'meta.v1.ManagedFieldsEntry': 'The fields that one manager owns, and since when.',
  'meta.v1.ObjectMeta': 'What every stored object has.',
  'meta.v1.OwnerReference': 'An object that owns this one, in the same namespace or in none.',
  'meta.v1.Status': 'The answer to a request that does not return an object.',
  'meta.v1.WatchEvent': 'One change of an object, as watches tell it.',
};
