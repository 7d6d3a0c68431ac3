/**
 * PodTolerationRestriction: the pods of a namespace get the tolerations of its annotation, or those
 * of the settings, and may have those alone that are allowed
 * (src/admission/README.md#podtolerationrestriction).
 */
import type { Pod, Toleration } from '#messages/core.v1';
import { appendAll } from '../../../base/append-all.ts';
import { qosClass } from '../../../resources/core/pods/pod-qos.ts';
import { checkTolerations } from '../../../resources/core/pods/pod-scheduling.ts';
import { ownGroupVersion, ownName } from '../../../semantics/dialect/own-names.ts';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { notFound, serverFailure } from '../../../semantics/errors/status.ts';
import { document, listOf, members, text, wholeNumber } from '../../check-settings.ts';
import type { NamespaceReplica } from '../../namespace-replica.ts';
import type { AdmissionContext, AdmissionPlugin, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';
import { parseTolerations } from './parse-tolerations.ts';
import { areAllowed, mergeTolerations } from './toleration-sets.ts';

const DEFAULTS = ownName('scheduler.alpha.cluster.io/defaultTolerations');
const ALLOWED = ownName('scheduler.alpha.cluster.io/tolerationsWhitelist');
/** Pods that ask for something are the last that a node evicts when its memory is short. */
const MEMORY_PRESSURE: Toleration = {
  key: ownName('node.cluster.io/memory-pressure'),
  operator: 'Exists',
  effect: 'NoSchedule',
};

interface Settings {
  /** The tolerations that pods get, and may have, where the namespace does not say. */
  readonly default?: readonly Toleration[];
  readonly whitelist?: readonly Toleration[];
}

export class PodTolerationRestriction implements AdmissionPlugin {
  readonly knows: readonly NamespaceReplica[];
  readonly #namespaces: NamespaceReplica;
  readonly #settings: Settings;

  constructor({ namespaces }: Pick<AdmissionContext, 'namespaces'>, settings: PluginSettings = {}) {
    this.#namespaces = namespaces;
    this.knows = [namespaces];
    this.#settings = settings as Settings;
  }

  /** Throws StatusError 500, as the reference does, for what may not be. */
  admit(proposal: Proposal): void {
    const { operation, namespace, object } = proposal;
    const pod = object as Pod;
    const { spec = {} } = pod;
    const added: Toleration[] = [];
    if (operation === 'CREATE') {
      appendAll(added, this.#said(namespace, DEFAULTS) ?? this.#settings.default ?? []);
    }
    if (qosClass(spec) !== 'BestEffort') added.push(MEMORY_PRESSURE);
    if (added.length > 0) {
      pod.spec = { ...spec, tolerations: mergeTolerations(spec.tolerations ?? [], added) };
    }
    this.validate(proposal);
  }

  /** Throws StatusError where the pod has tolerations that its namespace does not allow. */
  validate({ namespace, object }: Proposal): void {
    const { tolerations = [] } = (object as Pod).spec ?? {};
    if (tolerations.length === 0) return;
    const said = this.#said(namespace, ALLOWED);
    if (areAllowed(tolerations, said ?? this.#settings.whitelist ?? [])) return;
    throw serverFailure(
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its ' +
        `${said === undefined ? 'cluster' : 'namespace'} whitelist`,
    );
  }

  /** Undefined where the namespace has no such annotation. */
  #said(namespace: string, annotation: string): readonly Toleration[] | undefined {
    const known = this.#namespaces.get(namespace);
    if (known === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    const { [annotation]: said } = known.annotations;
    return said === undefined ? undefined : parseTolerations(said);
  }
}

const tolerations = listOf(
  members({ key: text, operator: text, value: text, effect: text, tolerationSeconds: wholeNumber }),
);

/** The problems of the settings, which may be none. */
export function checkPodTolerationRestriction(settings: PluginSettings): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (Object.keys(settings).length === 0) return errors;
  const apiVersion = ownGroupVersion('podtolerationrestriction.admission.cluster.io/v1alpha1');
  const rules = { default: tolerations, whitelist: tolerations };
  document(apiVersion, 'Configuration', rules)(settings, '', errors);
  if (errors.length > 0) return errors;
  const { default: added = [], whitelist = [] } = settings as Settings;
  checkTolerations(added, 'default', errors);
  checkTolerations(whitelist, 'whitelist', errors);
  return errors;
}
