import type { App } from './app.js';
import { button, h, type Child } from './dom.js';

// What a wallet that reads its mail with private queries tells of it.

/** What waits, and what has waited too long. */
export function mailNotice(app: App): readonly Child[] {
  const { privately, waiting, overdue, nextQuery } = app.view.mail;
  if (!privately) return [];
  const late = (): HTMLElement => h('button', { type: 'button', class: 'plain', click: () => app.show('more') }, app.text('mailMore'));
  return [
    waiting > 0 && nextQuery !== undefined && h('p', { class: 'notice', id: 'waiting' }, app.text('mailWaits', { COUNT: String(waiting), DATE: app.date(nextQuery) })),
    overdue > 0 && h('div', { class: 'notice warn', id: 'overdue' }, h('p', {}, app.text('mailOverdue', { COUNT: String(overdue) })), late()),
  ];
}

/** Up to when the wallet has read, and the owner's way to read everything. */
export function mailCard(app: App): Child {
  const { privately, upTo, nextQuery } = app.view.mail;
  const read = (): void =>
    void app.run('working', () => app.client.call('readWhole'), (status) => {
      app.take(status);
      app.show('wallet');
    });
  return (
    privately &&
    h(
      'section',
      { class: 'card' },
      h('h2', {}, app.text('mailTitle')),
      h('p', {}, app.text('mailText')),
      upTo !== undefined && nextQuery !== undefined && h('p', { id: 'read-up-to' }, app.text('mailUpTo', { DATE: app.date(upTo), NEXT: app.date(nextQuery) })),
      h('p', { class: 'small' }, app.text('mailWholeHelp')),
      button(app.text('mailWhole'), read, 'plain'),
    )
  );
}
