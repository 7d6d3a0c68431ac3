import type { Members } from '../../codec/model/schema-model.ts';
import type { StructType } from './field-types.ts';

/** The versions that a kind is served in. */
export interface VersionConverter {
  /** Undefined for a version that is not served. */
  typeOf(apiVersion: string): StructType | undefined;
  convert(document: Members, from: string, to: string): Members;
}
