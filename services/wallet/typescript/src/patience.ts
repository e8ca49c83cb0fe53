import type { MailServer } from './private-mail.js';
import { Refusal, type Reason } from './refusal.js';

/** What another attempt may get over. */
const PASSING: readonly Reason[] = ['overloaded', 'unavailable', 'gateway-unreachable'];

/** Pauses before a refused page is asked for again, in milliseconds: a minute in all. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const LONGEST = 60_000;

interface Clock {
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

/**
 * A server whose pages are asked for again when it refuses one for a while, because a reading that fails begins from nothing. The pauses
 * do not depend on what a wallet reads. The list is not among them: without a network a reading fails at once. Nor are queries, which are
 * made at their times only.
 */
export function patient(server: MailServer, { now, pause }: Clock): MailServer {
  const again = async <T>(page: () => Promise<T>): Promise<T> => {
    const end = now() + LONGEST;
    for (const milliseconds of PAUSES) {
      try {
        return await page();
      } catch (e) {
        const passes = e instanceof Refusal && PASSING.includes(e.reason);
        if (!passes || now() + milliseconds > end) throw e;
      }
      await pause(milliseconds);
    }
    return page();
  };
  return {
    mailNote: () => server.mailNote(),
    mailHeaders: (node, after, upto) => again(() => server.mailHeaders(node, after, upto)),
    mailRecords: (node, after, upto) => again(() => server.mailRecords(node, after, upto)),
    mailQuery: (shares) => server.mailQuery(shares),
  };
}
