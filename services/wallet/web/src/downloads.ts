import { concat, toHex, type Bytes } from '../../typescript/src/bytes.js';
import { demand, Refusal } from '../../typescript/src/refusal.js';
import type { Shelf } from './vault.js';

// Large files that come in pieces: a download that broke off goes on where it stopped, after a reload too.

/** Of one request, which a connection of 17 kB/s transfers within 30 s. */
export const PIECE = 1 << 19;

/** A file that is wanted, and by which it is known: nobody who serves it is trusted. */
export interface Wanted {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Asks for the bytes from one place to another, at most a piece. */
  readonly piece: (from: number, to: number) => Promise<Bytes>;
}

/** How far a download or a computation is. */
export interface Measure {
  readonly unit: 'bytes' | 'milliseconds';
  readonly done: number;
  readonly of: number;
}

const digestOf = async (content: Bytes): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', content as Uint8Array<ArrayBuffer>)));

const rowOf = ({ sha256: digest }: Wanted, from: number): string => `${digest}/${from}`;

const startsOf = ({ size }: Wanted): number[] => Array.from({ length: Math.ceil(size / PIECE) }, (_, i) => i * PIECE);

const lengthOf = ({ size }: Wanted, from: number): number => Math.min(PIECE, size - from);

/** Files on a shelf, by their digest. */
export class Downloads {
  readonly #shelf: Shelf;

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  /** How many bytes of the files are not here. */
  async missing(files: readonly Wanted[]): Promise<number> {
    const rows = new Set(await this.#shelf.keys());
    const lacking = (file: Wanted): number =>
      rows.has(file.sha256) ? 0 : startsOf(file).reduce((sum, from) => sum + (rows.has(rowOf(file, from)) ? 0 : lengthOf(file, from)), 0);
    return files.reduce((sum, file) => sum + lacking(file), 0);
  }

  /**
   * Fetches what is not here, and removes what is not wanted any more.
   *
   * @param kept what is not removed where it is here
   * @param stopped rejects when the download has to stop; what has arrived stays
   * @throws Refusal gateway-misbehaved when a whole file has another digest; its pieces are removed
   */
  async fetch(files: readonly Wanted[], told: (measure: Measure) => void, stopped: Promise<never>, kept: readonly Wanted[] = []): Promise<void> {
    await this.#tidy([...files, ...kept]);
    const of = files.reduce((sum, file) => sum + file.size, 0);
    const tell = async (): Promise<void> => told({ unit: 'bytes', done: of - (await this.missing(files)), of });
    await tell();
    for (const file of files) {
      if ((await this.#shelf.get(file.sha256)) !== undefined) continue;
      for (const from of startsOf(file)) {
        if ((await this.#shelf.get(rowOf(file, from))) !== undefined) continue;
        const piece = await Promise.race([file.piece(from, from + lengthOf(file, from)), stopped]);
        demand(piece.length === lengthOf(file, from), 'gateway-misbehaved', `a piece of ${file.name} of another length`);
        await this.#shelf.put({ [rowOf(file, from)]: piece });
        await tell();
      }
      await this.#join(file);
    }
  }

  /** The content of a file. One that is damaged is removed. Undefined if it is not here. */
  async read(file: Wanted): Promise<Bytes | undefined> {
    const content = (await this.#shelf.get(file.sha256)) as Bytes | undefined;
    if (content === undefined || (await digestOf(content)) === file.sha256) return content;
    await this.#shelf.put({ [file.sha256]: undefined });
    return undefined;
  }

  clear(): Promise<void> {
    return this.#shelf.clear();
  }

  /** Makes a file of its pieces, in one write. */
  async #join(file: Wanted): Promise<void> {
    const rows = startsOf(file).map((from) => rowOf(file, from));
    const content = concat(...((await Promise.all(rows.map((row) => this.#shelf.get(row)))) as Bytes[]));
    const none = Object.fromEntries(rows.map((row) => [row, undefined]));
    const right = (await digestOf(content)) === file.sha256;
    await this.#shelf.put(right ? { ...none, [file.sha256]: content } : none);
    if (!right) throw new Refusal('gateway-misbehaved', `${file.name} is not the file that was signed`);
  }

  async #tidy(files: readonly Wanted[]): Promise<void> {
    const wanted = new Set(files.map((file) => file.sha256));
    const old = (await this.#shelf.keys()).filter((row) => !wanted.has(row.split('/')[0] as string));
    if (old.length > 0) await this.#shelf.put(Object.fromEntries(old.map((row) => [row, undefined])));
  }
}
