/** ControllerRevision (SPEC "ControllerRevision"; API-FACTS 14.2). */
import { defineKind, type ApiObject } from '../kind.ts';

export interface ControllerRevision extends ApiObject {
  data?: { readonly text: string };
  revision?: number | bigint;
}

export const CONTROLLER_REVISION = defineKind<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
  message: 'apps.v1.ControllerRevision',
  nameRule: 'dnsSubdomain',
  putCreates: false,
  unconditionalUpdate: true,
  deleteReturns: 'status',
  checksFinalizerNames: true,
});
