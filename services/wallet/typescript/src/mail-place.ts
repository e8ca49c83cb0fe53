import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, sized, toHex, type Bytes } from './bytes.js';
import { bytes, checked, flag, mapped, number, object, optional, small, unbounded, type Codec } from './json.js';
import { HEADER, type MailList } from './tables.js';

/** A message of the last day whose header is the wallet's, or that it posted, and whose body it has not got. */
export interface Waiting {
  /** The time of its table. */
  readonly closed: bigint;
  /** Its place there, from 0. */
  readonly record: number;
  /** SHA-256 of its header, in hexadecimal. */
  readonly header: string;
  /** Whether a query brought another body than what the wallet posted under this header. */
  readonly replaced?: boolean | undefined;
}

/** Where a wallet is that reads its mail with private queries (W-36). */
export interface MailPlace {
  /** Whose headers it reads. */
  readonly bucket: number;
  /** Up to which it has read. */
  readonly list: MailList;
  /** Of its bucket, of the day before the list, the oldest first. */
  readonly tables: readonly { readonly closed: bigint; readonly records: number }[];
  /** In these tables, the oldest first. */
  readonly waiting: readonly Waiting[];
  /** Messages that waited for more than a day since the mailbox was last read whole: their bodies can be read whole only. */
  readonly overdue: number;
  /** The highest number that is known to be in a table: all up to it are. */
  readonly number: bigint;
}

/** A day of tables of a second. */
export const MOST_TABLES = 86_400;

/** More than forty days of queries. What comes beyond is overdue at once. */
export const MOST_WAITING = 1_000;

/** The name by which a message's header is known. */
export const headerOf = (blob: Bytes): string => toHex(sha256(blob.subarray(0, HEADER)));

export const waits = ({ waiting }: MailPlace, header: string): boolean => waiting.some((one) => one.header === header);

/** The place after these messages were read. */
export const without = (place: MailPlace, headers: ReadonlySet<string>): MailPlace => ({
  ...place,
  waiting: place.waiting.filter(({ header }) => !headers.has(header)),
});

const integer: Codec<number> = mapped(small, Number, BigInt);
const header = mapped(bytes(32), toHex, (text: string) => sized(fromHex(text), 32, 'a header'));
const atMost = <T>(codec: Codec<readonly T[]>, limit: number) => checked(codec, (all) => all.length <= limit, 'a place in the mailbox is too long');

const list = mapped(
  object({ closed: number, states: unbounded(object({ node: integer, closed: number, digest: bytes(32) })) }),
  ({ closed, states }): MailList => ({ closed, states: new Map(states.map(({ node, ...state }) => [node, state])) }),
  ({ closed, states }: MailList) => ({ closed, states: [...states].map(([node, state]) => ({ node, ...state })) }),
);

/** How a wallet keeps its place. */
export const mailPlace: Codec<MailPlace> = object({
  bucket: integer,
  list,
  tables: atMost(unbounded(object({ closed: number, records: integer })), MOST_TABLES),
  waiting: atMost(unbounded(object({ closed: number, record: integer, header, replaced: optional(flag) })), MOST_WAITING),
  overdue: integer,
  number,
});
