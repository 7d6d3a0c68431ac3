/** A request for a certificate, decoded (README.md#certificates). */
import type { ApiObject } from '../kind.ts';
import type { RequestStatus } from './request-conditions.ts';

export interface CertificateSigningRequest extends ApiObject {
  spec?: {
    request?: string;
    signerName?: string;
    expirationSeconds?: number;
    usages?: string[];
    username?: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, readonly string[]>;
  };
  status?: RequestStatus;
}
