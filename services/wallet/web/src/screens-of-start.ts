import { heading, type App } from './app.js';
import { button, field, form, h, type Child, type Field } from './dom.js';
import { wallet } from './screens-of-wallet.js';
import type { Status } from './protocol.js';
import { words } from './words.js';

// The screens before a wallet is open, and its words.

const SHORTEST = 8;
const CHECKED = 3;

const risk = (app: App): HTMLElement =>
  h('section', { class: 'notice warn', 'aria-labelledby': 'risk' }, h('h2', { id: 'risk' }, app.text('riskTitle')), h('p', {}, app.text('risk')));

export function start(app: App): readonly Child[] {
  switch (app.status.kind) {
    case 'open':
      return wallet(app);
    case 'locked':
      return unlock(app);
    case 'elsewhere':
      return [heading(app.text('elsewhereTitle')), h('p', {}, app.text('elsewhereText'))];
    case 'none':
      return [
        heading(app.text('welcome')),
        h('p', { class: 'lead' }, app.text('welcomeText')),
        risk(app),
        h(
          'div',
          { class: 'buttons stacked' },
          button(app.text('newWallet'), () => app.show('new')),
          button(app.text('haveWords'), () => app.show('restore'), 'plain'),
        ),
      ];
  }
}

/** Shows the open wallet, and lets it find what is new. */
function opened(app: App): void {
  app.show('wallet');
  void app.look(false);
}

function unlock(app: App): readonly Child[] {
  const passphrase = field({ id: 'passphrase', label: app.text('passphrase'), type: 'password', autocomplete: 'current-password' });
  const submit = (): void => {
    const value = passphrase.input.value;
    void app.run('working', () => app.client.call('unlock', value), (status) => (app.take(status), opened(app)));
  };
  return [
    heading(app.text('unlockTitle')),
    form(submit, passphrase.element, h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('unlock')))),
    risk(app),
  ];
}

function passphraseFields(app: App): { readonly fields: readonly Field[]; read(): string | undefined } {
  const one = field({ id: 'passphrase', label: app.text('passphrase'), help: app.text('passphraseHelp'), type: 'password', autocomplete: 'new-password' });
  const again = field({ id: 'passphrase-again', label: app.text('passphraseAgain'), type: 'password', autocomplete: 'new-password' });
  const read = (): string | undefined => {
    const value = one.input.value;
    const short = [...value].length < SHORTEST;
    one.complain(short ? app.text('passphraseShort') : '');
    if (short) return undefined;
    const differs = value !== again.input.value;
    again.complain(differs ? app.text('passphrasesDiffer') : '');
    return differs ? undefined : value;
  };
  return { fields: [one, again], read };
}

const backToStart = (app: App): HTMLElement => button(app.text('back'), () => app.show('start'), 'plain');

export function create(app: App): readonly Child[] {
  const { fields, read } = passphraseFields(app);
  const submit = (): void => {
    const passphrase = read();
    if (passphrase === undefined) return;
    const work = async (): Promise<Status> => {
      const status = await app.client.call('create', passphrase);
      app.take(status);
      words.shown = await app.client.call('words', passphrase);
      return status;
    };
    void app.run('working', work, () => app.show('words'));
  };
  const buttons = h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('create')), backToStart(app));
  return [heading(app.text('newWallet')), form(submit, ...fields.map((one) => one.element), buttons)];
}

export function restore(app: App): readonly Child[] {
  const phrase = field({ id: 'words', label: app.text('words'), help: app.text('wordsHelp'), rows: 4 });
  const { fields, read } = passphraseFields(app);
  const submit = (): void => {
    const passphrase = read();
    if (passphrase === undefined) return;
    const value = phrase.input.value;
    void app.run('working', () => app.client.call('restore', value, passphrase), (status) => (app.take(status), opened(app)));
  };
  const buttons = h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('restore')), backToStart(app));
  return [
    heading(app.text('restoreTitle')),
    h('p', {}, app.text('restoreText')),
    form(submit, phrase.element, ...fields.map((one) => one.element), buttons),
  ];
}

function leaveWords(app: App): void {
  words.shown = undefined;
  opened(app);
}

export function showWords(app: App): readonly Child[] {
  const list = (words.shown ?? '').split(' ');
  return [
    heading(app.text('wordsTitle')),
    h('p', { class: 'notice warn' }, app.text('wordsText')),
    h('ol', { class: 'words', id: 'the-words' }, ...list.map((word) => h('li', {}, word))),
    h(
      'div',
      { class: 'buttons' },
      app.view.wordsConfirmed
        ? button(app.text('done'), () => leaveWords(app))
        : button(app.text('wordsWritten'), () => app.show('check')),
    ),
  ];
}

export function checkWords(app: App): readonly Child[] {
  const list = (words.shown ?? '').split(' ');
  const places = new Set<number>();
  while (places.size < CHECKED) places.add((crypto.getRandomValues(new Uint8Array(1))[0] as number) % list.length);
  const fields = [...places]
    .sort((one, other) => one - other)
    .map((place) => ({ place, ...field({ id: `word-${place + 1}`, label: app.text('word', { N: place + 1 }) }) }));
  const submit = (): void => {
    for (const { place, input, complain } of fields) {
      const right = input.value.trim().toLowerCase() === list[place];
      complain(right ? '' : app.text('wordWrong', { N: place + 1 }));
      if (!right) return;
    }
    const confirmed = (status: Status): void => {
      app.take(status);
      leaveWords(app);
      app.tell(app.text('wordsConfirmed'));
    };
    void app.run('working', () => app.client.call('confirmWords'), confirmed);
  };
  const buttons = h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('continue')), button(app.text('back'), () => app.show('words'), 'plain'));
  return [heading(app.text('wordsCheckTitle')), h('p', {}, app.text('wordsCheckText')), form(submit, ...fields.map((one) => one.element), buttons)];
}
