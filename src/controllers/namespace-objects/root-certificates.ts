/** The ConfigMap of each namespace from which its programs know whom to trust as the API server. */
import { deepEqual } from '../../base/deep-equal.ts';
import { ROOT_CERTIFICATES } from '../../resources/core/config-map.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import type { NamespaceObject } from './namespace-objects.ts';

const DESCRIPTION = ownName('cluster.io/description');
const ABOUT =
  'The authority that signs the certificate of the API server, for programs in the cluster that ' +
  'connect to it by its service. Nothing else is promised of it.';

/** `authority` in PEM. */
export function rootCertificates(authority: string): NamespaceObject {
  const data = { 'ca.crt': authority };
  return {
    resource: 'configmaps',
    name: ROOT_CERTIFICATES,
    account: 'root-ca-cert-publisher',
    wanted: { metadata: { annotations: { [DESCRIPTION]: ABOUT } }, data },
    mend: (stored) => {
      const { metadata } = stored;
      const { annotations = {} } = metadata;
      const isDescribed = (annotations[DESCRIPTION] ?? '') !== '';
      if (isDescribed && deepEqual(stored['data'], data)) return undefined;
      const described = { ...annotations, [DESCRIPTION]: ABOUT };
      return { ...stored, metadata: { ...metadata, annotations: described }, data };
    },
  };
}
