import { EtcdError } from '../../../src/etcd/etcd-error.ts';

/** Gives what a call failed with, an EtcdError; throws where it did not fail so. */
export async function failureOf(call: Promise<unknown>): Promise<EtcdError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof EtcdError) return error;
    throw error;
  }
  throw new Error('the call has not failed');
}
