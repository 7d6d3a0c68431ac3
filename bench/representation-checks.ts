/** Whether a server answers in the form that it is asked for: figures mean nothing otherwise. */
import type { Bench } from './bench.ts';
import {
  acceptFor,
  acceptsGzip,
  FORMS,
  mediaTypeFor,
  pathFor,
  type FormName,
} from './representation-forms.ts';

/** Shorter answers are not packed. */
const PACKED_BYTES_MIN = 128 * 1024;
const METADATA_ONLY = 'PartialObjectMetadata';

/** Throws unless an answer says that it is of the form. It is read to its end. */
export async function expectForm(
  bench: Bench,
  form: FormName,
  path: string,
  isList = false,
): Promise<void> {
  const { domain } = bench;
  const accept = acceptFor(form, domain, isList);
  const headers = { accept, 'accept-encoding': acceptsGzip(form) ? 'gzip' : 'identity' };
  const response = await bench.fetch(pathFor(form, path), { headers });
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  const encoding = response.headers.get('content-encoding') ?? '';
  const isPackable = acceptsGzip(form) && body.length > PACKED_BYTES_MIN;
  const isRight =
    response.status === 200 &&
    type.startsWith(mediaTypeFor(form, domain)) &&
    encoding === (isPackable ? 'gzip' : '') &&
    holdsForm(body, form);
  if (isRight) return;
  throw new Error(`${form} of ${path} is answered ${response.status} in ${type} ${encoding}`);
}

/** The kind of a document stands in it as text, in all encodings. */
function holdsForm(body: Buffer, form: FormName): boolean {
  const asked = FORMS[form];
  if ('as' in asked) return body.includes(asked.as);
  return body.includes('ConfigMap') && !body.includes(METADATA_ONLY);
}
