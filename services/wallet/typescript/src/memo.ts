import { gcmsiv } from '@noble/ciphers/aes.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { ascii, concat, fromInteger, sized, u32, u64, u8, type Bytes } from './bytes.js';
import { checkEncryptionKey } from './address.js';
import { decodeApk, decodeField, encodeField } from './field.js';
import { checkOrigin } from './hash.js';
import { amount, Reader } from './reader.js';
import { demand, wellFormed } from './refusal.js';
import { fromUtf8, mailboxName, utf8 } from './text.js';

/** A coin that a transfer claims. */
export interface ClaimedCoin {
  readonly origin: number;
  readonly value: bigint;
  readonly rho: bigint;
}

/** What a transfer was (F-05). */
export interface Memo {
  readonly counter: number;
  readonly time: bigint;
  readonly paid: bigint;
  readonly payee: bigint;
  /** 32 bytes. */
  readonly payeeKey: Bytes;
  readonly mailbox: string;
  readonly withdrawn: bigint;
  readonly unfinished: number;
  readonly claimed: readonly ClaimedCoin[];
  readonly text: string;
  /** What a newer program wrote behind the text. The block is sealed anew from the memo, so its bytes have to stay. */
  readonly rest?: Bytes;
}

const LENGTH = 1008;
const VERSION = 2;
const MAILBOX_LIMIT = 63;
const TEXT_LIMIT = 140;
/** Of a claim of 16; every other transfer claims two coins at most. */
export const MANY = 16;
const CLAIMED_LIMIT = 2;
const UNFINISHED_LIMIT = 1n << 31n;

/**
 * The 1008 bytes of a memo (F-05).
 *
 * @param most coins that the transfer may claim
 */
export function encodeMemo(memo: Memo, most = CLAIMED_LIMIT): Bytes {
  const mailbox = ascii(memo.mailbox);
  mailboxName(mailbox);
  const text = utf8(memo.text);
  demand(text.length <= TEXT_LIMIT, 'OUT_OF_RANGE', 'a text is too long');
  demand(memo.claimed.length <= most, 'OUT_OF_RANGE', 'too many claimed coins');
  const coins = memo.claimed.map((coin) => concat(u8(checkOrigin(coin.origin)), u64(amount(coin.value)), encodeField(coin.rho)));
  const content = concat(
    u8(VERSION),
    fromInteger(BigInt(memo.counter), 2),
    u64(amount(memo.time)),
    u64(amount(memo.paid)),
    encodeField(memo.payee),
    sized(memo.payeeKey, 32, 'an encryption key'),
    u8(mailbox.length),
    mailbox,
    u64(amount(memo.withdrawn)),
    u32(unfinished(BigInt(memo.unfinished))),
    u8(coins.length),
    ...coins,
    u8(text.length),
    text,
    memo.rest ?? new Uint8Array(0),
  );
  return concat(content, new Uint8Array(LENGTH - content.length));
}

/**
 * A memo from its 1008 bytes. The bytes behind its text are kept as they are.
 *
 * @param most coins that the transfer may claim
 */
export function decodeMemo(bytes: Bytes, most = CLAIMED_LIMIT): Memo {
  return wellFormed(() => {
    const reader = new Reader(sized(bytes, LENGTH, 'a memo'));
    demand(reader.small(1) === VERSION, 'malformed-request', 'a memo of another version');
    const memo = {
      counter: reader.small(2),
      time: reader.time(),
      paid: reader.amount(),
      payee: decodeApk(reader.take(32)),
      payeeKey: checkEncryptionKey(reader.take(32)),
      mailbox: mailboxName(reader.counted(MAILBOX_LIMIT)),
      withdrawn: reader.amount(),
      unfinished: unfinished(reader.integer(4)),
      claimed: claimedCoins(reader, most),
      text: fromUtf8(reader.counted(TEXT_LIMIT)),
    };
    const behind = reader.rest();
    const end = behind.findLastIndex((byte) => byte !== 0) + 1;
    return end === 0 ? memo : { ...memo, rest: behind.slice(0, end) };
  });
}

function unfinished(value: bigint): number {
  demand(value < UNFINISHED_LIMIT, 'malformed-request', 'a number of transfers is not below 2^31');
  return Number(value);
}

function claimedCoins(reader: Reader, most: number): ClaimedCoin[] {
  const count = reader.small(1);
  demand(count <= most, 'malformed-request', 'too many claimed coins');
  return Array.from({ length: count }, () => ({
    origin: checkOrigin(reader.small(1)),
    value: reader.amount(),
    rho: decodeField(reader.take(32)),
  }));
}

/** The 12 bytes of the nonce of a memo block. */
export function memoNonce(snCc: bigint): Bytes {
  return sha256(concat(ascii('solidus/memo-nonce/v1'), encodeField(snCc))).subarray(0, 12);
}

const cipher = (memoKey: Bytes, snCc: bigint, label = 'solidus/memo/v1') => gcmsiv(sized(memoKey, 32, 'a memo key'), memoNonce(snCc), ascii(label));

/** The memo block of a transfer that spends the compliance coin with serial number snCc (F-06), 1024 bytes. */
export function sealMemo(memoKey: Bytes, snCc: bigint, memo: Bytes): Bytes {
  return cipher(memoKey, snCc).encrypt(sized(memo, LENGTH, 'a memo'));
}

export function openMemo(memoKey: Bytes, snCc: bigint, block: Bytes): Bytes {
  return wellFormed(() => cipher(memoKey, snCc).decrypt(sized(block, LENGTH + 16, 'a memo block')));
}

/** The memo of a transfer of this wallet's to several payees (F-81), which this wallet does not follow; undefined for any other block. */
export function severalMemo(memoKey: Bytes, lead: bigint, block: Bytes): Bytes | undefined {
  try {
    return cipher(memoKey, lead, 'solidus/memo-payments/v1').decrypt(block);
  } catch {
    return undefined;
  }
}

const SEVERAL = 3;

/** What a memo of a transfer to several payees says of secrets and first payment (F-81). */
export function openSeveral(bytes: Bytes): { readonly counter: number; readonly withdrawn: bigint; readonly paid: bigint; readonly payee: bigint } {
  return wellFormed(() => {
    const reader = new Reader(bytes);
    demand(reader.small(1) === SEVERAL, 'malformed-request', 'a memo of another version');
    const counter = reader.small(2);
    reader.time();
    const withdrawn = reader.amount();
    unfinished(reader.integer(4));
    claimedCoins(reader, CLAIMED_LIMIT);
    demand(reader.small(1) >= 2, 'malformed-request', 'a memo of several payees has two or more');
    return { counter, withdrawn, paid: reader.amount(), payee: decodeApk(reader.take(32)) };
  });
}

const RECOVER = 'solidus/recover-memo/v1';

/** The memo block of a recover with this lead (F-35), 1024 bytes. */
export const sealRecoverMemo = (memoKey: Bytes, lead: bigint, memo: Bytes): Bytes => cipher(memoKey, lead, RECOVER).encrypt(sized(memo, LENGTH, 'a memo'));

/** The memo of a recover of this wallet's with this lead; undefined for any other block. */
export function openRecoverMemo(memoKey: Bytes, lead: bigint, block: Bytes): Bytes | undefined {
  try {
    return cipher(memoKey, lead, RECOVER).decrypt(sized(block, LENGTH + 16, 'a memo block'));
  } catch {
    return undefined;
  }
}
