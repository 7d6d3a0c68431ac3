import { setOfPaths } from '../semantics/fields/field-set.ts';
import { fieldElement } from '../semantics/fields/path-element.ts';
import type { Ownable } from '../semantics/fields/track-update.ts';
import type { KindDefinition } from '../resources/kind.ts';

/**
 * The fields that writers come to own through an endpoint, which are not those that it resets
 * (src/semantics/fields/README.md#endpoints).
 */
export function ownableThrough(definition: KindDefinition, subresource: string): Ownable {
  const { statusSubresource, parts, replicasPath } = definition;
  switch (subresource) {
    case '':
      return statusSubresource === undefined
        ? {}
        : { except: pathSet([['status'], ...(definition.resetFields ?? [])]) };
    case 'status': {
      const { metadataWritable = false, ownsSent } = statusSubresource ?? {};
      const { keptMetadata = [], keeps = [] } = statusSubresource ?? {};
      if (ownsSent === true) return { except: pathSet([['spec']]) };
      const only = pathSet([['status'], ...(metadataWritable ? [['metadata']] : [])]);
      const kept = [...keptMetadata.map((name) => ['metadata', name]), ...keeps];
      return kept.length === 0 ? { only } : { only, except: pathSet(kept) };
    }
    case 'scale':
      return replicasPath === undefined
        ? { only: pathSet([['spec', 'replicas']]) }
        : { only: pathSet([replicasPath]), ownsNothing: true };
    default: {
      const { owns, keeps = [] } = parts?.[subresource] ?? {};
      // Where the owners stay, what others own of the whole object is a conflict all the same.
      return owns === undefined ? {} : { only: pathSet(owns), except: pathSet(keeps) };
    }
  }
}

function pathSet(paths: readonly (readonly string[])[]): ReturnType<typeof setOfPaths> {
  return setOfPaths(paths.map((path) => path.map(fieldElement)));
}
