import type { Bytes } from './bytes.js';
import { below, bytes, field, flag, mapped, number, object, optional, parseJson, point, small, text, unbounded, writeJson, type Of } from './json.js';
import { mailPlace } from './mail-place.js';
import { decodeMemo, encodeMemo, MANY } from './memo.js';
import { decodeRecoverMemo, encodeRecoverMemo } from './recover.js';
import { mintRequest, openedCase, partialSignature, registrationRequest, transferRequest } from './messages.js';
import { demand, refusedAs } from './refusal.js';
import { fromUtf8, utf8 } from './text.js';

// What a wallet keeps (W-03, W-06). A wallet's file is its own affair: no other program reads this one.

/**
 * Keeps a wallet's bytes, which hold the words: a host seals them. A write has reached the disk when its promise is fulfilled, and a
 * write that was cut off leaves the bytes before it.
 */
export interface Storage {
  read(): Promise<Bytes | undefined>;
  write(content: Bytes): Promise<void>;
}

/** Version 1 had no recovers; a program that knows it alone would lose them, and refuses version 2. */
const VERSION = 2n;
const FIRST = 1n;

const signature = object({ s1: point, s2: point });
/** Of any transfer: another program of the same words may have claimed many coins. */
const memo = mapped(
  bytes(1008),
  (content) => decodeMemo(content, MANY),
  (value) => encodeMemo(value, MANY),
);
const recoverMemo = mapped(bytes(1008), decodeRecoverMemo, encodeRecoverMemo);
const core = bytes(32);

const account = object({ apk: field, rho: field, period: small, sent: number, count: small, held: number, com: field });

const ownedCoin = object({ origin: mapped(below(3n), Number, BigInt), value: number, rho: field, signature, time: number, text });

const transferRecord = object({ core, lead: field, period: small, memo });

/**
 * A recover: what it burnt, and of one that this program took in its lead, how many transfers were recorded before it, and the value of
 * coins that other cores hold.
 */
const recoverRecord = object({
  ...{ core, memo: recoverMemo, below: unbounded(core) },
  ...{ lead: optional(field), transfers: optional(small), lost: optional(number) },
});

/** Whether a message waits for its post, was posted, or was seen in the mailbox. */
const stage = mapped(below(3n), (n) => (['waiting', 'posted', 'seen'] as const)[Number(n)] ?? 'waiting', (s) => BigInt(['waiting', 'posted', 'seen'].indexOf(s)));

/**
 * A message of this wallet's: a payee's coin, or the copy of a coin of its own. `bucket` is its reader's, where the mailbox has buckets;
 * `sequence` the number that its last post got; `skip` how many messages before it a page begins in which the wallet looks for it (W-06).
 */
const delivery = object({
  ...{ transfer: optional(small), copy: optional(field), blob: bytes(1200), stage, firstPost: optional(number) },
  ...{ bucket: optional(small), sequence: optional(number), skip: optional(small) },
});

const mark = object({ version: number, digest: bytes(32) });

/** A registration that is not finished. The request is undefined where a restore found the case. */
const registration = object({
  request: optional(registrationRequest),
  opened: optional(openedCase),
  refused: optional(object({ reasonCode: text, reason: text })),
});

/** A blind token that was not spent: one of a day, in days since 1970, from a time on. Who reads it can spend it. */
const spendableToken = object({ day: number, usableFrom: number, token: bytes(354) });

/** A mint that was asked for, and whose coin is not here. */
const mint = object({ fundingId: text, accessToken: text, request: mintRequest });

const state = object({
  version: below(1n << 16n),
  networkId: text,
  phrase: text,
  restoring: flag,
  registration: optional(registration),
  compliance: optional(object({ coin: account, signature })),
  /** The case of a registered wallet, for whose token the registration service signs blind tokens. */
  registered: optional(openedCase),
  tokens: optional(unbounded(spendableToken)),
  /** The newest day whose batch was fetched. */
  tokenDay: optional(number),
  mints: optional(unbounded(mint)),
  /** The transfer in flight, as it is sent. */
  pending: optional(transferRequest),
  /** The newest rules that the transfer in flight was ever proved under. */
  proved: optional(object({ policy: number, checkpoint: number })),
  /** Received and not claimed. */
  coins: unbounded(ownedCoin),
  /** rho of every coin that was ever accepted or claimed. */
  seen: unbounded(field),
  transfers: unbounded(transferRecord),
  /** Recovers of this wallet, made here or shown by its chain, the oldest first. */
  recovers: optional(unbounded(recoverRecord)),
  /** Transfers that a recover burnt. */
  burnt: optional(unbounded(transferRecord)),
  /** Transfers that were in flight when another one out of the same compliance coin took their place. */
  overtaken: optional(unbounded(transferRecord)),
  abandoned: unbounded(transferRecord),
  deliveries: unbounded(delivery),
  /** Payouts that were not asked for. */
  redemptions: unbounded(object({ transfer: small, request: transferRequest, partials: unbounded(partialSignature) })),
  place: optional(object({ sequence: number, digest: bytes(32) })),
  /** Where it is with private queries (W-36). */
  mail: optional(mailPlace),
  /** When the next private query is due, in milliseconds since 1970 (W-37). */
  nextQuery: optional(number),
  marks: optional(object({ policy: mark, checkpoint: mark })),
});

export type State = Of<typeof state>;
export type SpendableToken = Of<typeof spendableToken>;
export type OwnedCoin = Of<typeof ownedCoin>;
export type TransferRecord = Of<typeof transferRecord>;
export type Delivery = Of<typeof delivery>;
/** A message that waits for its first post. */
export const unposted = (what: Pick<Delivery, 'transfer' | 'copy' | 'blob' | 'bucket'>): Delivery => ({
  ...what,
  ...{ stage: 'waiting', firstPost: undefined, sequence: undefined, skip: undefined },
});

export type OpenedCase = Of<typeof openedCase>;

const EMPTY = { coins: [], seen: [], transfers: [], abandoned: [], deliveries: [], redemptions: [] } as const;
const NOTHING_YET = { registration: undefined, compliance: undefined, registered: undefined, tokens: undefined, tokenDay: undefined, mints: undefined, recovers: undefined, burnt: undefined, overtaken: undefined, pending: undefined, proved: undefined, place: undefined, mail: undefined, nextQuery: undefined, marks: undefined } as const;

/** A wallet's state, and the storage that has every change before anything goes on. */
export class Store {
  readonly #storage: Storage;
  #state: State;

  private constructor(storage: Storage, first: State) {
    this.#storage = storage;
    this.#state = first;
  }

  /** A new wallet's. Refuses a storage that is not empty. */
  static async create(storage: Storage, networkId: string, phrase: string, restoring: boolean): Promise<Store> {
    demand((await storage.read()) === undefined, 'store-exists', 'there is a wallet already');
    const store = new Store(storage, { version: VERSION, networkId, phrase, restoring, ...EMPTY, ...NOTHING_YET });
    await store.update({});
    return store;
  }

  static async open(storage: Storage, networkId: string): Promise<Store> {
    const content = await storage.read();
    demand(content !== undefined, 'store-missing', 'there is no wallet');
    const json = refusedAs('store-corrupt', () => parseJson(fromUtf8(content), Number.POSITIVE_INFINITY));
    const version = json instanceof Map ? json.get('version') : undefined;
    demand(version === VERSION || version === FIRST, 'store-version', 'a wallet of another version');
    const read = refusedAs('store-corrupt', () => state.read(json, 'refused'));
    demand(read.networkId === networkId, 'network-mismatch', 'a wallet of another network');
    return new Store(storage, { ...read, version: VERSION });
  }

  get state(): State {
    return this.#state;
  }

  /** Makes a change in one write. */
  async update(change: Partial<State>): Promise<void> {
    const next = { ...this.#state, ...change };
    await this.#storage.write(utf8(writeJson(state.write(next))));
    this.#state = next;
  }
}

/** How many transfers before the next one the oldest is whose coin was not seen in the mailbox, or whose payout was not asked for (F-05). */
export function unfinished({ transfers, deliveries, redemptions }: State): number {
  const waiting = deliveries.filter((one) => one.stage !== 'seen').flatMap((one) => one.transfer ?? []);
  const oldest = [...waiting, ...redemptions.map((one) => one.transfer)].reduce((least, n) => (n < least ? n : least), BigInt(transfers.length));
  return transfers.length - Number(oldest);
}
