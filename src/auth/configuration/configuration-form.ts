/** The form of the files of `--authorization-config`, as releases read them. */
import type { ConfigForm, ConfigShape } from '../../codec/yaml/config-document.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroupVersion } from '../../semantics/dialect/own-names.ts';

/** As the file has it, with the values that it does not tell. */
export interface AuthorizationDocument {
  readonly authorizers?: readonly (AuthorizerDocument | null)[] | null;
}

export interface AuthorizerDocument {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: WebhookDocument | null;
}

export interface WebhookDocument {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string } | null;
  readonly matchConditions?: readonly ({ readonly expression?: string } | null)[] | null;
}

const TEXT: ConfigShape = { holds: 'text' };
const TRUTH: ConfigShape = { holds: 'truth' };
const DURATION: ConfigShape = { holds: 'duration' };

const CONDITION: ConfigShape = {
  holds: 'members',
  type: 'WebhookMatchCondition',
  members: { expression: TEXT },
};

const WEBHOOK: ConfigShape = {
  holds: 'members',
  type: 'WebhookConfiguration',
  members: {
    authorizedTTL: DURATION,
    unauthorizedTTL: DURATION,
    ...(ownRelease().has('authorizationCacheSwitches') && {
      cacheAuthorizedRequests: TRUTH,
      cacheUnauthorizedRequests: TRUTH,
    }),
    timeout: DURATION,
    subjectAccessReviewVersion: TEXT,
    matchConditionSubjectAccessReviewVersion: TEXT,
    failurePolicy: TEXT,
    connectionInfo: {
      holds: 'members',
      type: 'WebhookConnectionInfo',
      members: { type: TEXT, kubeConfigFile: TEXT },
    },
    matchConditions: { holds: 'list', type: 'WebhookMatchCondition', of: CONDITION },
  },
};

const AUTHORIZER: ConfigShape = {
  holds: 'members',
  type: 'AuthorizerConfiguration',
  members: { type: TEXT, name: TEXT, webhook: WEBHOOK },
};

const VERSIONS = [
  'v1alpha1',
  ...(ownRelease().has('betaAuthorizationConfig') ? ['v1beta1'] : []),
  ...(ownRelease().has('stableAuthorizationConfig') ? ['v1'] : []),
];

export const AUTHORIZATION_FORM: ConfigForm = {
  kind: 'AuthorizationConfiguration',
  groupVersions: VERSIONS.map((version) =>
    ownGroupVersion(`apiserver.config.cluster.io/${version}`),
  ),
  otherKinds: [
    'AdmissionConfiguration',
    'AuthenticationConfiguration',
    'EgressSelectorConfiguration',
    'EncryptionConfiguration',
    'TracingConfiguration',
  ],
  members: {
    authorizers: { holds: 'list', type: 'AuthorizerConfiguration', of: AUTHORIZER },
  },
};
