/** YAML files of the operator: settings, policies, kubeconfigs. They are read as YAML 1.2. */
import { parse } from 'yaml';
import { refuseDeepYaml, YamlError } from './yaml-document.ts';

/**
 * What a text says. Throws YamlError for what is no YAML, in one line: what follows the first line
 * of the package's messages quotes the file, in which secrets may stand.
 */
export function operatorYaml(text: string): unknown {
  refuseDeepYaml(text);
  try {
    return parse(text);
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n');
    throw new YamlError(why.replace(/:$/, ''));
  }
}
