/** Makes the documents of built-in types, from what the build has made of `proto/`. */
import { readBuilt } from '../base/built-files.ts';
import type { Descriptions } from '../codec/model/proto-descriptions.ts';
import type { Config } from '../config/config.ts';
import type { DocumentMessages } from '../front/openapi/binary-document.ts';
import { packedDocuments } from '../front/openapi/packed-documents.ts';
import { enabledApi } from '../types/runtime-config.ts';
import { readModel } from './read-model.ts';

export interface DescriptionJob extends Pick<
  Config,
  'apiDomain' | 'release' | 'runtimeConfig' | 'featureGates'
> {
  readonly buildDir: string;
}

/** In the names of the dialect and for the release that were chosen before. */
export function describeApi({
  buildDir,
  ...served
}: Omit<DescriptionJob, 'apiDomain' | 'release'>) {
  return packedDocuments({
    ...enabledApi(served),
    model: readModel(buildDir),
    descriptions: readBuilt<Descriptions>(buildDir, 'descriptions.json'),
    messages: readBuilt<DocumentMessages>(buildDir, 'openapi-messages.json'),
  });
}
