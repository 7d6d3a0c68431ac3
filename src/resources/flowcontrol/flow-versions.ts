/**
 * The other versions of flow control, from and to v1beta2, in which it is stored
 * (README.md#flow-control).
 */
import type { PriorityLevelConfiguration as LevelV1 } from '#messages/flowcontrol.v1';
import type { PriorityLevelConfiguration } from '#messages/flowcontrol.v1beta2';
import { ownRelease } from '../../release/release.ts';
import { ownName } from '../../semantics/dialect/own-names.ts';
import type { ApiObject, KindVersion } from '../kind.ts';

/** With it a share of zero is meant, which is the default of 30 otherwise. */
export const KEEPS_ZERO = ownName(
  'flowcontrol.cluster.io/v1beta3-preserve-zero-concurrency-shares',
);
const SHARES_DEFAULT = 30;

export const SCHEMA_VERSIONS: readonly KindVersion[] = [
  { version: 'v1beta1' },
  { version: 'v1beta3', message: 'flowcontrol.v1.FlowSchema' },
  { version: 'v1', message: 'flowcontrol.v1.FlowSchema' },
];

export const LEVEL_VERSIONS: readonly KindVersion[] = [
  { version: 'v1beta1' },
  {
    version: 'v1beta3',
    message: 'flowcontrol.v1beta3.PriorityLevelConfiguration',
    toStored: (object) => toStored(withMeantZero(object)),
    fromStored: (object) => withZeroMarked(fromStored(object)),
  },
  {
    version: 'v1',
    message: 'flowcontrol.v1.PriorityLevelConfiguration',
    toStored,
    fromStored,
  },
];

function toStored(object: ApiObject): ApiObject {
  const { limited } = (object as LevelV1).spec ?? {};
  if (limited === undefined) return object;
  const { nominalConcurrencyShares, ...rest } = limited;
  const stored = object as PriorityLevelConfiguration;
  stored.spec = {
    ...stored.spec,
    limited: { assuredConcurrencyShares: nominalConcurrencyShares ?? 0, ...rest },
  };
  return object;
}

function fromStored(object: ApiObject): ApiObject {
  const { limited } = (object as PriorityLevelConfiguration).spec ?? {};
  if (limited === undefined) return object;
  const { assuredConcurrencyShares = 0, ...rest } = limited;
  const level = object as LevelV1;
  level.spec = {
    ...level.spec,
    limited: { nominalConcurrencyShares: assuredConcurrencyShares, ...rest },
  };
  return object;
}

/** The default of the shares, where no annotation says that zero is meant. */
function withMeantZero(object: ApiObject): ApiObject {
  const { metadata, spec } = object as LevelV1;
  const isMeant = metadata.annotations?.[KEEPS_ZERO] !== undefined && marksZero();
  if (isMeant) {
    const { [KEEPS_ZERO]: _mark, ...annotations } = metadata.annotations ?? {};
    metadata.annotations = annotations;
  } else if (spec?.limited !== undefined) {
    spec.limited.nominalConcurrencyShares ||= SHARES_DEFAULT;
  }
  return object;
}

function withZeroMarked(object: ApiObject): ApiObject {
  const { metadata, spec } = object as LevelV1;
  if (marksZero() && spec?.limited?.nominalConcurrencyShares === 0) {
    metadata.annotations = { ...metadata.annotations, [KEEPS_ZERO]: '' };
  }
  return object;
}

function marksZero(): boolean {
  return ownRelease().has('zeroConcurrencyShares');
}
