/**
 * How the objects of a defined kind are converted between versions
 * (README.md#custom-resource-definitions).
 */
import type { CustomResourceConversion } from '#messages/apiextensions.v1';
import { appendAll } from '../../base/append-all.ts';
import {
  fieldForbidden,
  notSupported,
  required,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import {
  checkReviewVersions,
  checkWebhookClient,
} from '../admissionregistration/webhook-client.ts';
import { lenient } from './lenience.ts';

const STRATEGIES = ['None', 'Webhook'] as const;

/** Adds the problems of a conversion at the path `field`, by the reference's internal names. */
export function checkConversion(
  { strategy = '', webhook }: CustomResourceConversion,
  field: string,
  errors: FieldError[],
): void {
  if (strategy === '') errors.push(required(`${field}.strategy`));
  else if (!STRATEGIES.some((one) => one === strategy)) {
    errors.push(notSupported(`${field}.strategy`, strategy, STRATEGIES));
  }
  const { clientConfig, conversionReviewVersions = [] } = webhook ?? {};
  const clientField = `${field}.webhookClientConfig`;
  const versionsField = `${field}.conversionReviewVersions`;
  if (strategy === 'Webhook') {
    if (clientConfig === undefined) {
      errors.push(required(clientField, 'required when strategy is set to Webhook'));
    } else {
      checkWebhookClient(clientConfig, clientField, errors);
    }
    const versionErrors: FieldError[] = [];
    checkReviewVersions(conversionReviewVersions, versionsField, '', versionErrors);
    // The error of the list as a whole: it needs one version that this server knows.
    appendAll(
      errors,
      versionErrors.map((error) =>
        error.field === versionsField && conversionReviewVersions.length > 0
          ? lenient(error, 'reviewVersions')
          : error,
      ),
    );
    return;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (clientConfig !== undefined) errors.push(fieldForbidden(clientField, detail));
  if (conversionReviewVersions.length > 0) errors.push(fieldForbidden(versionsField, detail));
}
