/** One object as YAML: with the owners of its fields, and to be changed. */
import { useEffect, useState } from 'preact/hooks';
import { parse, stringify } from 'yaml';
import { fieldPlaces, lineOfCause, ownersByLine } from './fields.ts';
import { html, type View } from './html.ts';
import type { Route } from './route.ts';
import { address } from './route.ts';
import type { ApiObject, Cause } from './documents.ts';
import { RequestError, type Server } from './server.ts';
import { pathOfObject, pathOfType, type ApiType } from './types.ts';

const MANAGER = 'fieldManager=shardplane-page';
/** Before an object is read again whose watch has ended. */
const RETRY_MS = 1_000;
const TO_THE_END = { lineWidth: 0 };

interface Outcome {
  readonly text: string;
  readonly isRefusal: boolean;
  readonly causes: readonly Cause[];
}

const NO_OUTCOME: Outcome = { text: '', isRefusal: false, causes: [] };

function outcomeOf(error: unknown): Outcome {
  const causes = error instanceof RequestError ? error.causes : [];
  return { text: (error as Error).message, isRefusal: true, causes };
}

/** The object, kept as the server has it by a watch; `reread` asks again. */
function useObject(server: Server, path: string, watchPath: string) {
  const [object, setObject] = useState<ApiObject | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let end = (): void => undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      if (!isOver) server.json<ApiObject>(path).then(follow, setError);
    };
    const follow = (found: ApiObject): void => {
      if (isOver) return;
      setError(undefined);
      setObject(found);
      const version = found.metadata?.resourceVersion ?? '';
      end = server.watch(
        `${watchPath}&resourceVersion=${version}`,
        ({ type, object: changed }) => {
          if (type === 'DELETED') setGone(true);
          if (type === 'ADDED' || type === 'MODIFIED') {
            setGone(false);
            setObject(changed);
          }
        },
        () => {
          timer = setTimeout(read, RETRY_MS);
        },
      );
    };
    read();
    return () => {
      isOver = true;
      clearTimeout(timer);
      end();
    };
  }, [server, path]);
  return { object, error, isGone };
}

interface OfObject {
  readonly server: Server;
  readonly route: Route;
  readonly type: ApiType;
}

export function ObjectView({ server, route, type }: OfObject): View {
  const { name, objectNamespace } = route;
  const path = pathOfObject(type, objectNamespace, name);
  const selector = new URLSearchParams({ watch: 'true', fieldSelector: `metadata.name=${name}` });
  const watchPath = `${pathOfType(type, objectNamespace)}?${selector}`;
  const { object, error, isGone } = useObject(server, path, watchPath);
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const [outcome, setOutcome] = useState(NO_OUTCOME);
  const send = async (text: string, isDry: boolean): Promise<void> => {
    try {
      const query = `${MANAGER}&fieldValidation=Strict${isDry ? '&dryRun=All' : ''}`;
      await server.json(`${path}?${query}`, putOf(text, object));
      setOutcome({ ...NO_OUTCOME, text: isDry ? 'The server takes it.' : 'Saved.' });
      if (!isDry) setDraft(undefined);
    } catch (refusal) {
      setOutcome(outcomeOf(refusal));
    }
  };
  const text = object === undefined ? '' : textOf(object);
  const begin = (): void => {
    setOutcome(NO_OUTCOME);
    setDraft(text);
  };
  return html`<section class="object" aria-label=${`${type.kind} ${name}`}>
    <div class="bar">
      <h2>${objectNamespace === '' ? name : `${objectNamespace}/${name}`}</h2>
      <span class="state" role="status">${isGone ? 'deleted' : ''}</span>
      ${
        draft === undefined
          ? html`<button onClick=${begin} disabled=${object === undefined}>Edit</button>`
          : html`<button onClick=${() => void send(draft, true)}>Check</button>
              <button class="main" onClick=${() => void send(draft, false)}>Save</button>
              <button onClick=${() => setDraft(undefined)}>Cancel</button>`
      }
      <a class="button" href=${address({ ...route, name: '', objectNamespace: '' })}>Close</a>
    </div>
    ${error !== undefined && html`<p class="refused" role="alert">${error.message}</p>`}
    ${
      draft === undefined
        ? html`<${Said} outcome=${outcome} /> <${Owned} text=${text} object=${object} />`
        : html`<${Editor} text=${draft} set=${setDraft} outcome=${outcome} />`
    }
  </section>`;
}

/** Owners are shown beside the fields, not as one. */
function textOf(object: ApiObject): string {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  return stringify({ ...object, metadata }, TO_THE_END);
}

/** Throws where the text is no YAML. */
function putOf(text: string, object: ApiObject | undefined): RequestInit {
  const edited = parse(text) as ApiObject;
  const managedFields = object?.metadata?.managedFields;
  const metadata = { ...edited.metadata, ...(managedFields && { managedFields }) };
  return {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...edited, metadata }),
  };
}

function Owned({ text, object }: { text: string; object: ApiObject | undefined }): View {
  if (object === undefined) return null;
  const owners = ownersByLine(fieldPlaces(text), object.metadata?.managedFields ?? []);
  const lines = text.trimEnd().split('\n');
  return html`<div class="yaml" tabindex="0" aria-label="YAML">
    ${lines.map(
      (line, at) =>
        html`<code>${line}</code><span class="owner">${(owners.get(at) ?? []).join(', ')}</span>`,
    )}
  </div>`;
}

function Said({ outcome }: { readonly outcome: Outcome }): View {
  if (outcome.text === '') return null;
  return html`<p class=${outcome.isRefusal ? 'refused' : 'done'} role="alert">${outcome.text}</p>`;
}

const EDITOR_LINE_PX = 20;

/** A text with what the server says beside the lines that it means. */
function Editor({
  text,
  set,
  outcome,
}: {
  readonly text: string;
  readonly set: (text: string) => void;
  readonly outcome: Outcome;
}): View {
  const [top, setTop] = useState(0);
  const places = outcome.causes.length === 0 ? [] : fieldPlaces(text);
  const marks = outcome.causes.map((cause) => ({ cause, line: lineOfCause(places, cause) }));
  const lines = text.split('\n');
  const mark = ({ line }: { readonly line: number | undefined }) =>
    line !== undefined && html`<i style=${{ top: `${line * EDITOR_LINE_PX}px` }}></i>`;
  const select = (event: Event, line: number): void => {
    const area = (event.target as Element).closest('.editor')?.querySelector('textarea');
    const from = lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0);
    area?.focus();
    area?.setSelectionRange(from, from + (lines[line] ?? '').length);
  };
  return html`<div class="editor">
    <${Said} outcome=${outcome} />
    <ul class="causes">
      ${marks.map(
        ({ cause, line }) =>
          html`<li>
            <button
              class="link"
              disabled=${line === undefined}
              onClick=${(event: Event) => select(event, line ?? 0)}
            >
              ${line === undefined ? '' : `line ${line + 1}: `}${cause.field}
            </button>
            ${' '}${cause.message}
          </li>`,
      )}
    </ul>
    <div class="lines">
      <div class="marks" aria-hidden="true">
        <div style=${{ transform: `translateY(${-top}px)` }}>${marks.map(mark)}</div>
      </div>
      <textarea
        spellcheck=${false}
        wrap="off"
        aria-label="YAML"
        value=${text}
        onScroll=${(event: Event) => setTop((event.target as Element).scrollTop)}
        onInput=${(event: InputEvent) => set((event.target as HTMLTextAreaElement).value)}
      ></textarea>
    </div>
  </div>`;
}

const EXAMPLE = `apiVersion: v1
kind: ConfigMap
metadata:
  name: hello
  namespace: default
data:
  a: b
`;

/** A manifest that is applied, whether or not the object is there. */
export function NewObject({
  server,
  types,
}: {
  readonly server: Server;
  readonly types: readonly ApiType[];
}): View {
  const [text, setText] = useState(EXAMPLE);
  const [outcome, setOutcome] = useState(NO_OUTCOME);
  const apply = async (isDry: boolean, isForced: boolean): Promise<void> => {
    try {
      const path = pathOfManifest(text, types);
      const query = `${MANAGER}${isForced ? '&force=true' : ''}${isDry ? '&dryRun=All' : ''}`;
      await server.json(`${path}?${query}&fieldValidation=Strict`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/apply-patch+yaml' },
        body: text,
      });
      setOutcome({ ...NO_OUTCOME, text: isDry ? 'The server takes it.' : 'Applied.' });
    } catch (refusal) {
      setOutcome(outcomeOf(refusal));
    }
  };
  return html`<section class="object" aria-label="Apply a manifest">
    <div class="bar">
      <h2>Apply a manifest</h2>
      <button onClick=${() => void apply(true, false)}>Check</button>
      <button class="main" onClick=${() => void apply(false, false)}>Apply</button>
      <button onClick=${() => void apply(false, true)}>Apply, and take fields over</button>
    </div>
    <${Editor} text=${text} set=${setText} outcome=${outcome} />
  </section>`;
}

/** Throws where it is no YAML, or of a kind that the server does not list. */
function pathOfManifest(text: string, types: readonly ApiType[]): string {
  const { apiVersion = '', kind = '', metadata = {} } = (parse(text) ?? {}) as ApiObject;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const type = types.find(
    (one) => one.kind === kind && (one.groupVersion.split('/', 2).at(-2) ?? '') === group,
  );
  if (type === undefined) throw new Error(`the server has no ${kind} of ${apiVersion}`);
  const { name = '', namespace = 'default' } = metadata;
  if (name === '') throw new Error('the manifest has no metadata.name');
  return pathOfObject({ ...type, groupVersion: apiVersion }, namespace, name);
}
