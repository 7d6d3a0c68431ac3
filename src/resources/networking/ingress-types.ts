import type { LoadBalancerStatus } from '../core/service-load-balancer.ts';
import type { ApiObject } from '../kind.ts';
import type { IngressSpec } from './ingress-validation.ts';

export interface Ingress extends ApiObject {
  spec?: IngressSpec;
  status?: { loadBalancer?: LoadBalancerStatus };
}
