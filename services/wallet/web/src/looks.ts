/** How often an open wallet looks for money, in milliseconds. */
export const LOOK = 20_000;

/** The longest pause after looks that failed: a reading that fails half-way begins from nothing. */
const LONGEST = 300_000;

/** Not told unless the owner asked: the page says that there is no network. */
const AWAY = 'gateway-unreachable';

/** The looks for money that nobody asked for: when one is due, and what the owner is told of those that failed. */
export class Looks {
  #failures = 0;
  #next = 0;
  #told: string | undefined;

  due(now: number): boolean {
    return now >= this.#next;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#next = 0;
    this.#told = undefined;
  }

  /** A look failed. Returns whether its owner is told: each reason once, until a look succeeds or fails for another one, and always if she asked. */
  failed(reason: string, asked: boolean, now: number): boolean {
    this.#failures++;
    this.#next = now + Math.min(LOOK * 2 ** this.#failures, LONGEST);
    const tells = asked || (reason !== AWAY && reason !== this.#told);
    if (tells) this.#told = reason;
    return tells;
  }
}
