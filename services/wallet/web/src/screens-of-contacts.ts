import type { App } from './app.js';
import { field, form, h } from './dom.js';
import type { Status } from './protocol.js';

// Names for addresses.

/** The name of the contact with this address, or nothing. */
export const nameOf = (app: App, address: string | undefined): string => app.view.contacts.find((one) => one.address === address)?.name ?? '';

/** Gives an address a name. */
export function contactForm(app: App, address: string): HTMLElement {
  const name = field({ id: 'name', label: app.text('contactName'), help: app.text('contactHelp') });
  const submit = (): void => {
    const value = name.input.value.trim();
    const kept = (status: Status): void => {
      app.take(status);
      app.show('wallet');
      app.tell(app.text('contactKept', { NAME: value }));
    };
    app.client.call('remember', { name: value, address }).then(kept, () => name.complain(app.text('contactWrong')));
  };
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, app.text('contactAdd')),
    form(submit, name.element, h('button', { class: 'plain' }, app.text('contactKeep'))),
  );
}

/** Who is known by name. */
export function contactsCard(app: App): HTMLElement {
  const forget = (address: string): void =>
    void app.run('working', () => app.client.call('forget', address), (status) => (app.take(status), app.show('more')));
  const lines = app.view.contacts.map(({ name, address }) => {
    const remove = h('button', { type: 'button', class: 'plain', 'aria-label': app.text('contactForget', { NAME: name }), click: () => forget(address) }, app.text('contactRemove'));
    return h('li', {}, h('b', {}, name), remove, h('span', { class: 'code-text' }, address));
  });
  return h('section', { class: 'card', id: 'contacts' }, h('h2', {}, app.text('contactsTitle')), h('ul', { class: 'lines' }, ...lines));
}
