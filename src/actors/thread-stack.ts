/**
 * The stack of each thread that reads bodies of clients: four times as much as any reader takes
 * with the deepest text that it does not refuse (src/front/bounds.md), as `npm run check:nesting`
 * demands. Near the end of a stack not every error can be caught: the runtime ends the process
 * where it compiles a regular expression there. Memory is taken when it is used, not before.
 */
export const THREAD_STACK_MB = 32;
