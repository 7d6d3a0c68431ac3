import type { LoadBalancerStatus } from '#messages/core.v1';
import type { ApiObject } from '../kind.ts';
import type { IngressSpec } from './ingress-validation.ts';

export interface Ingress extends ApiObject {
  spec?: IngressSpec;
  status?: { loadBalancer?: LoadBalancerStatus };
}
