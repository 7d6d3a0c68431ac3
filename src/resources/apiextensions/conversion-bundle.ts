/** The authorities that the server of a conversion webhook is trusted by. */
import { X509Certificate } from 'node:crypto';
import type { CustomResourceDefinition } from '#messages/apiextensions.v1';
import { ownRelease } from '../../release/release.ts';
import { invalid, type FieldError } from '../../semantics/errors/field-error.ts';
import { isConditionTrue } from './definition-conditions.ts';

const CHECKS_BUNDLES = ownRelease().has('checkedConversionBundles');
const FIELD = 'spec.conversion.webhookClientConfig.caBundle';

/** Errors in the bundle of an established definition, unless its stored one is no better. */
export function bundleErrors(
  object: CustomResourceDefinition,
  stored: CustomResourceDefinition | undefined,
): FieldError[] {
  const bundle = bundleOf(object);
  const isEstablished = isConditionTrue(stored?.status?.conditions, 'Established');
  if (!CHECKS_BUNDLES || stored === undefined || bundle === '' || !isEstablished) return [];
  const before = bundleOf(stored);
  if (before !== '' && bundleProblem(before) !== '') return [];
  const problem = bundleProblem(bundle);
  return problem === '' ? [] : [invalid(FIELD, bundle, problem)];
}

function bundleOf({ spec }: CustomResourceDefinition): string {
  const { strategy, webhook } = spec?.conversion ?? {};
  return strategy === 'Webhook' ? (webhook?.clientConfig?.caBundle ?? '') : '';
}

const BLOCK = /-----BEGIN ([^\n]*)-----\n([^-]*)-----END \1-----\n?/y;

/** Why a bundle has no certificate; '' for one that has. */
function bundleProblem(bundle: string): string {
  const text = Buffer.from(bundle, 'base64').toString('latin1').replaceAll('\r\n', '\n');
  const blocks = blocksOf(text);
  const certificates = blocks.filter(({ type }) => type === 'CERTIFICATE');
  if (certificates.some(({ whole }) => isCertificate(whole))) return '';
  if (certificates.length > 0) {
    return `${PROBLEM}failed to parse certificate: x509: malformed certificate`;
  }
  const isRead = blocks.reduce((length, { whole }) => length + whole.length, 0) === text.length;
  return PROBLEM + (isRead ? 'no valid certificate authority data seen' : NO_BLOCK);
}

const PROBLEM = 'unable to load root certificates: ';
const NO_BLOCK = 'unable to parse bytes as PEM block';

function blocksOf(text: string): { type: string; whole: string }[] {
  const blocks: { type: string; whole: string }[] = [];
  for (let at = 0; at < text.length;) {
    at = text.indexOf('-----BEGIN ', at);
    if (at === -1) break;
    BLOCK.lastIndex = at;
    const [whole = '', type = ''] = BLOCK.exec(text) ?? [];
    if (whole !== '') blocks.push({ type, whole });
    at += Math.max(whole.length, 1);
  }
  return blocks;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
