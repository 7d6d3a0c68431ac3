/** YAML files of the operator: settings, policies, kubeconfigs. They are read as YAML 1.2. */
import { composeYaml, refuseSecondDocument, YamlError } from './yaml-document.ts';
import { yamlPackage } from './yaml-package.ts';

/** The value of the one document of a text. Throws YamlError, in one line that quotes nothing. */
export function operatorYaml(text: string): unknown {
  refuseSecondDocument(text);
  const { document } = composeYaml(text, { prettyErrors: false });
  if (document === undefined) return null;
  const { isCollection, visit } = yamlPackage();
  // The package writes a key that is a collection as text, with all keys inside it, which can grow
  // without bound.
  visit(document, {
    Pair: (_, { key }) => {
      if (isCollection(key)) throw new YamlError('yaml: keys must be texts');
    },
  });
  try {
    return document.toJS();
  } catch (error) {
    // The package has refused aliases that grow without bound by now.
    throw new YamlError(`yaml: ${(error as Error).message}`);
  }
}
