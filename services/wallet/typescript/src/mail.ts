import { sha256 } from '@noble/hashes/sha2.js';
import { toHex } from './bytes.js';
import { headerOf, waits, type MailPlace } from './mail-place.js';
import type { Posted } from './private-mail.js';
import { AMOUNT_LIMIT } from './reader.js';
import type { Delivery, State } from './store.js';

/** How far a wallet has read its mail, as of its storage. */
export interface MailStatus {
  /** Whether it reads with private queries; otherwise `receive` reads all that there is. */
  readonly privately: boolean;
  /** Up to when it knows what came, in milliseconds since 1970; nothing before the first private reading. */
  readonly upTo: number | undefined;
  /**
   * Messages that may be payments and whose bodies it has not got: about one an hour is asked for. Copies of its own coins are among them,
   * and one of 65,536 messages of others.
   */
  readonly waiting: number;
  /** Such messages that waited longer than a day: `receiveWhole` brings them, and shows the gateway that something waited. */
  readonly overdue: number;
  /** When the next one is asked for, whether or not one waits, in milliseconds since 1970. */
  readonly nextQuery: number | undefined;
}

export function mailStatus({ mail, nextQuery }: State, privately: boolean): MailStatus {
  if (!privately || mail === undefined) return { privately, upTo: undefined, waiting: 0, overdue: 0, nextQuery: undefined };
  const upTo = Number(mail.list.closed) * 1_000;
  return { privately, upTo, waiting: mail.waiting.length, overdue: mail.overdue, nextQuery: nextQuery === undefined ? undefined : Number(nextQuery) };
}

/** What a wallet posted and has not seen. */
export const postedOf = (deliveries: readonly Delivery[]): Posted =>
  new Map(deliveries.filter(({ stage }) => stage !== 'seen').map(({ blob }) => [headerOf(blob), toHex(sha256(blob))]));

/** The time after which a posted message is in a table, if it is not lost, in milliseconds. */
const LONGEST_WAIT = 3_600_000;

/**
 * The number up to which a message would be in a table (W-39). One that was posted an hour before the list would be, whatever number the
 * gateway gave it; what this process posted again gets an hour more, because tables may lag behind.
 *
 * @param again when this process posted it last, in milliseconds
 */
export function coveredUpTo({ firstPost }: Delivery, { list, number }: MailPlace, again: number): bigint {
  const last = Math.max(Number(firstPost ?? 0n), again);
  return last < Number(list.closed) * 1_000 - LONGEST_WAIT ? AMOUNT_LIMIT : number;
}

/** Whether a message that a private reading shows is lost: it is covered, not found, and does not wait for a query. */
export const isLost = (one: Delivery, place: MailPlace, again: number): boolean =>
  !waits(place, headerOf(one.blob)) && (one.sequence === undefined || one.sequence <= coveredUpTo(one, place, again));
