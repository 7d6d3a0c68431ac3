/** The page at `/`: signs in, and shows the view that its address names. */
import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { html, type View } from './html.ts';
import { Objects } from './objects.ts';
import { Overview } from './overview.ts';
import { readRoute, type Route } from './route.ts';
import { isKnown, keepToken, keptToken, Server } from './server.ts';

const UNKNOWN = 'The server does not know this token.';
const CERTIFICATE_KEY = 'shardplane-by-certificate';

const root = document.querySelector<HTMLElement>('#app');
const about = document.querySelector<HTMLElement>('#about');
const domain = root?.dataset['apiDomain'] ?? 'k8s.io';

function useRoute(): Route {
  const [route, setRoute] = useState(readRoute(location.hash));
  useEffect(() => {
    const take = (): void => setRoute(readRoute(location.hash));
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return route;
}

/** Who the tab has signed in as; undefined where nobody is. */
function usePass() {
  const byCertificate = sessionStorage.getItem(CERTIFICATE_KEY) !== null;
  const kept = keptToken();
  return useState<string | undefined>(kept === '' && !byCertificate ? undefined : kept);
}

function Page(): View {
  const route = useRoute();
  const [token, setToken] = usePass();
  const [refusal, setRefusal] = useState('');
  const signOut = (why: string): void => {
    keepToken('');
    sessionStorage.removeItem(CERTIFICATE_KEY);
    setRefusal(why);
    setToken(undefined);
  };
  const server = useMemo(() => new Server(domain, token ?? '', () => signOut(UNKNOWN)), [token]);
  useKeys();
  if (about !== null) about.hidden = token !== undefined;
  if (token === undefined) {
    const take = async (given: string): Promise<void> => {
      if (given !== '' && !(await isKnown(given))) {
        setRefusal(UNKNOWN);
        return;
      }
      keepToken(given);
      if (given === '') sessionStorage.setItem(CERTIFICATE_KEY, '1');
      setRefusal('');
      setToken(given);
    };
    return html`<${SignIn} refusal=${refusal} take=${take} />`;
  }
  const isOverview = route.view === 'overview';
  return html`<header>
      <strong>shardplane</strong>
      <nav aria-label="Views">
        <a href="#overview" aria-current=${isOverview ? 'page' : undefined}>Overview</a>
        <a href="#objects" aria-current=${isOverview ? undefined : 'page'}>Objects</a>
      </nav>
      <button onClick=${() => signOut('')}>Sign out</button>
    </header>
    <main>
      ${
        isOverview
          ? html`<${Overview} server=${server} />`
          : html`<${Objects} server=${server} route=${route} />`
      }
    </main>`;
}

/** `/` finds a type, as in other browsers of objects; Escape leaves a field. */
function useKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target, key } = event;
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (key === 'Escape' && target instanceof HTMLInputElement) target.blur();
      if (key !== '/' || isTyping) return;
      const field = document.querySelector<HTMLInputElement>('#find-type');
      if (field === null) return;
      event.preventDefault();
      field.focus();
      field.select();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function SignIn({
  refusal,
  take,
}: {
  readonly refusal: string;
  readonly take: (token: string) => Promise<void>;
}): View {
  const [token, setToken] = useState('');
  const send = (event: Event): void => {
    event.preventDefault();
    if (token.trim() !== '') void take(token.trim());
  };
  const type = (event: InputEvent): void => setToken((event.target as HTMLInputElement).value);
  return html`<form class="sign-in" onSubmit=${send}>
    <label for="token">Bearer token</label>
    <input id="token" type="password" autocomplete="off" value=${token} onInput=${type} autofocus />
    <button class="main">Sign in</button>
    ${
      location.protocol === 'https:' &&
      html`<button type="button" onClick=${() => void take('')}>With my certificate</button>`
    }
    <p class="none">The token stays in this tab, and goes with it.</p>
    ${refusal !== '' && html`<p class="refused" role="alert">${refusal}</p>`}
  </form>`;
}

if (root !== null) render(html`<${Page} />`, root);
