/** The place that a request holds until it is over. */
export interface HeldPlace {
  /** It is served; a watch has begun. May be called more than once. */
  end(): void;
  /** It is over, or its client has gone. */
  over(): void;
}
