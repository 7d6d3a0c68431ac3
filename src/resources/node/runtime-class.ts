/** RuntimeClass (README.md#runtime-classes). */
import type { Toleration } from '#messages/core.v1';
import type { RuntimeClass } from '#messages/node.v1';
import type { RuntimeClass as RuntimeClassV1alpha1 } from '#messages/node.v1alpha1';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import {
  addProblems,
  duplicatePart,
  FIELD_IMMUTABLE,
  invalid,
  required,
  showsJson,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { checkLabels } from '../../semantics/metadata/label-validation.ts';
import { dnsLabel } from '../../semantics/metadata/names.ts';
import { checkResources } from '../core/pods/containers/resources.ts';
import { oldLabelText } from '../core/nodes/node-labels.ts';
import { checkTolerations, tolerationText } from '../core/pods/pod-scheduling.ts';
import { defineKind } from '../kind.ts';
import { AGE, NAME } from '../printer-cells.ts';
import { definePrinter, text } from '../printer.ts';

export const RUNTIME_CLASS = defineKind<RuntimeClass>({
  group: ownGroup('node.cluster.io'),
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  message: 'node.v1.RuntimeClass',
  nameRule: 'dnsSubdomain',
  putCreates: true,
  unconditionalUpdate: false,
  deleteReturns: 'status',
  checksFinalizerNames: false,
  otherVersions: [
    {
      version: 'v1beta1',
    },
    {
      version: 'v1alpha1',
      message: 'node.v1alpha1.RuntimeClass',
      toStored({ spec = {}, ...rest }: RuntimeClassV1alpha1) {
        const { runtimeHandler = '', ...members } = spec;
        return { ...rest, handler: runtimeHandler, ...members };
      },
      fromStored({ handler = '', overhead, scheduling, ...rest }: RuntimeClass) {
        const spec = {
          runtimeHandler: handler,
          ...(overhead && { overhead }),
          ...(scheduling && { scheduling }),
        };
        return { ...rest, spec };
      },
    },
  ],
  printer: definePrinter([
    NAME,
    text('Handler', 'What the container runtime of a node calls this class.', 'handler'),
    AGE,
  ]),

  // Only a create drops it, as in the reference.
  dropDisabled(object, gates, stored) {
    if (stored === undefined && !gates.has('PodOverhead')) delete object.overhead;
  },

  validate({ handler = '', overhead, scheduling }) {
    const errors: FieldError[] = [];
    if (handler === '' && ownRelease().has('requiredHandlers')) errors.push(required('handler'));
    else addProblems(dnsLabel(handler), 'handler', handler, errors);
    // Checked, and shown, as the limits of a container.
    if (overhead?.podFixed) checkResources({ limits: overhead.podFixed }, 'overhead', errors);
    if (scheduling === undefined) return errors;
    checkLabels(scheduling.nodeSelector ?? {}, 'scheduling.nodeSelector', errors);
    checkClassTolerations(scheduling.tolerations ?? [], errors);
    return errors;
  },

  createWarnings: labelWarnings,

  updateWarnings: labelWarnings,

  validateUpdate({ handler = '' }, { handler: stored = '' }) {
    if (handler === stored) return [];
    // Where the type declares that it stays, no value is shown.
    const shown = ownRelease().has('declaredRules') ? undefined : handler;
    return [invalid('handler', shown, FIELD_IMMUTABLE)];
  },
});

function labelWarnings({ scheduling }: RuntimeClass): string[] {
  if (!ownRelease().has('warnedVolumes')) return [];
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
    const text = oldLabelText(label);
    return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`];
  });
}

/** No toleration may repeat, whatever its seconds; the doubled path is the reference's. */
function checkClassTolerations(tolerations: readonly Toleration[], errors: FieldError[]): void {
  const field = 'scheduling.tolerations';
  const path = ownRelease().has('tolerationsInPlace') ? field : `${field}.tolerations`;
  checkTolerations(tolerations, path, errors);
  const seen = new Set<string>();
  tolerations.forEach((toleration, index) => {
    const text = tolerationText(toleration);
    if (seen.has(text)) {
      const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
      const whole = { key, operator, value, effect, tolerationSeconds: tolerationSeconds ?? null };
      errors.push(duplicatePart(`${field}[${index}]`, showsJson() ? whole : toleration));
    }
    seen.add(text);
  });
}
