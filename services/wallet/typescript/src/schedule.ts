import { randomBelow } from './random.js';

// When a wallet makes its private queries (W-37). It follows from the clock, from times that were drawn before, and from the wallet's being
// opened; from nothing that the wallet has read.

/** Queries of a day, on average, and the most that are made at once. */
export const QUERIES_A_DAY = 24;

const DAY = 86_400_000;

/** Pauses are drawn up to here, so that a day has as many as that on average. */
const LONGEST_PAUSE = (2 * DAY) / QUERIES_A_DAY;

export interface Due {
  /** Queries that are due now. */
  readonly queries: number;
  /** When the next one is due, in milliseconds since 1970. It belongs in the wallet's storage before the first of these leaves. */
  readonly next: number;
}

const drawn = (): number => 1 + randomBelow(LONGEST_PAUSE - 1);

/**
 * The queries that are due. A wallet that slept makes those whose time has passed, at most those of a day. One that was just opened makes
 * at least one, which it takes from those of the next day; without one of these left it makes none.
 *
 * @param planned when the next query is due; 0 before the first
 * @param opened whether this is the first reading since the wallet was opened
 */
export function queriesAt(planned: number, opened: boolean, now: number, pause: () => number = drawn): Due {
  let queries = 0;
  // the first one, or the clock was set back
  let next = planned === 0 || planned > now + DAY + LONGEST_PAUSE ? now : planned;
  while (next <= now && queries < QUERIES_A_DAY) {
    queries++;
    next += pause();
  }
  if (next <= now) next = now + pause();
  if (opened && queries === 0 && next <= now + DAY) {
    queries = 1;
    next += pause();
  }
  return { queries, next };
}
