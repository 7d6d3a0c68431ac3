/** What options say about who decides what a user may do. */

/** Ways to decide, as options name them. */
export const AUTHORIZATION_MODES = [
  'Node',
  'RBAC',
  'Webhook',
  'AlwaysAllow',
  'AlwaysDeny',
] as const;
export type AuthorizationMode = (typeof AUTHORIZATION_MODES)[number];

export interface AuthorizationConfig {
  /** In the order in which they are asked. */
  readonly modes: readonly AuthorizationMode[];
}
