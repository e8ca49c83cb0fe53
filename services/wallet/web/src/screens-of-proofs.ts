import type { App } from './app.js';
import { button, h, type Child } from './dom.js';
import type { Cost } from './own-prover.js';
import type { Status } from './protocol.js';

// Who makes the proofs: what it costs, and who sees what.

const SECOND = 1_000;

/** How long the proof takes, and who sees the payment. */
export function aboutProofs(app: App): readonly string[] {
  const { own, last } = app.view.proofs;
  if (!own) return [app.text('reviewTime'), app.text('reviewProver')];
  return [last === undefined ? app.text('proofTimeUnknown') : proofTime(app, last), app.text('reviewOwn')];
}

const proofTime = (app: App, { milliseconds, memoryBytes }: Cost): string =>
  app.text('proofTime', { N: Math.ceil(milliseconds / SECOND), SIZE: app.megabytes(memoryBytes) });

/** Where proofs are made, and what each way costs. */
export function proofsCard(app: App): HTMLElement {
  const { own, possible, missing, last } = app.view.proofs;
  const taken = (status: Status): void => {
    app.take(status);
    app.show('more');
  };
  const here = (): void => void app.download(() => app.client.call('proveHere'), (status) => (taken(status), app.tell(app.text('proofsHere'))));
  const away = (): void => void app.run('working', () => app.client.call('delegate'), taken);
  const cost = missing === 0 ? app.text('proofsLoaded') : app.text('proofsCost', { SIZE: app.megabytes(missing) });
  const load = possible && button(missing === 0 ? app.text('proveHere') : app.text('proveHereLoad', { SIZE: app.megabytes(missing) }), here, 'plain');
  const delegated = (): readonly Child[] => [h('p', {}, app.text('proofsAway')), h('p', {}, possible ? cost : app.text('proofsImpossible')), load];
  const ownOnes = (): readonly Child[] => [
    h('p', {}, `${app.text('proofsHere')} ${last === undefined ? '' : proofTime(app, last)}`),
    (missing > 0 || !possible) && h('div', { class: 'notice warn' }, h('p', {}, app.text('error_proof_files_missing')), load),
    h('p', {}, app.text('delegateRisk')),
    button(app.text('delegate'), away, 'plain'),
  ];
  return h('section', { class: 'card', id: 'proofs' }, h('h2', {}, app.text('proofsTitle')), ...(own ? ownOnes() : delegated()));
}
