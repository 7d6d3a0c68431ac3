import type { Life } from '../../src/release/life.ts';

/**
 * Differences between two refusals that may stay, and the texts by which refusals are told apart.
 */
export interface AcceptedDifference extends Life {
  /** The `<groupVersion> <kind>`; every kind when not given. */
  readonly kinds?: RegExp;
  /** The request: `create`, `patch strategic status`; every request when not given. */
  readonly requests?: RegExp;
  /** The origin of the request, such as the place and the value of a leaf; any when not given. */
  readonly origins?: RegExp;
  /** The line that tells the difference, our server left of its arrow. */
  readonly differences: RegExp;
  readonly reason: string;
}

/** Words of a decoder, of JSON or YAML. */
export const DECODING =
  /json: |cannot be handled as a|couldn't get version\/kind|yaml: |YAML|is unrecognized|is registered for version|is no text|UTF-8|does not match the expected API version/;

const OPTION_NAMES =
  'dryRun|propagationPolicy|orphanDependents|resourceVersionMatch|sendInitialEvents|fieldManager|force';

/** Refusals by what they are about, as a line of difference tells them. */
export const REFUSAL = {
  unicode: String.raw`400 \(BadRequest: the body is not valid (Unicode|UTF)`,
  decoding: String.raw`(400|500) \(\w*: .*(${DECODING.source})`,
  optionNames: OPTION_NAMES,
  options: String.raw`422 \((${OPTION_NAMES}): `,
  emptyDryRun: String.raw`422 \(dryRun: Unsupported value: (\[\]string\{|\[)`,
  listOptions: String.raw`(400|500) \(\w*: (unable to parse requirement|invalid selector|found |"…" is not a known field|field label |strconv\.Parse|invalid continue token|(resourceVersion: )?[Ii]nvalid (value|resource version))`,
  cause: String.raw`422 \([a-zA-Z][\w.[\]]*: (Required|Invalid|Unsupported|Forbidden|Too|Duplicate)`,
  name: String.raw`400 \(BadRequest: (the name(space)? of the |Name parameter )`,
  typed: String.raw`500 \(: failed to (create typed|convert new)`,
  binding: String.raw`500 \(: \[?target\.`,
} as const;

/** Both refuse, each for its own one of several mistakes. */
function refusedForOther(
  ours: string,
  theirs: string,
  reason: string,
  requests?: RegExp,
): AcceptedDifference {
  const differences = new RegExp(`^code ${ours}.* → ${theirs}`, 's');
  return { differences, reason, ...(requests !== undefined && { requests }) };
}

/** A request with several mistakes, of which each server tells another one. */
export const REFUSED_BY_BOTH: readonly AcceptedDifference[] = [
  refusedForOther(
    REFUSAL.unicode,
    '(4..|500) ',
    'both refuse: what is no Unicode is told before anything else',
  ),
  refusedForOther(
    REFUSAL.options,
    `(${REFUSAL.decoding}|${REFUSAL.listOptions})`,
    'both refuse: the options of the request are checked before its body and its list',
  ),
  refusedForOther(
    `(${REFUSAL.cause}|${REFUSAL.name})`,
    REFUSAL.binding,
    'bug of the reference: what is wrong in a Binding is a mistake of the client, not 500',
    /^create/,
  ),
  refusedForOther(
    REFUSAL.typed,
    REFUSAL.decoding,
    'both refuse: a member that comes twice is told by the decoder there, before its schema',
    /^apply/,
  ),
  refusedForOther(
    '(400 \\(BadRequest: resourceVersion: Invalid|504 )',
    '404 \\(NotFound: \\w+/scale',
    'both refuse: the reference looks for the object of a scale before its version',
    /^get/,
  ),
  refusedForOther(
    '400 \\(BadRequest: the namespace of the provided',
    '(4..|500) \\(',
    'both refuse: a namespace that is not that of the request is told first',
    /^create/,
  ),
  refusedForOther(
    '422 \\(spec\\.resourceAttributes\\.namespace: ',
    '400 \\(BadRequest: spec\\.resourceAttributes\\.namespace must match',
    'both refuse: a review for another namespace than that of the request',
    /^create/,
  ),
  refusedForOther(
    '400 \\(BadRequest: the name of the object .* does not match the name on the URL',
    '409 \\(\\.',
    'both refuse: a name that is not that of the URL is told before conflicts',
    /^apply/,
  ),
  refusedForOther(
    '400 \\(BadRequest: .*cannot unmarshal number NeN',
    REFUSAL.cause,
    'both refuse: a number with an exponent is no whole number, in YAML too',
  ),
  refusedForOther(
    '404 \\(NotFound: pods ',
    REFUSAL.name,
    'both refuse: a Binding for a Pod whose name no Pod can have',
    /^create/,
  ),
  refusedForOther(
    '409 \\(Conflict: .*Precondition failed: UID',
    '400 \\(BadRequest: the namespace of the object',
    'both refuse: a wrong uid is told before a wrong namespace',
    /^update/,
  ),
  {
    requests: /^deletecollection/,
    differences: new RegExp(
      '^status message strconv\\.Parse\\w+: .* → ' +
        '(invalid selector|unable to parse requirement|found |field label )',
    ),
    reason: 'both refuse: of wrong options each server tells another one first',
  },
  refusedForOther(
    '400 \\(BadRequest: strconv\\.Parse',
    REFUSAL.options,
    'both refuse: of wrong options each server tells another one first',
  ),
];
