/** Commands for somebody who has just started the server: lines for a POSIX shell. */
import type { Dialect } from '../../semantics/dialect/dialect.ts';

/** The ways in which clients on this machine reach the server. */
export interface Reach {
  readonly apiDomain: Dialect['domain'];
  /** `http://127.0.0.1:8080`; '' when HTTP is off. */
  readonly http: string;
  /** '' when HTTPS is off. */
  readonly https: string;
  /** Absolute paths. */
  readonly kubeconfig: string;
  readonly tokenFile: string;
  /** The server's own authority; '' with a given certificate, which may have another signer. */
  readonly authorityFile: string;
}

/** Words that every shell takes as they are. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The text as one word of a command. */
export function shellQuote(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The kubeconfig first, then commands that can be run as they stand, one by one. */
export function firstCommands(reach: Reach): readonly string[] {
  return [`export KUBECONFIG=${shellQuote(reach.kubeconfig)}`, ...commands(reach)];
}

function commands(reach: Reach): readonly string[] {
  // Without HTTPS the command line client would not send its token.
  if (reach.apiDomain === 'k8s.io' && reach.https !== '') {
    return [
      'kubectl get namespaces',
      'kubectl create configmap hello --from-literal=a=b',
      'kubectl get configmaps -w',
    ];
  }
  const address = reach.http === '' ? reach.https : reach.http;
  const trust = reach.authorityFile === '' ? '-k' : `--cacert ${shellQuote(reach.authorityFile)}`;
  const isPlain = reach.http !== '';
  const token = `-H "Authorization: Bearer $(cat ${shellQuote(reach.tokenFile)})"`;
  const curl = `curl ${isPlain ? '' : `${trust} `}${token}`;
  const url = (path: string): string => shellQuote(`${address}/api/v1/${path}`);
  const configMap = '{"metadata":{"name":"hello"},"data":{"a":"b"}}';
  const json = "-H 'Content-Type: application/json'";
  return [
    `${curl} ${url('namespaces')}`,
    `${curl} ${json} -d '${configMap}' ${url('namespaces/default/configmaps')}`,
    `${curl} -N ${url('configmaps?watch=true')}`,
  ];
}
