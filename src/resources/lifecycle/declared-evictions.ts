/** Checks declared rules of evictions and requests for them (README.md#rules). */
import { trimEndOf } from '../../base/text/trim-end.ts';
import { ownDialect, ownDomain } from '../../semantics/dialect/own-names.ts';
import { dnsSubdomain, qualifiedName } from '../../semantics/metadata/names.ts';
import {
  among,
  immutable,
  keyedItems,
  maximum,
  maxItems,
  maxLength,
  message,
  minimum,
  monotonic,
  notCleared,
  notModified,
  oneOf,
  optional,
  present,
  requiredValue,
  rules,
  textForm,
  withMembers,
} from '../../semantics/validation/declared-rules.ts';

const REQUESTERS_MAX = 100;
const CONDITIONS_MAX = 100;
export const RESPONDERS_MAX = 11;
const PRIORITY_MAX = 100_000;
const MESSAGE_MAX = 4000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NO_UUID = ['must be a lowercase UUID in 8-4-4-4-12 format'];
const NO_PREFIX = ["must include a prefix (e.g. 'example.com/key')"];
/** In these the system names what is its own. */
const RESERVED_DOMAINS = [...new Set([ownDialect().domain, ownDomain('cluster.io')])];
const RESERVED = [
  `domain names ${RESERVED_DOMAINS.map((domain) => `*.${domain}`).join(', ')} are reserved`,
];

function uuid(text: string): readonly string[] {
  return UUID.test(text) ? [] : NO_UUID;
}

/** A qualified name that has a domain. */
function prefixedName(text: string): readonly string[] {
  const problems = qualifiedName(text);
  return problems.length === 0 && !text.includes('/') ? NO_PREFIX : problems;
}

function unreservedName(text: string): readonly string[] {
  const [prefix = ''] = text.split('/', 1);
  const domain = trimEndOf(prefix.toLowerCase().trim(), '.');
  const isReserved = RESERVED_DOMAINS.some((one) => domain === one || domain.endsWith(`.${one}`));
  return isReserved ? RESERVED : [];
}

const NAME = rules([requiredValue], textForm(prefixedName));
const INTENT = rules([requiredValue], among('Eviction', 'Withdrawn'));
const FIXED_TIME = rules([optional, notCleared, notModified]);
const CONDITIONS = rules([maxItems(CONDITIONS_MAX)]);
const OBSERVED_GENERATION = rules([optional, notCleared], minimum(1), monotonic);

const POD = message({
  name: rules([requiredValue], textForm(dnsSubdomain)),
  uid: rules([requiredValue], textForm(uuid)),
});
const TARGET = rules([immutable], message({ pod: rules([optional], POD) }, oneOf('pod')));

export const EVICTION_REQUEST_RULES = message({
  spec: message({
    target: TARGET,
    requester: rules([immutable, requiredValue], textForm(unreservedName), textForm(prefixedName)),
    intent: INTENT,
  }),
  status: message({ conditions: CONDITIONS, observedGeneration: OBSERVED_GENERATION }),
});

const REQUESTER = message({ name: NAME, intent: INTENT });

const TARGET_RESPONDER = message({
  name: NAME,
  priority: rules([present, notCleared, notModified], maximum(PRIORITY_MAX), minimum(0)),
  state: rules(
    [requiredValue],
    among('Active', 'Canceled', 'Completed', 'Inactive', 'Interrupted'),
  ),
});

const RESPONDER_STATUS = message({
  name: NAME,
  startTime: FIXED_TIME,
  completionTime: FIXED_TIME,
  message: rules([optional], maxLength(MESSAGE_MAX)),
});

export const EVICTION_RULES = message({
  spec: message({ target: TARGET }),
  status: message({
    conditions: CONDITIONS,
    observedGeneration: OBSERVED_GENERATION,
    requesters: rules(
      [maxItems(REQUESTERS_MAX), optional],
      keyedItems('name', REQUESTER, withMembers({ name: '', intent: '' })),
    ),
    targetResponders: rules(
      [maxItems(RESPONDERS_MAX), optional],
      keyedItems('name', TARGET_RESPONDER, withMembers({ name: '', priority: null, state: '' })),
    ),
    responders: rules(
      [maxItems(RESPONDERS_MAX), optional],
      keyedItems('name', RESPONDER_STATUS, withMembers({ name: '' })),
    ),
  }),
});
