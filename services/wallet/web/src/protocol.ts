import type { Bank, Person, Registration } from '../../typescript/src/registering.js';
import type { MailStatus } from '../../typescript/src/mail.js';
import type { MintOf } from '../../typescript/src/minting.js';
import type { Payout } from '../../typescript/src/payout.js';
import type { Allowance, Step } from '../../typescript/src/wallet.js';
import type { Contact } from './contacts.js';
import type { Measure } from './downloads.js';
import type { Cost } from './own-prover.js';

// What the page and its worker say to each other. Structured cloning copies everything in it, bigint included.

export type { Payout };

/** What the wallet does just now. */
export type Stage = Step;

/** A line of the history. */
export interface Entry {
  readonly kind: 'received' | 'claimed' | 'paid' | 'withdrawn' | 'burnt';
  /** In minor units. */
  readonly value: bigint;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
  /** Of a payment, hexadecimal. */
  readonly core?: string;
  /** The payee of a payment. */
  readonly to?: string;
}

/** Where the wallet's proofs are made. */
export interface Proofs {
  /** On this device, and not by the network's prover. */
  readonly own: boolean;
  /** Whether this page could make them here. */
  readonly possible: boolean;
  /** What has to be downloaded for it, in bytes. */
  readonly missing: number;
  /** What has to be downloaded before an account can be freed here, in bytes. */
  readonly missingForRecovers: number;
  /** What the last one took here. */
  readonly last: Cost | undefined;
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
  /** The restore that was begun failed, for what a service answered. */
  readonly restoreRefused: boolean;
  /** A transfer was sent, or stored to be sent, and is not finished. */
  readonly inFlight: boolean;
  /** The wallet's own payments keep each other from completing, as the authorities answered last. */
  readonly locked: boolean;
  /** The newest first. */
  readonly entries: readonly Entry[];
  /** Whether the owner has shown that she wrote the words down. */
  readonly wordsConfirmed: boolean;
  /** `network.json` beside the page says something else than when the wallet was made. */
  readonly otherNetwork: boolean;
  readonly proofs: Proofs;
  /** The coins that were asked for and are not here. */
  readonly mints: readonly MintOf[];
  /** Whether the wallet knows whom payouts are for. */
  readonly withdraws: boolean;
  /** In the order of their names. */
  readonly contacts: readonly Contact[];
  /** How far the wallet has read, and what waits for a query. */
  readonly mail: MailStatus;
}

/** `elsewhere`: another tab of this browser has the wallet open. */
export type Status = { readonly kind: 'none' | 'locked' | 'elsewhere' } | { readonly kind: 'open'; readonly view: View };

/** A payee's address or request, as it was read. */
export interface Asked {
  /** The text of it. */
  readonly to: string;
  readonly address: string;
  readonly amount?: bigint;
  readonly label?: string;
  /** Whether the request has a signature, which verified. */
  readonly signed: boolean;
  readonly expired: boolean;
  /** When this wallet paid it, in milliseconds since 1970; it pays a request with an id once. */
  readonly paid?: number;
}

export interface Paid {
  readonly amount: bigint;
  readonly delivered: boolean;
}

export interface Withdrawn {
  readonly status: Status;
  /** Whether the issuance service was asked for the payout. If not, the wallet asks later. */
  readonly asked: boolean;
}

/** What freeing the account did, in minor units. */
export interface Freed {
  readonly status: Status;
  /** How many recovers the wallet took in; none where everything could be finished. */
  readonly recovers: number;
  readonly burnt: bigint;
  /** What came back and waits to be claimed. */
  readonly returned: bigint;
  readonly lost: bigint;
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
  /** Reads the mailbox whole, without signed lists, because the owner says so. */
  readWhole(): Status;
  claim(): Status;
  /** The banks of the registration service. */
  banks(): readonly Bank[];
  register(who: Person, bank: string | undefined): Status;
  /** Asks whether officers have decided. */
  collect(): Status;
  read(text: string): Asked;
  /** Pays an address or a request. The text is for a payee who has asked for none. */
  pay(to: string, amount: bigint, text: string): Paid;
  /** Asks for a coin out of money that the bank has recorded. */
  mint(funding: string, token: string, amount: bigint): Status;
  /** Asks what became of the coins that were asked for. */
  collectMints(): Status;
  /** Refuses a name or an IBAN that cannot be one. */
  checkPayout(payout: Payout): void;
  withdraw(amount: bigint, payout: Payout): Withdrawn;
  /** Keeps a name for an address. */
  remember(contact: Contact): Status;
  forget(address: string): Status;
  limits(): Allowance;
  /** The URI of a request for an amount, which may be left open. */
  request(amount: bigint | undefined, label: string): string;
  /** Makes the proofs on this device from now on, after it has downloaded what they need. */
  proveHere(): Status;
  /** Has the network's prover make the proofs from now on. */
  delegate(): Status;
  /** Downloads what proofs on this device need, without making payments' proofs here. */
  loadProver(): Status;
  /**
   * Finishes what can be finished, and else frees the account, which burns the largest payment that waits.
   *
   * @param evenIfPaid whether its owner waits no longer for authorities that do not answer
   */
  recover(evenIfPaid: boolean): Freed;
  /** Stops the download or the proof on this device. */
  stop(): void;
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
  | { readonly measure: Measure }
  /** Before the answer to a payment and to a call that failed, and when the other tab has closed. */
  | { readonly status: Status };
