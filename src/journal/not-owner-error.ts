import { StatusError } from '../semantics/errors/status.ts';

/** Another server owns all types, or none does: nothing was written. */
export class NotOwnerError extends StatusError {
  constructor() {
    super(503, 'ServiceUnavailable', 'this server does not own the types any more', {
      retryAfterSeconds: 1,
    });
  }
}
