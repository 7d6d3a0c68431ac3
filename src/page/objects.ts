/** The browser of objects: types, lists, and one object. */
import { useState } from 'preact/hooks';
import { html, type View } from './html.ts';
import { rowKey, useLiveTable, type LiveTable } from './live-table.ts';
import { NewObject, ObjectView } from './object-view.ts';
import { LongList } from './parts.ts';
import { usePolled } from './polled.ts';
import { address, type Route } from './route.ts';
import type { ApiObject, TableRow } from './documents.ts';
import type { Server } from './server.ts';
import { listedTypes, type ApiType } from './types.ts';

const TYPES_POLL_MS = 10_000;
const LINE_PX = 26;
const ROWS_STEP = 2_000;

export function Objects({ server, route }: { server: Server; route: Route }): View {
  const { value: types = [], error } = usePolled(() => listedTypes(server), TYPES_POLL_MS, [
    server,
  ]);
  const chosen = types.find(({ id }) => id === route.type);
  const shown = { server, route, type: chosen };
  return html`<div class="browser">
    <${Types} types=${types} chosen=${route.type} error=${error} />
    ${chosen !== undefined && html`<${List} key=${chosen.id} ...${shown} />`}
    ${
      chosen !== undefined &&
      route.name !== '' &&
      html`<${ObjectView}
        key=${`${chosen.id}/${route.objectNamespace}/${route.name}`}
        ...${shown}
      />`
    }
    ${route.isNew && html`<${NewObject} server=${server} types=${types} />`}
  </div>`;
}

function Types({
  types,
  chosen,
  error,
}: {
  readonly types: readonly ApiType[];
  readonly chosen: string;
  readonly error?: Error;
}): View {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const found = types.filter(({ id, kind }) => {
    const text = `${id} ${kind}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const line = ({ id, kind }: ApiType) =>
    html`<a
      key=${id}
      role="listitem"
      class="line"
      href=${address({ type: id })}
      aria-current=${id === chosen ? 'true' : undefined}
      title=${id}
      >${kind} <small>${id}</small></a
    >`;
  return html`<nav class="types" aria-label="Types">
    <input
      type="search"
      placeholder="type ( / )"
      aria-label="Find a type"
      id="find-type"
      value=${wanted}
      onInput=${(event: InputEvent) => setWanted((event.target as HTMLInputElement).value)}
    />
    <small class="none"
      >${found.length} of ${types.length} types
      ${error !== undefined && html`<span class="refused">${error.message}</span>`}</small
    >
    <a class="button" href=${address({ type: chosen, isNew: true })}>Apply a manifest</a>
    <${LongList} items=${found} height=${LINE_PX} line=${line} label="Types" />
  </nav>`;
}

interface OfType {
  readonly server: Server;
  readonly route: Route;
  readonly type: ApiType;
}

function List({ server, route, type }: OfType): View {
  const [rowsMax, setRowsMax] = useState(ROWS_STEP);
  const [labelSelector, setLabels] = useState('');
  const [fieldSelector, setFields] = useState('');
  const options = { type, namespace: route.namespace, labelSelector, fieldSelector };
  const table = useLiveTable(server, options, rowsMax);
  return html`<section class="list" aria-label=${type.kind}>
    <form class="bar" onSubmit=${(event: Event) => event.preventDefault()}>
      <h2>${type.kind}</h2>
      ${type.isNamespaced && html`<${Namespace} route=${route} />`}
      <${Field} name="labels" hint="app=web,tier!=db" value=${labelSelector} set=${setLabels} />
      <${Field} name="fields" hint="metadata.name=x" value=${fieldSelector} set=${setFields} />
      <span class="state" role="status">${stateText(table)}</span>
      ${
        table.more !== 0 &&
        html`<button type="button" onClick=${() => setRowsMax(rowsMax + ROWS_STEP)}>more</button>`
      }
    </form>
    ${table.error !== undefined && html`<p class="refused" role="alert">${table.error.message}</p>`}
    <${TableRows} table=${table} route=${route} type=${type} />
  </section>`;
}

function stateText({ rows, more, isLive }: LiveTable): string {
  const beyond = more === undefined ? ' and more' : more > 0 ? ` of ${rows.length + more}` : '';
  const noun = rows.length + (more ?? 0) === 1 ? 'object' : 'objects';
  return `${rows.length}${beyond} ${noun}${isLive ? ', live' : ''}`;
}

function Namespace({ route }: { readonly route: Route }): View {
  const set = (namespace: string): void => {
    location.hash = address({ ...route, namespace, name: '', objectNamespace: '' });
  };
  return html`<${Field} name="namespace" hint="all" value=${route.namespace} set=${set} />`;
}

/** A text that counts when it is left or sent. */
function Field({
  name,
  hint,
  value,
  set,
}: {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly set: (value: string) => void;
}): View {
  const take = (event: Event): void => set((event.target as HTMLInputElement).value.trim());
  return html`<label>${name} <input placeholder=${hint} value=${value} onChange=${take} /></label>`;
}

function TableRows({
  table,
  route,
  type,
}: {
  readonly table: LiveTable;
  readonly route: Route;
  readonly type: ApiType;
}): View {
  const shown = table.columns.map(({ priority }) => priority === 0);
  const isOfAll = type.isNamespaced && route.namespace === '';
  const names = table.columns.filter((_, at) => shown[at]).map(({ name }) => name);
  const columns = `${isOfAll ? '12rem ' : ''}minmax(12rem, 2fr) ${'minmax(6rem, 1fr) '.repeat(
    Math.max(0, names.length - 1),
  )}`;
  const style = { gridTemplateColumns: columns };
  const cells = (row: TableRow) =>
    row.cells.filter((_, at) => shown[at]).map((cell) => html`<span>${cellText(cell)}</span>`);
  const line = (row: TableRow) =>
    html`<a
      key=${rowKey(row.object)}
      role="listitem"
      class="line row"
      style=${style}
      href=${addressOf(route, row.object)}
      aria-current=${isChosen(route, row.object) ? 'true' : undefined}
      >${isOfAll && html`<span>${row.object.metadata?.namespace}</span>`}${cells(row)}</a
    >`;
  const head = html`<div class="line row head" style=${style}>
    ${isOfAll && html`<span>Namespace</span>`}${names.map((name) => html`<span>${name}</span>`)}
  </div>`;
  return html`<${LongList}
    items=${table.rows}
    height=${LINE_PX}
    line=${line}
    head=${head}
    label=${type.kind}
  />`;
}

function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  return cell === null || cell === undefined ? '' : JSON.stringify(cell);
}

function addressOf(route: Route, { metadata = {} }: ApiObject): string {
  const { name = '', namespace: objectNamespace = '' } = metadata;
  return address({ type: route.type, namespace: route.namespace, name, objectNamespace });
}

function isChosen(route: Route, { metadata = {} }: ApiObject): boolean {
  return route.name === metadata.name && route.objectNamespace === (metadata.namespace ?? '');
}
