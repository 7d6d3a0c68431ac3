/** The protocol of the hop benchmark: one ask, answered with the bytes that it brought. */
export interface EchoCalls {
  echo: { request: { namespace: string; name: string }; reply: { code: number } };
}
export const ECHO_VERBS = ['echo'] as const;

export interface NoCalls {
  none: { request: undefined; reply: undefined };
}
export const NO_VERBS = [] as const;
