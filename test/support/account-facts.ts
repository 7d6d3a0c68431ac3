/** Accounts, Secrets and pods that tests say there are. */
import type {
  AccountFacts,
  ObjectFacts,
  OwnerFacts,
  SecretFacts,
} from '../../src/auth/authentication/account-facts.ts';

export class FakeAccountFacts implements AccountFacts {
  /** By namespace and name, with a slash between. */
  readonly accounts = new Map<string, OwnerFacts>();
  readonly secrets = new Map<string, SecretFacts>();
  readonly pods = new Map<string, ObjectFacts>();
  readonly nodes = new Map<string, ObjectFacts>();
  /** Secrets that were noted as used, in this order. */
  readonly used: string[] = [];

  account(namespace: string, name: string): OwnerFacts | undefined {
    return this.accounts.get(`${namespace}/${name}`);
  }

  secret(namespace: string, name: string): SecretFacts | undefined {
    return this.secrets.get(`${namespace}/${name}`);
  }

  /** Pods have to be asked for. */
  async pod(namespace: string, name: string): Promise<ObjectFacts | undefined> {
    return this.pods.get(`${namespace}/${name}`);
  }

  node(name: string): ObjectFacts | undefined {
    return this.nodes.get(name);
  }

  async noteUsed(namespace: string, name: string, day: string): Promise<void> {
    this.used.push(`${namespace}/${name} ${day}`);
  }

  putSecret(key: string, type: string, data: Record<string, string>, deletedMs?: number): void {
    const encoded = Object.entries(data).map(([name, text]) => [
      name,
      Buffer.from(text).toString('base64'),
    ]);
    this.secrets.set(key, {
      uid: 's-1',
      type,
      data: Object.fromEntries(encoded),
      ...(deletedMs !== undefined && { deletedMs }),
    });
  }
}
