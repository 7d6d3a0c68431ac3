/** Facts of types and members that the schema model does not have, such as the forms of leaves. */

/** A schema object of a document, in either version. */
export interface JsonSchema {
  [member: string]: unknown;
}

/** The leaf types that have definitions of their own, and types that only documents have. */
export const LEAF_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Duration: { type: 'string' },
  Quantity: { type: 'string' },
  IntOrString: { type: 'string', format: 'int-or-string' },
  RawExtension: { type: 'object' },
  FieldsV1: { type: 'object' },
  VersionInfo: versionInfo({
    buildDate: 'When it was built, as RFC 3339 text.',
    compiler: 'What compiles the program.',
    gitCommit: 'The commit that it was built from.',
    gitTreeState: 'Whether its sources were those of the commit: `clean` or `dirty`.',
    gitVersion: 'The release that it behaves like, in full: `v1.23.17`, `+` and its own name.',
    goVersion: 'The runtime that it runs on, with its version.',
    major: 'The first number of the release.',
    minor: 'The second number of the release.',
    platform: 'The operating system and the processor that it runs on: `linux/x64`.',
  }),
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

function versionInfo(members: Readonly<Record<string, string>>): JsonSchema {
  const properties = Object.entries(members).map(([name, description]) => [
    name,
    { description, type: 'string' },
  ]);
  return {
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
    properties: Object.fromEntries(properties) as unknown,
  };
}

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

/** Members of documents of a kind, which are no fields of its message. */
export const KIND_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  apiVersion: {
    description:
      'APIVersion defines the API group and version whose schema the document follows, such as ' +
      '`apps/v1`; the core group has no name: `v1`.',
    type: 'string',
  },
  kind: {
    description:
      'Kind is the name of the type that the document is of, such as `Deployment`. It cannot ' +
      'change.',
    type: 'string',
  },
};
