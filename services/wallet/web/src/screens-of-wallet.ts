import { encodeQR } from 'qr';
import type { Allowance } from '../../typescript/src/wallet.js';
import { copyButton, heading, type App } from './app.js';
import { hasCamera, look } from './camera.js';
import { CallFailure } from './client.js';
import { button, field, form, h, svg, type Child } from './dom.js';
import { parseMoney, plain } from './money.js';
import type { Asked, Entry, Paid } from './protocol.js';
import { cashCard, mintNotice } from './screens-of-cash.js';
import { contactForm, contactsCard, nameOf } from './screens-of-contacts.js';
import { mailCard, mailNotice } from './screens-of-mail.js';
import { aboutProofs, proofsCard } from './screens-of-proofs.js';
import { recoveryNotice } from './screens-of-recovery.js';
import { registrationNotice } from './screens-of-registration.js';
import { words } from './words.js';

// The screens of an open wallet.

const RECENT = 3;
const NOTE_BYTES = 140;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** What the owner has to know before anything else. */
function warnings(app: App): readonly Child[] {
  const { view } = app;
  const ask = h('button', { type: 'button', class: 'plain', click: () => app.show('more') }, app.text('wordsShow'));
  return [
    !navigator.onLine && h('p', { class: 'notice warn' }, app.text('offline')),
    view.otherNetwork && h('p', { class: 'notice warn' }, app.text('otherNetwork')),
    !view.wordsConfirmed && h('div', { class: 'notice warn' }, h('p', {}, app.text('wordsMissing')), ask),
    ...recoveryNotice(app),
    view.restoring && h('p', { class: 'notice warn' }, app.text('restoring')),
    ...registrationNotice(app),
    mintNotice(app),
  ];
}

export function wallet(app: App): readonly Child[] {
  const { view } = app;
  const claim = (): void =>
    void app.pay(() => app.client.call('claim'), (status) => {
      app.take(status);
      app.show('wallet');
      app.tell(app.text('claimed'));
    });
  return [
    h('h1', { tabindex: '-1', class: 'quiet' }, app.text('tabWallet')),
    h(
      'section',
      { class: 'balance', 'aria-label': app.text('balance') },
      h('p', {}, app.text('balance')),
      h('p', { class: 'amount', id: 'held' }, app.money(view.held + view.unclaimed)),
      app.activity,
    ),
    ...warnings(app),
    ...mailNotice(app),
    h(
      'div',
      { class: 'buttons wide' },
      button(app.text('tabPay'), () => app.show('pay')),
      button(app.text('tabReceive'), () => app.show('receive'), 'plain'),
      button(app.text('refresh'), () => void app.look(true), 'plain'),
    ),
    view.unclaimed > 0n &&
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'unclaimed' },
        h('h2', { id: 'unclaimed' }, `${app.text('unclaimed')}: ${app.money(view.unclaimed)}`),
        h('p', { class: 'small' }, app.text('unclaimedHelp')),
        button(app.text('claim'), claim, 'plain'),
      ),
    h('h2', {}, app.text('recent')),
    lines(app, view.entries.slice(0, RECENT)),
  ];
}

function lines(app: App, entries: readonly Entry[]): HTMLElement {
  if (entries.length === 0) return h('p', { class: 'small' }, app.text('noHistory'));
  const sign = { received: '+', claimed: '', paid: '−', withdrawn: '−', burnt: '−' } as const;
  const line = ({ kind, value, time, text, to }: Entry): HTMLElement =>
    h(
      'li',
      { class: kind },
      h('span', { class: 'what' }, h('b', {}, app.text(`kind_${kind}`)), ...[nameOf(app, to), text].map((part) => (part === '' ? '' : ` ${part}`))),
      h('span', { class: 'sum' }, `${sign[kind]}${app.money(value)}`),
      h('time', { datetime: new Date(time).toISOString() }, app.date(time)),
    );
  return h('ul', { class: 'lines' }, ...entries.map(line));
}

export const history = (app: App): readonly Child[] => [
  heading(app.text('historyTitle')),
  lines(app, app.view.entries),
  h('p', { class: 'small' }, app.text('historyHelp')),
];

/** A code as dark on white in both colour schemes, which is what readers expect. */
function code(app: App, content: string): SVGElement {
  const data = encodeQR(content, 'raw', { ecc: 'medium', border: 4 });
  const size = data.length;
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return svg(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': app.text('qr'), class: 'code', 'shape-rendering': 'crispEdges' },
    svg('rect', { width: size, height: size, fill: '#fff' }),
    svg('path', { d: path, fill: '#000' }),
  );
}

/** Upper case makes the code smaller, and Bech32m reads it. */
const ofQr = (uri: string): string => uri.toUpperCase();

export function receive(app: App): readonly Child[] {
  const { view } = app;
  const shown = h('div', { id: 'shown' });
  const show = (title: string, content: string): void =>
    shown.replaceChildren(
      code(app, ofQr(content)),
      h('h2', {}, title),
      h('p', { class: 'code-text', id: 'uri' }, content),
      copyButton(app, content),
    );
  show(app.text('address'), view.address);
  const amount = field({ id: 'asked', label: `${app.text('amountAsked')} (${app.text('optional')})`, required: false, inputmode: 'decimal' });
  const label = field({ id: 'label', label: `${app.text('label')} (${app.text('optional')})`, help: app.text('labelHelp'), required: false });
  const submit = (): void => {
    const value = amount.input.value.trim();
    const minor = value === '' ? undefined : parseMoney(value, view.currency);
    const wrong = value !== '' && minor === undefined;
    amount.complain(wrong ? app.text('amountWrong') : '');
    label.complain('');
    if (wrong) return;
    const failed = (): void => label.complain(app.text('noteLong'));
    app.client.call('request', minor, label.input.value.trim()).then((uri) => show(app.text('request'), uri), failed);
  };
  return [
    heading(app.text('receiveTitle')),
    h('p', {}, app.text('receiveText')),
    shown,
    form(submit, amount.element, label.element, h('div', { class: 'buttons' }, h('button', { class: 'plain' }, app.text('showRequest')))),
    h('p', { class: 'small' }, app.text('addressHelp')),
  ];
}

/** A button that shows what the camera sees until a code is taken. */
function scanner(app: App, take: (content: string) => Promise<boolean>): HTMLElement {
  const told = h('p', { class: 'small', role: 'status' });
  const video = h('video', { class: 'camera', id: 'camera', muted: true, playsinline: true, hidden: true, 'aria-label': app.text('cameraLabel') });
  let end: (() => void) | undefined;
  const shown = (on: boolean): void => {
    video.hidden = !on;
    switched.textContent = app.text(on ? 'scanStop' : 'scan');
    told.textContent = on ? app.text('scanText') : '';
  };
  const closed = (): void => {
    end = undefined;
    shown(false);
  };
  const toggle = async (): Promise<void> => {
    if (end !== undefined) return end();
    switched.disabled = true;
    try {
      shown(true);
      end = await look(video, take, closed);
    } catch {
      shown(false);
      told.textContent = app.text('noCamera');
    } finally {
      switched.disabled = false;
    }
  };
  const switched = button(app.text('scan'), () => void toggle(), 'plain');
  return h('div', { class: 'scanner' }, switched, video, told);
}

interface Draft {
  readonly to: string;
  readonly amount: string;
  readonly note: string;
}

const EMPTY: Draft = { to: '', amount: '', note: '' };

/** The payment that is being written or made. */
const payment: { draft: Draft; reviewed: { readonly asked: Asked; readonly amount: bigint; readonly note: string } | undefined; paid: (Paid & { readonly address: string }) | undefined } = {
  draft: EMPTY,
  reviewed: undefined,
  paid: undefined,
};

export function pay(app: App): readonly Child[] {
  const { draft } = payment;
  // The payment in flight is finished first: a second one beside it could be the same again.
  if (app.view.inFlight) return [heading(app.text('payTitle')), ...warnings(app)];
  const to = field({ id: 'to', label: app.text('payTo'), help: app.text('payToHelp'), rows: 3, value: draft.to });
  const amount = field({ id: 'amount', label: app.text('amount'), inputmode: 'decimal', value: draft.amount });
  const note = field({ id: 'note', label: `${app.text('note')} (${app.text('optional')})`, help: app.text('noteHelp'), required: false, value: draft.note });
  const about = h('p', { id: 'about', role: 'status', class: 'small' });

  /** Reads the address or request; a request fills the other fields. */
  const readTo = async (): Promise<Asked | undefined> => {
    try {
      const asked = await app.client.call('read', to.input.value.trim());
      const refused = asked.paid !== undefined ? app.text('paidBefore', { DATE: app.date(asked.paid) }) : asked.expired ? app.text('expired') : '';
      to.complain(refused);
      if (refused !== '') return undefined;
      // what the payee asks for is not the payer's to change
      if (asked.amount !== undefined) amount.input.value = plain(asked.amount, app.view.currency, app.language);
      if (asked.label !== undefined) note.input.value = asked.label;
      amount.input.readOnly = asked.amount !== undefined;
      note.input.readOnly = asked.label !== undefined;
      const parts = [asked.amount === undefined ? '' : app.text('requestOf', { AMOUNT: app.money(asked.amount) }), asked.signed ? app.text('requestSigned') : ''];
      about.textContent = parts.filter((part) => part !== '').join('. ');
      return asked;
    } catch (e) {
      if (!(e instanceof CallFailure)) throw e;
      about.textContent = '';
      to.complain(app.text('toWrong'));
      return undefined;
    }
  };
  to.input.addEventListener('change', () => void readTo());
  /** Takes a code that is an address or a request of this network; others are passed over. */
  const take = async (content: string): Promise<boolean> => {
    try {
      await app.client.call('read', content);
    } catch (e) {
      if (e instanceof CallFailure) return false;
      throw e;
    }
    to.input.value = content.toLowerCase();
    void readTo().then(() => amount.input.focus());
    return true;
  };
  const camera = hasCamera() && scanner(app, take);
  const { contacts } = app.view;
  const chosen = h('select', { id: 'contact' }, h('option', { value: '' }, '–'), ...contacts.map(({ name, address }) => h('option', { value: address }, name)));
  chosen.addEventListener('change', () => {
    to.input.value = chosen.value;
    if (chosen.value !== '') void readTo();
  });
  const choice = contacts.length > 0 && h('div', { class: 'field' }, h('label', { for: 'contact' }, app.text('contact')), chosen);
  const submit = async (): Promise<void> => {
    const asked = await readTo();
    if (asked === undefined) return;
    const minor = parseMoney(amount.input.value, app.view.currency);
    amount.complain(minor === undefined ? app.text('amountWrong') : '');
    if (minor === undefined) return;
    const text = note.input.value.trim();
    const long = bytesOf(text) > NOTE_BYTES;
    note.complain(long ? app.text('noteLong') : '');
    if (long) return;
    payment.draft = { to: to.input.value.trim(), amount: amount.input.value, note: text };
    payment.reviewed = { asked, amount: minor, note: text };
    app.show('review');
  };
  return [
    heading(app.text('payTitle')),
    ...warnings(app),
    form(() => void submit(), choice, camera, to.element, about, amount.element, note.element, h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('review')))),
  ];
}

export function review(app: App): readonly Child[] {
  const { reviewed } = payment;
  if (reviewed === undefined) return pay(app);
  const { asked, amount, note } = reviewed;
  const make = (): void => {
    // What was sent is no draft any more: whatever happens, nobody pays it again by pressing twice.
    payment.reviewed = undefined;
    const done = (paid: Paid): void => {
      payment.draft = EMPTY;
      payment.paid = { ...paid, address: asked.address };
      app.show('paid');
    };
    void app.pay(() => app.client.call('pay', asked.to, amount, note), done);
  };
  return [
    heading(app.text('reviewTitle')),
    h(
      'dl',
      { class: 'facts' },
      h('dt', {}, app.text('amount')),
      h('dd', { class: 'amount' }, app.money(amount)),
      h('dt', {}, app.text('reviewTo')),
      nameOf(app, asked.address) === '' ? '' : h('dd', { id: 'payee' }, nameOf(app, asked.address)),
      h('dd', { class: 'code-text' }, asked.address),
      note === '' ? '' : h('dt', {}, app.text('note')),
      note === '' ? '' : h('dd', {}, note),
    ),
    h('ul', { class: 'small', id: 'told' }, ...[app.text('reviewFinal'), ...aboutProofs(app)].map((line) => h('li', {}, line))),
    h('div', { class: 'buttons' }, button(app.text('payNow', { AMOUNT: app.money(amount) }), make), button(app.text('back'), () => app.show('pay'), 'plain')),
  ];
}

export function paid(app: App): readonly Child[] {
  const done = payment.paid;
  if (done === undefined) return wallet(app);
  return [
    heading(app.text('paidTitle')),
    h('p', { class: 'notice good', id: 'paid' }, app.text(done.delivered ? 'paidText' : 'paidLater', { AMOUNT: app.money(done.amount) })),
    h('div', { class: 'buttons' }, button(app.text('done'), () => app.show('wallet'))),
    nameOf(app, done.address) === '' && contactForm(app, done.address),
  ];
}

export function more(app: App): readonly Child[] {
  return [
    heading(app.text('moreTitle')),
    limitsCard(app),
    mailCard(app),
    cashCard(app),
    proofsCard(app),
    app.view.contacts.length > 0 && contactsCard(app),
    wordsCard(app),
    h('section', { class: 'card' }, h('h2', {}, app.text('lock')), button(app.text('lock'), () => location.reload(), 'plain')),
    removeCard(app),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, app.text('aboutTitle')),
      h('p', {}, `${app.text('network')}: ${app.view.networkId}`),
      h('p', {}, app.text('risk')),
      h('p', {}, h('a', { href: 'licences.txt' }, app.text('licences'))),
      app.view.proofs.possible && h('p', {}, h('a', { href: 'licences-of-the-prover.txt' }, app.text('licencesOfProver'))),
    ),
  ];
}

function limitsCard(app: App): HTMLElement {
  const place = h('div', {});
  const row = (label: string, value: string): readonly HTMLElement[] => [h('dt', {}, label), h('dd', {}, value)];
  const fill = ({ perTransfer, perPeriod, leftInPeriod, transfersLeft, held }: Allowance): void =>
    place.replaceChildren(
      h(
        'dl',
        { class: 'facts', id: 'limits' },
        ...row(app.text('limitTransfer'), app.money(perTransfer)),
        ...row(app.text('limitPeriod'), app.text('of', { LEFT: app.money(leftInPeriod), ALL: app.money(perPeriod) })),
        ...row(app.text('limitCount'), String(transfersLeft)),
        ...row(app.text('limitHeld'), app.money(held)),
      ),
    );
  const show = (): void => {
    place.replaceChildren(h('progress', { 'aria-label': app.text('working') }));
    app.client.call('limits').then(fill, (e: unknown) => {
      place.replaceChildren(shower);
      app.fail(e);
    });
  };
  const shower = button(app.text('limitsShow'), show, 'plain');
  place.append(shower);
  return h('section', { class: 'card' }, h('h2', {}, app.text('limitsTitle')), h('p', {}, app.text('limitsText')), place);
}

function wordsCard(app: App): HTMLElement {
  const passphrase = field({ id: 'passphrase', label: app.text('passphrase'), type: 'password', autocomplete: 'current-password' });
  const submit = (): void => {
    const value = passphrase.input.value;
    const shown = (phrase: string): void => {
      words.shown = phrase;
      app.show('words');
    };
    void app.run('working', () => app.client.call('words', value), shown);
  };
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, app.text('securityTitle')),
    form(submit, passphrase.element, h('button', { class: 'plain' }, app.text('wordsAgain'))),
  );
}

function removeCard(app: App): HTMLElement {
  const passphrase = field({ id: 'passphrase-of-removal', label: app.text('passphrase'), type: 'password', autocomplete: 'current-password' });
  const submit = (): void => {
    const value = passphrase.input.value;
    void app.run('working', () => app.client.call('remove', value), (status) => (app.take(status), app.show('start')));
  };
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, app.text('removeTitle')),
    h('p', {}, app.text('removeText')),
    form(submit, passphrase.element, h('button', { class: 'danger' }, app.text('remove'))),
  );
}
