/** What documents have of parts of the API that other servers answer for. */
import type { RemoteVersion } from '../discovery/discovered-groups.ts';
import type { PackedDocument } from '../openapi/document-pack.ts';
import type { IndexV3 } from '../openapi/openapi-documents.ts';

export interface RemoteDescribed {
  readonly versions: readonly RemoteVersion[];
  /** The list of documents of version 3, with theirs. */
  index(own: IndexV3): Promise<IndexV3>;
  /** The document of version 2, with what they add. */
  v2(own: PackedDocument): Promise<PackedDocument>;
  /** JSON of what they add to it; undefined for nothing. */
  addedToV2(own: PackedDocument): Promise<string | undefined>;
}
