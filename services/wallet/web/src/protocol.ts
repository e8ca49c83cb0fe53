import type { Bank, Person, Registration } from '../../typescript/src/registering.js';
import type { Allowance, Step } from '../../typescript/src/wallet.js';

// What the page and its worker say to each other. Structured cloning copies everything in it, bigint included.

/** What the wallet does just now. */
export type Stage = Step;

/** A line of the history. */
export interface Entry {
  readonly kind: 'received' | 'claimed' | 'paid' | 'withdrawn';
  /** In minor units. */
  readonly value: bigint;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
  /** Of a payment, hexadecimal. */
  readonly core?: string;
}


/** An open wallet as the page shows it. */
export interface View {
  readonly address: string;
  readonly currency: string;
  readonly networkId: string;
  readonly held: bigint;
  readonly unclaimed: bigint;
  readonly registration: Registration;
  /** A restore was begun and is not finished. */
  readonly restoring: boolean;
  /** A transfer was sent, or stored to be sent, and is not finished. */
  readonly inFlight: boolean;
  /** The newest first. */
  readonly entries: readonly Entry[];
  /** Whether the owner has shown that she wrote the words down. */
  readonly wordsConfirmed: boolean;
  /** `network.json` beside the page says something else than when the wallet was made. */
  readonly otherNetwork: boolean;
}

/** `elsewhere`: another tab of this browser has the wallet open. */
export type Status = { readonly kind: 'none' | 'locked' | 'elsewhere' } | { readonly kind: 'open'; readonly view: View };

/** A payee's address or request, as it was read. */
export interface Asked {
  readonly address: string;
  readonly amount?: bigint;
  readonly label?: string;
  /** Whether the request has a signature, which verified. */
  readonly signed: boolean;
  readonly expired: boolean;
}

export interface Paid {
  readonly amount: bigint;
  readonly delivered: boolean;
}

export interface Calls {
  start(): Status;
  create(passphrase: string): Status;
  restore(words: string, passphrase: string): Status;
  unlock(passphrase: string): Status;
  /** The wallet's 24 words, for who knows its passphrase. */
  words(passphrase: string): string;
  confirmWords(): Status;
  /** Finishes what waits, and reads the mailbox. */
  refresh(): Status;
  claim(): Status;
  /** The banks of the registration service. */
  banks(): readonly Bank[];
  register(who: Person, bank: string | undefined): Status;
  /** Asks whether officers have decided. */
  collect(): Status;
  read(text: string): Asked;
  pay(address: string, amount: bigint, text: string): Paid;
  limits(): Allowance;
  /** The URI of a request for an amount, which may be left open. */
  request(amount: bigint | undefined, label: string): string;
  /** Removes the wallet from this browser, for who knows its passphrase. */
  remove(passphrase: string): Status;
}

export type Call = { [K in keyof Calls]: { readonly id: number; readonly name: K; readonly args: Parameters<Calls[K]> } }[keyof Calls];

export interface Failure {
  readonly reason: string;
  readonly detail: string;
}

export type FromWorker =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly stage: Stage }
  /** Before the answer to a payment and to a call that failed, and when the other tab has closed. */
  | { readonly status: Status };
