/** A CustomResourceDefinition as decoded. */
import type { ApiObject } from '../kind.ts';
import type { Conversion } from './conversion.ts';
import type { DefinitionNames } from './definition-names.ts';
import type { DefinitionVersion } from './definition-versions.ts';

export interface DefinitionSpec {
  group?: string;
  names?: DefinitionNames;
  scope?: string;
  versions?: DefinitionVersion[];
  conversion?: Conversion;
  preserveUnknownFields?: boolean;
}

export interface DefinitionCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface DefinitionStatus {
  conditions?: DefinitionCondition[];
  acceptedNames?: DefinitionNames;
  storedVersions?: string[];
}

export interface CustomResourceDefinition extends ApiObject {
  spec?: DefinitionSpec;
  status?: DefinitionStatus;
}
