import { heading, type App } from './app.js';
import { button, h, type Child } from './dom.js';
import type { Freed } from './protocol.js';

// What the owner of a locked account is told, and how she frees it.

/** A payment that waits, and one that can no longer complete by itself. */
export function recoveryNotice(app: App): readonly Child[] {
  const { inFlight, locked, restoreRefused } = app.view;
  const free = (): HTMLElement => button(app.text(locked ? 'lockedFree' : 'inFlightStuck'), () => app.show('free'), 'plain');
  const finish = (): HTMLElement => button(app.text('finish'), () => void app.look(true), 'plain');
  return [
    locked && h('div', { class: 'notice warn', id: 'locked' }, h('p', {}, app.text('locked')), free()),
    !locked && inFlight && h('div', { class: 'notice warn' }, h('p', {}, app.text('inFlight')), h('div', { class: 'buttons' }, finish(), free())),
    !locked && !inFlight && restoreRefused && h('div', { class: 'notice warn' }, h('p', {}, app.text('restoringStuck')), h('div', { class: 'buttons' }, finish(), free())),
  ];
}

/** Before anything is burnt: what happened, what it costs, who learns what, and what this device needs for it. */
export function free(app: App): readonly Child[] {
  const { possible, missingForRecovers: missing } = app.view.proofs;
  const done = ({ status, recovers, burnt, returned, lost }: Freed): void => {
    app.take(status);
    app.show('wallet');
    const came = returned > 0n ? ` ${app.text('freedReturned', { AMOUNT: app.money(returned) })}` : '';
    const gone = lost > 0n ? ` ${app.text('freedLost', { AMOUNT: app.money(lost) })}` : '';
    app.tell(recovers === 0 ? app.text('freedNothing') : `${app.text('freed', { AMOUNT: app.money(burnt) })}${came}${gone}`);
  };
  const waits = h('input', { type: 'checkbox', id: 'even-if-paid' });
  const make = (): void => void app.free(() => app.client.call('recover', waits.checked), done);
  const load = (): void =>
    void app.download(() => app.client.call('loadProver'), (status) => {
      app.take(status);
      app.show('free');
    });
  const here = possible && missing === 0;
  return [
    heading(app.text('freeTitle')),
    h('p', {}, app.text('freeWhat')),
    h('ul', { class: 'small', id: 'told' }, ...(['freeCost', 'freePayee', 'freeSeen', 'freeTime'] as const).map((key) => h('li', {}, app.text(key)))),
    here && h('p', { class: 'small' }, h('label', {}, waits, ' ', app.text('freeEvenIfPaid'))),
    !possible && h('p', { class: 'notice warn' }, app.text('error_own_prover_needed')),
    possible && missing > 0 && h('p', {}, app.text('freeNeeds')),
    h(
      'div',
      { class: 'buttons' },
      possible && (here ? button(app.text('freeNow'), make) : button(app.text('freeLoad', { SIZE: app.megabytes(missing) }), load)),
      // what waits needs no recover, and so no prover
      !here && button(app.text('freeTry'), make, 'plain'),
      button(app.text('back'), () => app.show('wallet'), 'plain'),
    ),
  ];
}
