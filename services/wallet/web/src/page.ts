import { App } from './app.js';
import { scriptAddresses } from './scripts.js';
import { mint, reviewWithdrawal, withdraw } from './screens-of-cash.js';
import { free } from './screens-of-recovery.js';
import { register } from './screens-of-registration.js';
import { checkWords, create, restore, showWords, start } from './screens-of-start.js';
import { history, more, paid, pay, receive, review, wallet } from './screens-of-wallet.js';

const script = scriptAddresses('worker.js', 'service-worker.js');

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
  mint,
  withdraw,
  withdrawal: reviewWithdrawal,
  free,
};

void new App(new Worker(script('worker.js')), screens).start();
// without it the page needs the network to open, and nothing else changes
void navigator.serviceWorker?.register(script('service-worker.js')).catch(() => undefined);
