import { App } from './app.js';
import { register } from './screens-of-registration.js';
import { checkWords, create, restore, showWords, start } from './screens-of-start.js';
import { history, more, paid, pay, receive, review, wallet } from './screens-of-wallet.js';

/** The two scripts that the page starts. With Trusted Types no other address becomes a script. */
const SCRIPTS = ['worker.js', 'service-worker.js'] as const;

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const known = (url: string): string => {
  if (!SCRIPTS.some((script) => script === url)) throw new TypeError('no script of this page');
  return url;
};
const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
const policy = trustedTypes?.createPolicy('solidus', { createScriptURL: known });
const script = (url: (typeof SCRIPTS)[number]): string => policy?.createScriptURL(url) ?? known(url);

const screens = {
  start,
  new: create,
  restore,
  words: showWords,
  check: checkWords,
  register,
  wallet,
  receive,
  pay,
  review,
  paid,
  history,
  more,
};

void new App(new Worker(script('worker.js')), screens).start();
// without it the page needs the network to open, and nothing else changes
void navigator.serviceWorker?.register(script('service-worker.js')).catch(() => undefined);
