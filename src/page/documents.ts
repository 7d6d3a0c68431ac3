/** The members of documents of the API that the page reads. */

/** One thing that is wrong with an object, as the server says it. */
export interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** The part of a watch event that the page needs. */
export interface WatchEvent {
  readonly type: string;
  readonly object: ApiObject & { readonly message?: string };
}

export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly managedFields?: readonly ManagedFields[];
  };
}

/** The fields that one manager owns. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: FieldTree;
}

/** Members by `f:NAME`, `k:{…}`, `v:…`. */
export interface FieldTree {
  readonly [member: string]: FieldTree;
}

/** A Table of the API. */
export interface Table {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly columnDefinitions: readonly {
    readonly name: string;
    readonly priority: number;
    readonly description: string;
  }[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object: ApiObject;
}
