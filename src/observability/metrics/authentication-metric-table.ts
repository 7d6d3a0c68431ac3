/** Metrics of issuers of tokens, and of the file that names them. */
import type { MetricDefinition } from './metric-definition.ts';

const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const AUTHENTICATION_METRICS = {
  apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds: {
    type: 'gauge',
    help:
      'Timestamp of the last automatic reload of authentication configuration split by status ' +
      'and apiserver identity.',
    labels: ['apiserver_id_hash', 'status'],
    stability: 'ALPHA',
  },
  apiserver_authentication_config_controller_automatic_reloads_total: {
    type: 'counter',
    help:
      'Total number of automatic reloads of authentication configuration split by status and ' +
      'apiserver identity.',
    labels: ['apiserver_id_hash', 'status'],
    stability: 'ALPHA',
  },
  apiserver_authentication_config_controller_last_config_info: {
    type: 'gauge',
    help:
      'Information about the last applied authentication configuration with hash as label, ' +
      'split by apiserver identity.',
    labels: ['apiserver_id_hash', 'hash'],
    stability: 'ALPHA',
  },
  apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info: {
    type: 'gauge',
    help:
      'Information about the last JWKS fetched by the JWT authenticator with hash as label, ' +
      'split by api server identity and jwt issuer.',
    labels: ['apiserver_id_hash', 'hash', 'jwt_issuer_hash'],
    stability: 'ALPHA',
  },
  apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds: {
    type: 'gauge',
    help:
      'Timestamp of the last successful or failed JWKS fetch split by result, api server ' +
      'identity and jwt issuer for the JWT authenticator.',
    labels: ['apiserver_id_hash', 'jwt_issuer_hash', 'result'],
    stability: 'ALPHA',
  },
  apiserver_authentication_jwt_authenticator_latency_seconds: {
    type: 'histogram',
    help:
      'Latency of jwt authentication operations in seconds. This is the time spent ' +
      'authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
    labels: ['jwt_issuer_hash', 'result'],
    stability: 'ALPHA',
    buckets: BOUNDS,
  },
} as const satisfies Record<string, MetricDefinition>;
