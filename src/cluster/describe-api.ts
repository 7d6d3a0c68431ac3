/** Makes the documents of built-in types, from what the build has made of `proto/`. */
import { readBuilt } from '../base/built-files.ts';
import type { Descriptions } from '../codec/model/proto-descriptions.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { Config } from '../config/config.ts';
import type { DocumentMessages } from '../front/openapi/binary-document.ts';
import { packedDocuments } from '../front/openapi/packed-documents.ts';
import { KINDS } from '../resources/registry.ts';
import { VIRTUAL_KINDS } from '../resources/virtual-kinds.ts';
import { enabledTypes } from '../types/runtime-config.ts';
import { servedTypes } from '../types/served-types.ts';

export interface DescriptionJob extends Pick<Config, 'apiDomain' | 'runtimeConfig'> {
  readonly buildDir: string;
}

/** In the names of the dialect that was chosen before. */
export function describeApi({ buildDir, runtimeConfig }: Omit<DescriptionJob, 'apiDomain'>) {
  return packedDocuments({
    types: enabledTypes(servedTypes(KINDS), runtimeConfig),
    virtualKinds: VIRTUAL_KINDS,
    model: readBuilt<SchemaModel>(buildDir, 'schema.json'),
    descriptions: readBuilt<Descriptions>(buildDir, 'descriptions.json'),
    messages: readBuilt<DocumentMessages>(buildDir, 'openapi-messages.json'),
  });
}
