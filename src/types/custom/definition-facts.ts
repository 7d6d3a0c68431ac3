/** The facts of a stored definition that the server needs, as plain data for all threads. */
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
} from '#messages/apiextensions.v1';
import { schemaText } from '../../resources/apiextensions/schema-text.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { isConditionTrue } from '../../resources/apiextensions/definition-conditions.ts';

export interface AcceptedNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export interface ScaleFacts {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}

export interface VersionFacts {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  /** A warning in the place of the usual one; absent when that will do. */
  readonly deprecationWarning?: string;
  readonly hasStatus: boolean;
  readonly scale?: ScaleFacts;
  readonly columns: readonly ColumnFacts[];
  /** As selectors name them: `spec.color`. Absent where there are none. */
  readonly selectableFields?: readonly string[];
  /** JSON text of the schema; '' for none. */
  readonly schemaText: string;
}

export interface ConversionFacts {
  readonly strategy: string;
  readonly webhook?: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path: string;
      readonly port: number;
    };
    /** In base64; '' for none. */
    readonly caBundle: string;
    readonly reviewVersions: readonly string[];
  };
}

export interface DefinitionFacts {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly group: string;
  readonly scope: string;
  /** Empty ones are not accepted yet. */
  readonly names: AcceptedNames;
  readonly versions: readonly VersionFacts[];
  readonly conversion: ConversionFacts;
  readonly preserveUnknownFields: boolean;
  readonly isEstablished: boolean;
  /** Its objects are going, and none may be made. */
  readonly isTerminating: boolean;
}

const SERVICE_PORT = 443;

/** A definition as a watch shows it: lists of a status that are not there are null in JSON. */
export function shownDefinition(object: ApiObject): CustomResourceDefinition {
  const { status = {} } = object as CustomResourceDefinition;
  const there = Object.entries(status).filter(([, value]) => value !== null);
  return { ...object, status: Object.fromEntries(there) as CustomResourceDefinitionStatus };
}

export function isEstablished({ status = {} }: CustomResourceDefinition): boolean {
  return isConditionTrue(status.conditions, 'Established');
}

/** Its objects are going, and none may be made. */
export function isTerminating({ metadata, status = {} }: CustomResourceDefinition): boolean {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp !== undefined || isConditionTrue(status.conditions, 'Terminating');
}

/** The facts of a definition as it is stored. */
export function definitionFacts(definition: CustomResourceDefinition): DefinitionFacts {
  const { metadata, spec = {}, status = {} } = definition;
  const { plural = '', singular = '', kind = '', listKind = '' } = status.acceptedNames ?? {};
  const { shortNames = [], categories = [] } = status.acceptedNames ?? {};
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    group: spec.group ?? '',
    scope: spec.scope ?? '',
    names: { plural, singular, kind, listKind, shortNames, categories },
    versions: (spec.versions ?? []).map(versionFacts),
    conversion: conversionFacts(spec.conversion),
    preserveUnknownFields: spec.preserveUnknownFields ?? false,
    isEstablished: isEstablished(definition),
    isTerminating: isTerminating(definition),
  };
}

function versionFacts(version: CustomResourceDefinitionVersion): VersionFacts {
  const { name = '', served = false, storage = false, deprecated = false } = version;
  const { deprecationWarning, subresources, additionalPrinterColumns = [], schema } = version;
  const { selectableFields = [] } = version;
  const {
    specReplicasPath = '',
    statusReplicasPath = '',
    labelSelectorPath,
  } = subresources?.scale ?? {};
  return {
    name,
    served,
    storage,
    deprecated,
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    hasStatus: subresources?.status !== undefined,
    ...(subresources?.scale === undefined
      ? {}
      : {
          scale: {
            specReplicasPath,
            statusReplicasPath,
            ...(labelSelectorPath ? { labelSelectorPath } : {}),
          },
        }),
    columns: additionalPrinterColumns.map(columnFacts),
    ...(selectableFields.length > 0 && {
      selectableFields: selectableFields.map(({ jsonPath = '' }) => jsonPath.replace(/^\./, '')),
    }),
    schemaText: schema?.openAPIV3Schema === undefined ? '' : schemaText(schema.openAPIV3Schema),
  };
}

function columnFacts(column: CustomResourceColumnDefinition): ColumnFacts {
  const { name = '', type = '', format = '', description = '', priority = 0 } = column;
  return { name, type, format, description, priority, jsonPath: column.jsonPath ?? '' };
}

function conversionFacts({
  strategy = 'None',
  webhook,
}: NonNullable<CustomResourceDefinition['spec']>['conversion'] = {}): ConversionFacts {
  if (webhook === undefined) return { strategy };
  const { clientConfig: { url, service, caBundle = '' } = {} } = webhook;
  const { namespace = '', name = '', path = '', port = SERVICE_PORT } = service ?? {};
  return {
    strategy,
    webhook: {
      ...(url === undefined ? {} : { url }),
      ...(service === undefined ? {} : { service: { namespace, name, path, port } }),
      caBundle,
      reviewVersions: webhook.conversionReviewVersions ?? [],
    },
  };
}
