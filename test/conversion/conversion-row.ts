/**
 * The rows of the migration table: an object as users wrote it, and the same in the version that
 * replaces its own. `back` is what that becomes in the old version again, where it is not `before`:
 * `after` where the old version says the same by now.
 * What `problems` tell cannot be kept. The reference's own converter has confirmed each row of a
 * group that it knows, up to defaults that both versions share.
 */
export interface ConversionRow {
  readonly name: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly before: object;
  readonly after: object;
  readonly back?: object | 'after';
  readonly problems?: readonly string[];
}
