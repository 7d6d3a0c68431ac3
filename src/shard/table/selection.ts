/** The selection of a list or watch, parsed once: namespace, label selector and field selector. */
import type { ResourceType } from '../../types/resource-type.ts';
import type { ServedVersion } from '../../types/served-version.ts';
import {
  checkFieldSelector,
  fieldMatcher,
  formatFieldSelector,
  parseFieldSelector,
  requiredValue,
  unknownFieldText,
  unsupportedLabelText,
} from '../../semantics/selectors/field-selector.ts';
import type { FieldMatcher, FieldSelector } from '../../semantics/selectors/field-selector.ts';
import {
  formatLabelSelector,
  parseLabelSelector,
  requiredLabel,
} from '../../semantics/selectors/label-selector.ts';
import { labelMatcher } from '../../semantics/selectors/label-matcher.ts';
import type { LabelMatcher } from '../../semantics/selectors/label-matcher.ts';
import { afterKey, ALL_KEYS, keysOfNamespace } from './object-table.ts';
import type { FieldValue, KeyRange } from './object-table.ts';
import type { SelectorRequest } from '../../protocol/shard-protocol.ts';

/** The state of an object as far as selection goes: a table entry, or a record's header. */
export interface Selectable {
  readonly key: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly fields: readonly string[];
}

/** Namespace ('' for cluster-scoped objects) and name of a key. */
export function splitKey(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return slash < 0 ? ['', key] : [key.slice(0, slash), key.slice(slash + 1)];
}

export class Selection {
  /** In which the request is made, and its objects are shown. */
  readonly version: ServedVersion;
  /** '' for all namespaces. */
  readonly namespace: string;
  /** All keys that can match are in this range. */
  readonly range: KeyRange;
  /** The value of an indexed field that all objects that can match have. */
  readonly fieldValue: FieldValue | undefined;
  /** A label that all objects that can match have. */
  readonly label: { readonly key: string; readonly value: string } | undefined;
  /** The one name that can match, when the field selector demands one. */
  readonly name: string | undefined;
  /** Equal for selections that ask for the same objects. */
  readonly canonicalText: string;
  readonly #matchesLabels: LabelMatcher | undefined;
  readonly #matchesFields: FieldMatcher | undefined;
  readonly #fieldNames: readonly string[];

  /**
   * Throws StatusError 400 for a selector that does not parse or names an unknown field. Other
   * options are checked in between.
   */
  constructor(kind: ResourceType, request: SelectorRequest, checkOptions?: () => void) {
    const { namespace, labelSelector, fieldSelector } = request;
    const labels = parseLabelSelector(labelSelector);
    const fields = parseFieldSelector(fieldSelector);
    checkOptions?.();
    const hasOwnFields = kind.fieldNames.length > 0;
    const text =
      kind.definition.unsupportedFieldText ??
      (hasOwnFields ? unsupportedLabelText : unknownFieldText);
    const version = kind.version(request.version);
    this.version = version;
    checkFieldSelector(fields, version.selectableFieldNames, (field) =>
      text(field, version.groupVersion),
    );
    this.#fieldNames = version.fieldNames;
    this.#matchesLabels = labels.requirements.length === 0 ? undefined : labelMatcher(labels);
    this.#matchesFields = fields.terms.length === 0 ? undefined : fieldMatcher(fields);
    const { namespaced } = kind.definition;
    const ofNamespace = namespaced ? requiredValue(fields, 'metadata.namespace') : undefined;
    this.namespace = namespace === '' ? (ofNamespace ?? '') : namespace;
    this.name = requiredValue(fields, 'metadata.name');
    this.range = this.#rangeOf(namespaced);
    this.fieldValue = indexedValue(kind, version, fields);
    this.label = requiredLabel(labels);
    const texts = [namespace, formatLabelSelector(labels), formatFieldSelector(fields)];
    // The version is part of the text, because its answers differ in their bytes.
    this.canonicalText = JSON.stringify([version.index, ...texts]);
  }

  get selectsAll(): boolean {
    return this.#matchesLabels === undefined && this.#matchesFields === undefined;
  }

  /** Whether the object is in the namespace and matches both selectors. */
  matches(object: Selectable): boolean {
    if (this.namespace !== '') {
      const { key } = object;
      const length = this.namespace.length;
      if (key.charCodeAt(length) !== 0x2f || !key.startsWith(this.namespace)) return false;
    }
    return this.matchesSelectors(object);
  }

  /** As `matches`, for an object that is known to be in the namespace. */
  matchesSelectors(object: Selectable): boolean {
    if (this.#matchesLabels?.(object.labels) === false) return false;
    return this.#matchesFields?.((name) => this.#field(object, name)) !== false;
  }

  #rangeOf(namespaced: boolean): KeyRange {
    const { namespace, name } = this;
    if (name !== undefined && (!namespaced || namespace !== '')) {
      const key = namespaced ? `${namespace}/${name}` : name;
      return { from: key, to: afterKey(key) };
    }
    return namespace === '' ? ALL_KEYS : keysOfNamespace(namespace);
  }

  #field(object: Selectable, name: string): string {
    const [namespace, objectName] = splitKey(object.key);
    if (name === 'metadata.name') return objectName;
    if (name === 'metadata.namespace') return namespace;
    return object.fields[this.#fieldNames.indexOf(name)] ?? '';
  }
}

function indexedValue(
  kind: ResourceType,
  version: ServedVersion,
  fields: FieldSelector,
): FieldValue | undefined {
  for (const position of kind.indexedPositions) {
    const value = requiredValue(fields, version.fieldNames[position] ?? '');
    if (value !== undefined) return { position, value };
  }
  return undefined;
}
