import { CallFailure, Client } from './client.js';
import { button, h, type Child } from './dom.js';
import type { Measure } from './downloads.js';
import { LOOK, Looks } from './looks.js';
import { money } from './money.js';
import type { Stage, Status, View } from './protocol.js';
import { failureText, text, type Key, type Language } from './strings/index.js';

// The frame of the page: what is shown, in which language, and what runs.

export type ScreenName = 'start' | 'new' | 'restore' | 'words' | 'check' | 'register' | 'wallet' | 'receive' | 'pay' | 'review' | 'paid' | 'history' | 'more' | 'mint' | 'withdraw' | 'withdrawal' | 'free';

export type Screen = (app: App) => readonly Child[];

/** The parts of an open wallet. */
const TABS = { wallet: 'tabWallet', receive: 'tabReceive', pay: 'tabPay', history: 'tabHistory', more: 'tabMore' } as const;

/** Screens without a form, which a change of the wallet draws anew. */
const LIVE: readonly ScreenName[] = ['start', 'wallet', 'history'];

/** Screens without an open wallet. */
const CLOSED: readonly ScreenName[] = ['start', 'new', 'restore'];

/** After so long without a key or a tap the wallet locks, in milliseconds. */
const IDLE = 600_000;

/** In the order of a payment. */
const PAYMENT: readonly Stage[] = ['rules', 'coins', 'proof', 'signatures', 'delivery'];

/** In the order of a registration. */
const REGISTRATION: readonly Stage[] = ['proof', 'case', 'signatures'];

/** In the order of a mint. */
const MINT: readonly Stage[] = ['proof', 'mint', 'signatures'];

/** In the order of a withdrawal. */
const WITHDRAWAL: readonly Stage[] = ['rules', 'coins', 'proof', 'signatures', 'payout'];

/** In the order of a recover. */
const RECOVERING: readonly Stage[] = ['coins', 'rules', 'proof', 'signatures'];

const SECOND = 1_000;

export class App {
  readonly client: Client;
  /** Says what the wallet does beside the page. */
  readonly activity = h('p', { class: 'small', role: 'status' });
  // Regions that are read aloud when they change, so they stay when the rest is drawn anew.
  readonly #told = h('div', {});
  readonly #announced = h('p', { class: 'announced', role: 'status' });
  readonly #screens: Readonly<Record<ScreenName, Screen>>;
  #language: Language;
  #status: Status = { kind: 'none' };
  #screen: ScreenName = 'start';
  /** What runs and has the page to itself. */
  #working: { readonly stages: readonly Stage[] } | undefined;
  /** Whether the wallet looks for money beside the page. */
  #looking = false;
  readonly #looks = new Looks();
  /** Why the last look failed that nobody asked for. */
  #failedLook: HTMLElement | undefined;
  #lastInput = Date.now();

  constructor(worker: Worker, screens: Readonly<Record<ScreenName, Screen>>) {
    this.#screens = screens;
    this.#language = storedLanguage();
    this.client = new Client(worker, { stage: (stage) => this.#stage(stage), measure: (measure) => this.#measure(measure), status: (status) => this.#changed(status) });
  }

  async start(): Promise<void> {
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, () => (this.#lastInput = Date.now()));
    for (const event of ['online', 'offline']) addEventListener(event, () => this.#connection());
    setInterval(() => this.#idle(), LOOK);
    try {
      this.#status = await this.client.call('start');
      this.show('start');
    } catch (e) {
      this.show('start');
      this.fail(e);
    }
  }

  get language(): Language {
    return this.#language;
  }

  get status(): Status {
    return this.#status;
  }

  /** The open wallet. */
  get view(): View {
    if (this.#status.kind !== 'open') throw new Error('the wallet is locked');
    return this.#status.view;
  }

  text(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
    return text(this.#language, key, values);
  }

  money(minor: bigint): string {
    return money(minor, this.view.currency, this.#language);
  }

  date(time: number): string {
    return new Intl.DateTimeFormat(this.#language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
  }

  /** Shows a screen, with the focus on its heading. */
  show(screen: ScreenName): void {
    this.#screen = screen;
    this.#told.replaceChildren();
    this.#announced.textContent = '';
    this.#draw();
    scrollTo(0, 0);
    document.querySelector('main')?.scrollTo(0, 0);
    document.querySelector('h1')?.focus();
  }

  /** Does something that has the page to itself, and shows how it goes. Then `next`, or the same screen with what went wrong. */
  async run<T>(title: Key, work: () => Promise<T>, next: (result: T) => void, stages: readonly Stage[] = []): Promise<void> {
    const before = this.#screen;
    const began = Date.now();
    this.#working = { stages };
    this.#told.replaceChildren();
    this.#announced.textContent = '';
    this.#draw();
    this.#drawWorking(title, stages);
    const seconds = document.querySelector('#seconds');
    const clock = setInterval(() => {
      if (seconds) seconds.textContent = this.text('seconds', { N: Math.round((Date.now() - began) / SECOND) });
    }, SECOND);
    let failure: unknown;
    let result: T | undefined;
    try {
      result = await work();
    } catch (e) {
      failure = e;
    }
    clearInterval(clock);
    this.#working = undefined;
    if (failure === undefined) return next(result as T);
    // the wallet may have been made before what failed
    this.show(this.#status.kind === 'open' && CLOSED.includes(before) ? 'wallet' : before);
    this.fail(failure);
  }

  /** Sends a person's details, and gets the first coin where officers have approved them. */
  register<T>(work: () => Promise<T>, next: (result: T) => void): Promise<void> {
    return this.run('registering', work, next, REGISTRATION);
  }

  pay<T>(work: () => Promise<T>, next: (result: T) => void): Promise<void> {
    return this.run('paying', work, next, PAYMENT);
  }

  /** Asks for a coin, and gets it where approvers have approved it. */
  mint<T>(work: () => Promise<T>, next: (result: T) => void): Promise<void> {
    return this.run('minting', work, next, MINT);
  }

  withdraw<T>(work: () => Promise<T>, next: (result: T) => void): Promise<void> {
    return this.run('withdrawing', work, next, WITHDRAWAL);
  }

  /** Frees a locked account. */
  free<T>(work: () => Promise<T>, next: (result: T) => void): Promise<void> {
    return this.run('freeing', work, next, RECOVERING);
  }

  /** Fetches what proofs on this device need. */
  download<T>(work: () => Promise<T>, next: (result: T) => void): Promise<void> {
    return this.run('downloading', work, next);
  }

  /** A number of bytes, in millions. */
  megabytes(bytes: number): string {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    return `${new Intl.NumberFormat(this.#language, digits).format(bytes / 1e6)} MB`;
  }

  /** A new state of the wallet, from a call's answer. */
  take(status: Status): void {
    this.#status = status;
  }

  /** Tells what went wrong, above the screen. */
  fail(e: unknown): void {
    this.#notice('bad', failureText(this.#language, reasonOf(e))).focus();
  }

  /** Tells what went well. */
  tell(message: string): void {
    this.#notice('good', message).focus();
  }

  #notice(kind: 'good' | 'bad', message: string): HTMLElement {
    const shown = h('p', { class: `notice ${kind}`, tabindex: '-1', role: kind === 'bad' ? 'alert' : 'status' }, message);
    this.#told.replaceChildren(shown);
    return shown;
  }

  /** Finishes what waits and reads the mailbox, beside the page. */
  async look(asked: boolean): Promise<void> {
    if (this.#status.kind !== 'open' || this.#looking) return;
    const before = this.view;
    this.#looking = true;
    let failure: unknown;
    try {
      this.#changed(await this.client.call('refresh'));
    } catch (e) {
      failure = e ?? new Error('a look failed');
    }
    this.#looking = false;
    this.activity.textContent = '';
    // a look that failed may have brought something: the worker says how the wallet is then
    const more = this.#status.kind === 'open' ? this.view.unclaimed - before.unclaimed : 0n;
    if (more > 0n && !before.restoring) this.#announce(this.text('received', { AMOUNT: this.money(more) }));
    else if (asked && failure === undefined) this.#announce(this.text('nothingNew'));
    if (failure !== undefined) return this.#lookFailed(failure, asked);
    this.#looks.succeeded();
    this.#failedLook?.remove();
  }

  /** Nobody waits for a look that she did not ask for, so it takes no focus. */
  #lookFailed(e: unknown, asked: boolean): void {
    if (!this.#looks.failed(reasonOf(e), asked, Date.now())) return;
    if (asked) this.fail(e);
    else this.#failedLook = this.#notice('bad', failureText(this.#language, reasonOf(e)));
  }

  #announce(message: string): void {
    this.#announced.textContent = message;
  }

  #changed(status: Status): void {
    const was = this.#status.kind;
    this.#status = status;
    if (this.#working !== undefined) return;
    if (was !== status.kind) this.show('start');
    else if (LIVE.includes(this.#screen)) this.#draw();
  }

  #stage(stage: Stage): void {
    const told = this.text(`stage_${stage}`);
    const line = this.#working === undefined ? this.activity : document.querySelector('#stage');
    if (line && line.textContent !== told) line.textContent = told;
    this.#unmeasured();
    const stages = this.#working?.stages ?? [];
    const at = stages.indexOf(stage);
    if (at < 0) return;
    document.querySelectorAll('#stages li').forEach((item, i) => {
      item.className = i < at ? 'over' : i === at ? 'now' : '';
      if (i === at) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
    });
  }

  /** Shows how far it is, and that it may be stopped. */
  #measure({ unit, done, of }: Measure): void {
    const [bar, line, stop] = ['progress', 'measure', 'stop'].map((id) => document.getElementById(id));
    if (this.#working === undefined || !bar || !line || !stop) return;
    stop.hidden = false;
    if (of === 0) return;
    // a proof that takes longer than the last one is not finished
    bar.setAttribute('max', String(of));
    bar.setAttribute('value', String(unit === 'bytes' ? done : Math.min(done, of * 0.95)));
    const left = Math.max(1, Math.round((of - done) / SECOND));
    line.textContent =
      unit === 'bytes'
        ? this.text('of', { LEFT: this.megabytes(done), ALL: this.megabytes(of) })
        : done < of
          ? this.text('secondsLeft', { N: left })
          : this.text('longerThanLast');
  }

  #unmeasured(): void {
    const [bar, line, stop] = ['progress', 'measure', 'stop'].map((id) => document.getElementById(id));
    bar?.removeAttribute('value');
    if (line) line.textContent = '';
    if (stop) stop.hidden = true;
  }

  #connection(): void {
    if (this.#working !== undefined) return;
    if (LIVE.includes(this.#screen)) this.#draw();
    if (navigator.onLine) void this.look(false);
  }

  #idle(): void {
    if (this.#status.kind !== 'open' || this.#working !== undefined) return;
    if (Date.now() - this.#lastInput > IDLE) location.reload();
    else if (navigator.onLine && document.visibilityState === 'visible' && this.#looks.due(Date.now())) void this.look(false);
  }

  #draw(): void {
    document.documentElement.lang = this.#language;
    document.title = this.text('name');
    const screen = this.#working === undefined ? this.#screens[this.#screen](this) : [];
    const open = this.#status.kind === 'open' && this.#working === undefined && Object.hasOwn(TABS, this.#screen);
    const kept = document.activeElement?.id;
    const scrolled = document.querySelector('main')?.scrollTop ?? 0;
    document.body.replaceChildren(
      h('a', { class: 'skip', href: '#main' }, this.text('skip')),
      this.#header(),
      h(
        'main',
        { id: 'main', tabindex: '-1' },
        this.#told,
        this.#announced,
        ...screen.filter((child) => child !== undefined && child !== false),
      ),
      open ? this.#navigation() : '',
    );
    if (kept) document.getElementById(kept)?.focus();
    document.querySelector('main')?.scrollTo(0, scrolled);
  }

  #header(): HTMLElement {
    const other = this.#language === 'en' ? 'de' : 'en';
    const change = (): void => {
      this.#language = other;
      localStorage.setItem('language', other);
      this.#draw();
      document.getElementById('language')?.focus();
    };
    const label = { id: 'language', type: 'button', class: 'language', lang: other, 'aria-label': `${this.text('language')}: ${this.text('languageLabel')}`, click: change };
    return h(
      'header',
      {},
      h('p', { class: 'brand' }, h('img', { src: 'icon.svg', alt: '', width: 26, height: 26 }), this.text('name')),
      this.#working === undefined && h('button', label, this.text('language')),
    );
  }

  #navigation(): HTMLElement {
    const tab = ([name, key]: [string, Key]): HTMLElement => {
      const current = name === this.#screen ? 'page' : undefined;
      const click = (): void => this.show(name as ScreenName);
      return h('li', {}, h('button', { type: 'button', id: `tab-${name}`, 'aria-current': current, click }, this.text(key)));
    };
    return h('nav', { 'aria-label': this.text('navigation') }, h('ul', {}, ...Object.entries(TABS).map(tab)));
  }

  #drawWorking(title: Key, stages: readonly Stage[]): void {
    const items = stages.map((stage) => h('li', {}, this.text(`stage_${stage}`)));
    document.querySelector('main')?.append(
      h('h1', { tabindex: '-1' }, this.text(title)),
      h('progress', { id: 'progress', 'aria-label': this.text('working') }),
      h('p', { class: 'small', id: 'seconds', 'aria-hidden': 'true' }),
      h('p', { class: 'small', id: 'measure' }),
      h('p', { id: 'stage', role: 'status', class: stages.length > 0 ? 'quiet' : '' }),
      stages.length > 0 ? h('ol', { id: 'stages' }, ...items) : '',
      stages === PAYMENT ? h('p', {}, this.text('payingText')) : '',
      stages === RECOVERING ? h('p', {}, this.text('freeingText')) : '',
      h('button', { type: 'button', id: 'stop', class: 'plain', hidden: true, click: () => void this.client.call('stop') }, this.text('stop')),
    );
    document.querySelector('h1')?.focus();
  }
}

const reasonOf = (e: unknown): string => (e instanceof CallFailure ? e.reason : 'internal');

function storedLanguage(): Language {
  const chosen = localStorage.getItem('language') ?? navigator.language;
  return chosen.startsWith('de') ? 'de' : 'en';
}

export const heading = (label: string): HTMLElement => h('h1', { tabindex: '-1' }, label);

/** Copies a text, and says so. */
export const copyButton = (app: App, content: string): HTMLElement =>
  button(app.text('copy'), () => void navigator.clipboard.writeText(content).then(() => app.tell(app.text('copied'))), 'plain');
