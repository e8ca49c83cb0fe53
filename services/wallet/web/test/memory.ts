import { Refusal } from '../../typescript/src/refusal.js';
import type { Shelf } from '../src/vault.js';

export class Memory implements Shelf {
  readonly kept = new Map<string, unknown>();
  full = false;

  async get(key: string): Promise<unknown> {
    return this.kept.get(key);
  }

  async keys(): Promise<readonly string[]> {
    return [...this.kept.keys()];
  }

  async put(entries: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.full) throw new Refusal('store-unwritable', 'full');
    for (const [key, value] of Object.entries(entries)) {
      if (value === undefined) this.kept.delete(key);
      else this.kept.set(key, value);
    }
  }

  async clear(): Promise<void> {
    this.kept.clear();
  }
}

/** The code with which the work fails. */
export const failure = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (e: { readonly reason?: string }) => e.reason,
  );

export function refusedWith(work: () => unknown): string | undefined {
  try {
    work();
  } catch (e) {
    return (e as { readonly reason?: string }).reason;
  }
  return undefined;
}
