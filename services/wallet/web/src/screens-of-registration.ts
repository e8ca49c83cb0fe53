import type { Bank } from '../../typescript/src/registering.js';
import { heading, type App } from './app.js';
import { button, field, form, h, type Child } from './dom.js';
import type { Status } from './protocol.js';

// Who has no compliance coin yet: a person's details, and what became of them.

/** The members of a person in the order of the form, with what a browser may fill in. */
const DETAILS = [
  { id: 'givenName', autocomplete: 'given-name' },
  { id: 'familyName', autocomplete: 'family-name' },
  { id: 'birthDate', autocomplete: 'bday', type: 'date' },
  { id: 'nationality', autocomplete: 'country' },
  { id: 'documentNumber', autocomplete: 'off' },
] as const;

type Member = (typeof DETAILS)[number]['id'];

/** How the registration stands. Nothing when there is nothing to do. */
export function registrationNotice(app: App): readonly Child[] {
  const { registration, restoring } = app.view;
  const taken = (status: Status): void => {
    app.take(status);
    app.show('wallet');
  };
  const ask = (): void => void app.register(() => app.client.call('collect'), taken);
  const begin = button(app.text('register'), () => app.show('register'));
  switch (restoring ? 'registered' : registration.stage) {
    case 'registered':
      return [];
    case 'pending':
      return [h('div', { class: 'notice warn' }, h('p', {}, app.text('registrationPending')), button(app.text('registrationAsk'), ask, 'plain'))];
    case 'refused':
      return [h('div', { class: 'notice bad' }, h('p', {}, app.text('registrationRefused', { REASON: registration.reason ?? '' })), begin)];
    case 'none':
    case 'unsent':
      return [h('div', { class: 'notice warn' }, h('p', {}, app.text('unregistered')), begin)];
  }
}

export function register(app: App): readonly Child[] {
  const fields = DETAILS.map(({ id, ...more }) => ({ id, ...field({ id, label: app.text(id), help: id === 'nationality' ? app.text('nationalityHelp') : undefined, ...more }) }));
  const bank = h('select', { id: 'bank', name: 'bank' });
  const choice = h('div', { class: 'field', hidden: true }, h('label', { for: 'bank' }, app.text('bank')), bank);
  // A bank is asked for where there are several.
  const offer = (banks: readonly Bank[]): void => {
    bank.replaceChildren(...banks.map(({ id, name }) => h('option', { value: id }, name)));
    choice.hidden = banks.length < 2;
  };
  app.client.call('banks').then(offer, (e: unknown) => app.fail(e));
  const submit = (): void => {
    for (const { input, complain } of fields) {
      const missing = input.value.trim() === '';
      complain(missing ? app.text('missing') : '');
      if (missing) return;
    }
    const who = Object.fromEntries(fields.map(({ id, input }) => [id, input.value.trim()])) as Record<Member, string>;
    const chosen = bank.value === '' ? undefined : bank.value;
    const done = (status: Status): void => {
      app.take(status);
      app.show('wallet');
    };
    void app.register(() => app.client.call('register', who, chosen), done);
  };
  const buttons = h('div', { class: 'buttons' }, h('button', { class: 'main' }, app.text('registerSend')), button(app.text('back'), () => app.show('wallet'), 'plain'));
  return [
    heading(app.text('registerTitle')),
    h('p', {}, app.text('registerText')),
    form(submit, ...fields.map((one) => one.element), choice, buttons),
  ];
}
