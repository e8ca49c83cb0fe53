// Keeps the page for when there is no network. Requests to services go past it.

/** The files of the page, and a digest over them; the build writes both. */
declare const SHELL: readonly string[];
declare const VERSION: string;

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface ServiceWorker {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
}

const worker = globalThis as unknown as ServiceWorker;
const NAME = `solidus-wallet-${VERSION}`;
/** Not a part of the page: what a wallet trusts is asked for anew, and kept for a page that opens offline. */
const NETWORK = 'network.json';

// A new version waits until no tab has the old one, so that page and worker are of one version.
worker.addEventListener('install', (event) => event.waitUntil(install()));

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll(['./', ...SHELL].map((file) => new Request(file, { cache: 'reload' })));
}

worker.addEventListener('activate', (event) => event.waitUntil(activate()));

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // pieces of the prover are kept by who asks for them
  if (request.method !== 'GET' || url.origin !== worker.location.origin || url.pathname.endsWith('.bin')) return;
  event.respondWith(url.pathname.endsWith(`/${NETWORK}`) ? newest(request) : kept(request));
});

async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

async function newest(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(NETWORK, answer.clone());
    return answer;
  } catch (e) {
    const last = await cache.match(NETWORK);
    if (last === undefined) throw e;
    return last;
  }
}
