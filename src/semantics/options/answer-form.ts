/**
 * The form that a client wants answers in, by its `Accept`
 * (src/front/README.md#content-negotiation). A view (`View` of the shards) is a served version in a
 * form, and a representation writes objects for a view.
 */
export interface Form {
  readonly encoding: 'json' | 'yaml' | 'protobuf';
  /**
   * Absent for objects and lists as they are. A list in the second form is a
   * PartialObjectMetadataList.
   */
  readonly as?: 'Table' | 'PartialObjectMetadata';
  /** The version of the `meta` group that such a document is of. */
  readonly metaVersion?: 'v1' | 'v1beta1';
  /** The part of each object that the rows of a Table hold; absent is `Metadata`. */
  readonly includeObject?: 'None' | 'Object';
}

/** The form of answers to requests that ask for none. */
export const PLAIN_JSON: Form = Object.freeze({ encoding: 'json' });
