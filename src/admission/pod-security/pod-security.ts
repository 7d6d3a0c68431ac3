/**
 * PodSecurity: pods must be of the level that their namespace asks for, or are told of, or their
 * writers are warned (src/admission/README.md#podsecurity).
 */
import type { Namespace, Pod } from '#messages/core.v1';
import { quoteText } from '../../codec/json/strict-quote.ts';
import type { ShardObjects } from '../../replicas/shard-objects.ts';
import { aggregateText } from '../../semantics/errors/aggregate-text.ts';
import { invalidObject, type FieldError } from '../../semantics/errors/field-error.ts';
import { forbidden, internalError } from '../../semantics/errors/status.ts';
import type { NamespaceReplica } from '../namespace-replica.ts';
import type { AdmissionContext, AdmissionPlugin, PluginSettings } from '../plugin.ts';
import type { Proposal } from '../proposal.ts';
import { detailsText, violationsOf } from './checks.ts';
import { warningsOfExisting } from './existing-pods.ts';
import {
  ANNOTATIONS,
  isSameStandard,
  isStricter,
  MODES,
  policyOf,
  standardText,
  type Mode,
  type Policy,
  type Standard,
} from './levels.ts';
import type { CheckedPod } from './pod-check.ts';
import { countError, countEvaluation, countExemption } from './pod-security-metrics.ts';
import { templateOf } from './pod-templates.ts';
import { podSecuritySettings, type PodSecuritySettings } from './settings.ts';
import { isSignificantUpdate } from './significant-update.ts';

const EXISTING_MS_MAX = 1000;
/** The standard that a namespace without labels enforces, whatever the version. */
const NOTHING_ENFORCED = 'privileged:latest';

interface Context extends Pick<AdmissionContext, 'namespaces' | 'logError'> {
  readonly objects: (resource: string) => Pick<ShardObjects, 'list'>;
}

/** The policy that a namespace asks for, and the errors of its labels. */
interface Asked {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

export class PodSecurity implements AdmissionPlugin {
  readonly knows: readonly NamespaceReplica[];
  readonly #context: Context;
  readonly #settings: PodSecuritySettings;

  constructor(context: Context, settings: PluginSettings | undefined) {
    this.#context = context;
    this.#settings = podSecuritySettings(settings);
    this.knows = [context.namespaces];
  }

  /** Throws or rejects with StatusError 403 for a pod, 422 for a namespace. */
  validate(proposal: Proposal): void | Promise<void> {
    const { group, resource } = proposal;
    if (group === '' && resource === 'namespaces') return this.#validateNamespace(proposal);
    if (this.#isExempt(proposal)) return undefined;
    if (group === '' && resource === 'pods') this.#validatePod(proposal);
    else this.#validateController(proposal);
  }

  #validatePod(proposal: Proposal): void {
    const known = this.#context.namespaces.get(proposal.namespace);
    if (known === undefined) {
      const problem = internalError(lookUpFailed(proposal));
      failed(proposal, `${problem.message}: ${notThere(proposal)}`, 'fatal');
      throw problem;
    }
    const asked = this.#askedBy(known.labels);
    if (asksNothing(asked, MODES)) {
      proposal.annotate(ANNOTATIONS.enforced, NOTHING_ENFORCED);
      countEvaluation(proposal, 'allow', 'enforce', asked.policy.enforce);
      return;
    }
    const pod = proposal.object as Pod;
    const stored = proposal.oldObject as Pod | undefined;
    if (stored !== undefined && !isSignificantUpdate(pod, stored)) return;
    this.#evaluate(proposal, asked, pod, true);
  }

  /** Never refuses an object that makes pods: its pods will be refused. */
  #validateController(proposal: Proposal): void {
    const known = this.#context.namespaces.get(proposal.namespace);
    if (known === undefined) {
      failed(proposal, `${lookUpFailed(proposal)}: ${notThere(proposal)}`, 'fatal');
      return;
    }
    const asked = this.#askedBy(known.labels);
    if (asksNothing(asked, ['audit', 'warn']) || proposal.object === undefined) return;
    const template = templateOf(proposal, proposal.object);
    if (template !== undefined) this.#evaluate(proposal, asked, template, false);
  }

  /** Throws StatusError 403 where it enforces. */
  #evaluate(
    proposal: Proposal,
    { policy, errors }: Asked,
    pod: CheckedPod,
    enforces: boolean,
  ): void {
    if (this.#isExemptClass(pod)) {
      exempt(proposal, 'runtimeClass');
      return;
    }
    if (errors.length > 0) {
      failed(proposal, `Failed to parse policy: ${textOf(errors)}`);
    }
    const details = new Map<string, string>();
    const breach = (mode: Mode, verb: string): string => {
      const standard = standardText(policy[mode]);
      const detail = details.get(standard) ?? detailsText(violationsOf(pod, policy[mode]));
      details.set(standard, detail);
      if (detail !== '') countEvaluation(proposal, 'deny', mode, policy[mode]);
      else if (mode === 'enforce') countEvaluation(proposal, 'allow', mode, policy[mode]);
      return detail === '' ? '' : `${verb} PodSecurity "${standard}": ${detail}`;
    };
    if (enforces) proposal.annotate(ANNOTATIONS.enforced, standardText(policy.enforce));
    const noted = breach('audit', 'would violate');
    if (noted !== '') proposal.annotate(ANNOTATIONS.violations, noted);
    const why = enforces ? breach('enforce', 'violates') : '';
    if (why !== '') throw forbidden(proposal.groupResource, proposal.shownName, why);
    const warning = breach('warn', 'would violate');
    if (warning !== '') proposal.warn(warning);
  }

  #validateNamespace(proposal: Proposal): void | Promise<void> {
    const { forms, shownName, oldObject } = proposal;
    const asked = this.#askedBy(labelsOf(proposal.object));
    const before = oldObject === undefined ? undefined : this.#askedBy(labelsOf(oldObject));
    const { errors } = asked;
    // Those that are wrong already may stay so.
    if (errors.length > 0 && textOf(errors) !== textOf(before?.errors ?? [])) {
      throw invalidObject('', forms.kind, shownName, errors);
    }
    if (before === undefined) return;
    const { enforce } = asked.policy;
    if (!isTighter(enforce, before.policy.enforce)) return;
    if (this.#settings.exemptions.namespaces.has(shownName)) {
      exempt(proposal, 'namespace');
      return;
    }
    return this.#warnOfExisting(proposal, enforce);
  }

  async #warnOfExisting(proposal: Proposal, enforce: Standard): Promise<void> {
    const now = performance.now();
    const deadlineMs = now + Math.min(EXISTING_MS_MAX, (proposal.deadlineMs - now) / 2);
    const existing = {
      pods: this.#context.objects('pods'),
      namespace: proposal.shownName,
      isExempt: (pod: Pod) => this.#isExemptClass(pod),
      deadlineMs,
    };
    try {
      for (const text of await warningsOfExisting(existing, enforce)) proposal.warn(text);
    } catch (error) {
      this.#context.logError(`PodSecurity cannot list pods: ${(error as Error).message}`);
      proposal.warn('failed to list pods while checking new PodSecurity enforce level');
    }
  }

  #askedBy(labels: Readonly<Record<string, string>>): Asked {
    const errors: FieldError[] = [];
    return { policy: policyOf(labels, this.#settings.defaults, errors), errors };
  }

  #isExempt(proposal: Proposal): boolean {
    const { namespaces, usernames } = this.#settings.exemptions;
    const isOfNamespace = namespaces.has(proposal.namespace);
    if (!isOfNamespace && !usernames.has(proposal.user.name)) return false;
    exempt(proposal, isOfNamespace ? 'namespace' : 'user');
    return true;
  }

  #isExemptClass({ spec = {} }: CheckedPod): boolean {
    return this.#settings.exemptions.runtimeClasses.has(spec.runtimeClassName ?? '');
  }
}

/** Nothing is asked of the write, and why. */
function exempt(proposal: Proposal, why: 'namespace' | 'runtimeClass' | 'user'): void {
  proposal.annotate(ANNOTATIONS.exempt, why);
  countExemption(proposal);
}

/** Something goes wrong; what is fatal keeps the write from being evaluated. */
function failed(proposal: Proposal, what: string, fatal?: 'fatal'): void {
  proposal.annotate(ANNOTATIONS.error, what);
  countError(proposal, fatal !== undefined);
}

function lookUpFailed({ namespace }: Proposal): string {
  return `failed to lookup namespace ${namespace}`;
}

function notThere({ namespace }: Proposal): string {
  return `namespaces ${quoteText(namespace)} not found`;
}

function labelsOf(object: Namespace | undefined): Readonly<Record<string, string>> {
  return object?.metadata.labels ?? {};
}

function asksNothing({ policy, errors }: Asked, modes: readonly Mode[]): boolean {
  return errors.length === 0 && modes.every((mode) => policy[mode].level === 'privileged');
}

/** Whether pods that were allowed may not be any more. */
function isTighter(standard: Standard, before: Standard): boolean {
  if (standard.level === 'privileged' || isSameStandard(standard, before)) return false;
  return standard.version !== before.version || isStricter(standard.level, before.level);
}

function textOf(errors: readonly FieldError[]): string {
  return aggregateText(errors.map(({ field, message }) => `${field}: ${message}`));
}
