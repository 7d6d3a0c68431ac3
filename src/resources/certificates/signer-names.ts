/** The signers that are part of the API (README.md#certificates). */
import { ownName } from '../../semantics/dialect/own-names.ts';

export const CLIENT_SIGNER = ownName('cluster.io/kube-apiserver-client');
export const NODE_CLIENT_SIGNER = ownName('cluster.io/kube-apiserver-client-kubelet');
export const NODE_SERVING_SIGNER = ownName('cluster.io/kubelet-serving');
/** No request in a served version may name this signer. */
export const LEGACY_SIGNER = ownName('cluster.io/legacy-unknown');
