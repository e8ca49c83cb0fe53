import { heading, type App } from './app.js';
import { button, field, form, h, type Child } from './dom.js';
import { parseMoney } from './money.js';
import type { Payout, Status, Withdrawn } from './protocol.js';

// Money into the network and out of it.

/** The withdrawal that is being made. */
const withdrawal: { reviewed: { readonly amount: bigint; readonly payout: Payout } | undefined } = { reviewed: undefined };

export function cashCard(app: App): HTMLElement {
  const out = app.view.withdraws ? button(app.text('withdraw'), () => app.show('withdraw'), 'plain') : h('p', { class: 'small' }, app.text('withdrawImpossible'));
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, app.text('cashTitle')),
    h('div', { class: 'buttons' }, button(app.text('mint'), () => app.show('mint'), 'plain'), out),
  );
}

/** The coins that approvers have not decided on. */
export function mintNotice(app: App): HTMLElement | false {
  const { mints } = app.view;
  if (mints.length === 0) return false;
  const sum = mints.reduce((total, { value }) => total + value, 0n);
  const ask = (): void => void app.mint(() => app.client.call('collectMints'), (status) => shown(app, status));
  return h('div', { class: 'notice warn' }, h('p', {}, app.text('mintWaits', { AMOUNT: app.money(sum) })), button(app.text('registrationAsk'), ask, 'plain'));
}

function shown(app: App, status: Status): void {
  app.take(status);
  app.show('wallet');
}

export function mint(app: App): readonly Child[] {
  const funding = field({ id: 'funding', label: app.text('funding') });
  const token = field({ id: 'token', label: app.text('fundingToken') });
  const amount = field({ id: 'amount', label: app.text('amount'), inputmode: 'decimal' });
  const submit = (): void => {
    for (const { input, complain } of [funding, token]) {
      const missing = input.value.trim() === '';
      complain(missing ? app.text('missing') : '');
      if (missing) return;
    }
    const minor = parseMoney(amount.input.value, app.view.currency);
    amount.complain(minor === undefined ? app.text('amountWrong') : '');
    if (minor === undefined) return;
    const [id, code] = [funding.input.value.trim(), token.input.value.trim()];
    void app.mint(() => app.client.call('mint', id, code, minor), (status) => shown(app, status));
  };
  const buttons = h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('mintSend')), button(app.text('back'), () => app.show('more'), 'plain'));
  return [heading(app.text('mint')), h('p', {}, app.text('mintText')), form(submit, funding.element, token.element, amount.element, buttons)];
}

export function withdraw(app: App): readonly Child[] {
  if (app.view.inFlight) return [heading(app.text('withdraw')), h('p', { class: 'notice warn' }, app.text('inFlight'))];
  const amount = field({ id: 'amount', label: app.text('amount'), inputmode: 'decimal' });
  const name = field({ id: 'creditor', label: app.text('creditor'), autocomplete: 'name' });
  const iban = field({ id: 'iban', label: 'IBAN' });
  const submit = (): void => {
    const minor = parseMoney(amount.input.value, app.view.currency);
    amount.complain(minor === undefined ? app.text('amountWrong') : '');
    if (minor === undefined) return;
    const payout = { creditorName: name.input.value.trim(), iban: iban.input.value.replace(/\s/g, '').toUpperCase(), reference: '' };
    iban.complain('');
    const right = (): void => {
      withdrawal.reviewed = { amount: minor, payout };
      app.show('withdrawal');
    };
    app.client.call('checkPayout', payout).then(right, () => iban.complain(app.text('payoutWrong')));
  };
  const buttons = h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('withdrawReview')), button(app.text('back'), () => app.show('more'), 'plain'));
  return [heading(app.text('withdraw')), h('p', {}, app.text('withdrawText')), form(submit, amount.element, name.element, iban.element, buttons)];
}

export function reviewWithdrawal(app: App): readonly Child[] {
  const { reviewed } = withdrawal;
  if (reviewed === undefined) return withdraw(app);
  const { amount, payout } = reviewed;
  const make = (): void => {
    // as for a payment: pressing twice makes no second one
    withdrawal.reviewed = undefined;
    const done = ({ status, asked }: Withdrawn): void => {
      shown(app, status);
      app.tell(app.text(asked ? 'withdrawn' : 'withdrawnLater', { AMOUNT: app.money(amount) }));
    };
    void app.withdraw(() => app.client.call('withdraw', amount, payout), done);
  };
  return [
    heading(app.text('reviewTitle')),
    h(
      'dl',
      { class: 'facts' },
      h('dt', {}, app.text('amount')),
      h('dd', { class: 'amount' }, app.money(amount)),
      h('dt', {}, app.text('creditor')),
      h('dd', {}, payout.creditorName),
      h('dt', {}, 'IBAN'),
      h('dd', { class: 'code-text' }, payout.iban),
    ),
    h('ul', { class: 'small' }, ...(['withdrawFinal', 'withdrawSeen'] as const).map((key) => h('li', {}, app.text(key)))),
    h(
      'div',
      { class: 'buttons' },
      button(app.text('withdrawNow', { AMOUNT: app.money(amount) }), make),
      button(app.text('back'), () => app.show('withdraw'), 'plain'),
    ),
  ];
}
