/** Finds what the server would refuse or drop among the members of an object. */
import { compileJsonCodec, type JsonCodec } from '../codec/json/json-codec.ts';
import { DecodeError } from '../codec/json/go-errors.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import { compileStrictCheck, type StrictCheck } from '../codec/json/strict-check.ts';
import type { CheckMembers } from './convert.ts';

/** By the messages of a model. */
export function memberChecks(model: SchemaModel): CheckMembers {
  const compiled = new Map<string, { codec: JsonCodec; strictProblems: StrictCheck }>();
  return ({ message, groupVersion }, object) => {
    if (message === undefined) return { isReadable: true, problems: [] };
    const { codec, strictProblems } = compiled.get(message) ?? {
      codec: compileJsonCodec(model, message, 'null'),
      strictProblems: compileStrictCheck(model, message),
    };
    compiled.set(message, { codec, strictProblems });
    const text = JSON.stringify(object);
    try {
      codec.decode(text);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { isReadable: false, problems: [error.message] };
    }
    const problems = strictProblems(text).map((problem) =>
      problem.replace(/^unknown field "(.*)"$/, (_, path) => `${path} is not in ${groupVersion}`),
    );
    return { isReadable: true, problems };
  };
}
