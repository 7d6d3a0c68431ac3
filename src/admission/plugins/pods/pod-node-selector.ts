/**
 * PodNodeSelector: the pods of a namespace go to the nodes that its annotation selects, or that the
 * settings select for all (src/admission/README.md#podnodeselector).
 */
import type { Pod } from '#messages/core.v1';
import { ownName } from '../../../semantics/dialect/own-names.ts';
import { invalid } from '../../../semantics/errors/field-error.ts';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { labelValue, qualifiedName } from '../../../semantics/metadata/names.ts';
import { forbidden, internalError, serverFailure } from '../../../semantics/errors/status.ts';
import { mapOf, members, text } from '../../check-settings.ts';
import type { NamespaceReplica } from '../../namespace-replica.ts';
import type { AdmissionContext, AdmissionPlugin, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

const ANNOTATION = ownName('scheduler.alpha.cluster.io/node-selector');
const FOR_ALL = 'clusterDefaultNodeSelector';

type Labels = Readonly<Record<string, string>>;

interface Settings {
  /** Selectors by namespaces: what their pods may select at all; and one for all others. */
  readonly podNodeSelectorPluginConfig?: Readonly<Record<string, string>>;
}

export class PodNodeSelector implements AdmissionPlugin {
  readonly knows: readonly NamespaceReplica[];
  readonly #namespaces: NamespaceReplica;
  readonly #selectors: Readonly<Record<string, string>>;

  constructor({ namespaces }: Pick<AdmissionContext, 'namespaces'>, settings: PluginSettings = {}) {
    this.#namespaces = namespaces;
    this.knows = [namespaces];
    this.#selectors = (settings as Settings).podNodeSelectorPluginConfig ?? {};
  }

  /** Throws StatusError 403, and 500 for an annotation that is no selector. */
  admit(proposal: Proposal): void {
    const selected = this.#selectedIn(proposal.namespace);
    this.#check(proposal, selected);
    const pod = proposal.object as Pod;
    if (Object.keys(selected).length === 0) return;
    pod.spec = { ...pod.spec, nodeSelector: { ...selected, ...pod.spec?.nodeSelector } };
  }

  /** Checks the pod against the selector of its namespace once more. */
  validate(proposal: Proposal): void {
    this.#check(proposal, this.#selectedIn(proposal.namespace));
  }

  #check({ object, groupResource, namespace }: Proposal, selected: Labels): void {
    const { metadata, spec: { nodeSelector = {} } = {} } = object as Pod;
    const refuse = (why: string): never => {
      throw forbidden(groupResource, metadata.name ?? '', why);
    };
    const asked = Object.entries(nodeSelector);
    if (asked.some(([key, value]) => Object.hasOwn(selected, key) && selected[key] !== value)) {
      refuse('pod node label selector conflicts with its namespace node label selector');
    }
    const allowed = Object.hasOwn(this.#selectors, namespace)
      ? labelsOf(this.#selectors[namespace] ?? '')
      : {};
    if (Object.keys(allowed).length === 0) return;
    const isAllowed = asked.every(([key, value]) => {
      return Object.hasOwn(allowed, key) && allowed[key] === value;
    });
    if (!isAllowed) {
      refuse('pod node label selector labels conflict with its namespace whitelist');
    }
  }

  #selectedIn(namespace: string): Labels {
    const known = this.#namespaces.get(namespace);
    if (known === undefined) throw internalError(`namespace ${namespace} does not exist`);
    return labelsOf(known.annotations[ANNOTATION] ?? this.#selectors[FOR_ALL] ?? '');
  }
}

/** `a=b,c=d` as labels. Throws StatusError 500 with the reference's words. */
function labelsOf(selector: string): Labels {
  const labels: Record<string, string> = {};
  if (selector === '') return labels;
  for (const pair of selector.split(',')) {
    const parts = pair.split('=');
    if (parts.length !== 2) throw serverFailure(`invalid selector: [${parts.join(' ')}]`);
    const [key = '', value = ''] = parts.map((part) => part.trim());
    check('<nil>', key, qualifiedName(key));
    check(`[${key}]`, value, labelValue(value));
    labels[key] = value;
  }
  return labels;
}

function check(field: string, value: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw serverFailure(`${field}: ${invalid(field, value, problems.join('; ')).message}`);
}

/** The problems of the settings. */
export function checkPodNodeSelector(settings: PluginSettings): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = 'podNodeSelectorPluginConfig';
  members({ [name]: mapOf(text) })(settings, '', errors);
  if (errors.length > 0) return errors;
  const { [name]: selectors = {} } = settings as Settings;
  for (const [namespace, selector] of Object.entries(selectors)) {
    try {
      labelsOf(selector);
    } catch (error) {
      errors.push(invalid(`${name}.${namespace}`, selector, (error as Error).message));
    }
  }
  return errors;
}
