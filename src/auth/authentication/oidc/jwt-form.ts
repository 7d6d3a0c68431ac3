/** The form of the files of `--authentication-config`, as releases read them. */
import type { ConfigForm, ConfigShape } from '../../../codec/yaml/config-document.ts';
import { ownRelease } from '../../../release/release.ts';
import { ownGroupVersion } from '../../../semantics/dialect/own-names.ts';

/** As the file has it, with the values that it does not tell; options make the same. */
export interface AuthenticationDocument {
  readonly jwt?: readonly (JwtDocument | null)[] | null;
  readonly anonymous?: AnonymousDocument | null;
}

/** An issuer, and what its tokens say. */
export interface JwtDocument {
  readonly issuer?: IssuerDocument | null;
  readonly claimValidationRules?: readonly (ClaimRuleDocument | null)[] | null;
  readonly claimMappings?: MappingsDocument | null;
  readonly userValidationRules?: readonly (UserRuleDocument | null)[] | null;
}

export interface IssuerDocument {
  readonly url?: string;
  readonly discoveryURL?: string;
  /** PEM of those who sign its certificate; those that the runtime trusts if there are none. */
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[] | null;
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

export interface ClaimRuleDocument {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface MappingsDocument {
  readonly username?: PrefixedDocument | null;
  readonly groups?: PrefixedDocument | null;
  readonly uid?: { readonly claim?: string; readonly expression?: string } | null;
  readonly extra?: readonly (ExtraDocument | null)[] | null;
}

export interface PrefixedDocument {
  readonly claim?: string;
  readonly prefix?: string | null;
  readonly expression?: string;
}

export interface ExtraDocument {
  readonly key?: string;
  readonly valueExpression?: string;
}

export interface UserRuleDocument {
  readonly expression?: string;
  readonly message?: string;
}

export interface AnonymousDocument {
  readonly enabled?: boolean;
  readonly conditions?: readonly ({ readonly path?: string } | null)[] | null;
}

const TEXT: ConfigShape = { holds: 'text' };

function texts(type: string, ...names: readonly string[]): ConfigShape & { holds: 'members' } {
  const members = Object.fromEntries(names.map((name) => [name, TEXT]));
  return { holds: 'members', type, members };
}

function listOf(of: ConfigShape & { holds: 'members' }): ConfigShape {
  return { holds: 'list', type: of.type, of };
}

const release = ownRelease();

const ISSUER: ConfigShape = {
  holds: 'members',
  type: 'Issuer',
  members: {
    url: TEXT,
    certificateAuthority: TEXT,
    audiences: { holds: 'list', type: 'string', of: TEXT },
    ...(release.has('severalTokenIssuers') && { discoveryURL: TEXT, audienceMatchPolicy: TEXT }),
    ...(release.has('egressOfTokenIssuers') && { egressSelectorType: TEXT }),
  },
};

const PREFIXED = texts('PrefixedClaimOrExpression', 'claim', 'prefix', 'expression');

const JWT: ConfigShape & { holds: 'members' } = {
  holds: 'members',
  type: 'JWTAuthenticator',
  members: {
    issuer: ISSUER,
    claimValidationRules: listOf(
      texts('ClaimValidationRule', 'claim', 'requiredValue', 'expression', 'message'),
    ),
    claimMappings: {
      holds: 'members',
      type: 'ClaimMappings',
      members: {
        username: PREFIXED,
        groups: PREFIXED,
        uid: texts('ClaimOrExpression', 'claim', 'expression'),
        extra: listOf(texts('ExtraMapping', 'key', 'valueExpression')),
      },
    },
    userValidationRules: listOf(texts('UserValidationRule', 'expression', 'message')),
  },
};

const ANONYMOUS: ConfigShape = {
  holds: 'members',
  type: 'AnonymousAuthConfig',
  members: {
    enabled: { holds: 'truth' },
    conditions: listOf(texts('AnonymousAuthCondition', 'path')),
  },
};

const VERSIONS = [
  'v1alpha1',
  ...(release.has('betaAuthenticationConfig') ? ['v1beta1'] : []),
  ...(release.has('stableAuthenticationConfig') ? ['v1'] : []),
];

export const AUTHENTICATION_FORM: ConfigForm = {
  kind: 'AuthenticationConfiguration',
  groupVersions: VERSIONS.map((version) =>
    ownGroupVersion(`apiserver.config.cluster.io/${version}`),
  ),
  otherKinds: [
    'AdmissionConfiguration',
    'AuthorizationConfiguration',
    'EgressSelectorConfiguration',
    'EncryptionConfiguration',
    'TracingConfiguration',
  ],
  members: {
    jwt: listOf(JWT),
    ...(release.has('anonymousPaths') && { anonymous: ANONYMOUS }),
  },
};
