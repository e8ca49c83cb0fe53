import { concat, type Bytes } from '../../typescript/src/bytes.js';
import { Refusal } from '../../typescript/src/refusal.js';
import type { Storage } from '../../typescript/src/store.js';
import { utf8 } from '../../typescript/src/text.js';
import type { Pinned } from './pinned.js';

// How a browser keeps a wallet: sealed under a key from the passphrase, and again under a key that never leaves the browser.

/** A place for values that structured cloning copies. */
export interface Shelf {
  get(key: string): Promise<unknown>;
  keys(): Promise<readonly string[]>;
  /** All of them or none; undefined takes a value away. They have reached the disk when the promise is fulfilled. */
  put(entries: Readonly<Record<string, unknown>>): Promise<void>;
  clear(): Promise<void>;
}

const DATABASE = 'solidus-wallet';
const TABLE = 'wallet';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(new Refusal('store-unwritable', request.error?.name ?? 'the database'));
  });

/** A shelf of this origin. */
export async function openShelf(name = DATABASE): Promise<Shelf> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
  const database = await settled(opening);
  const change = (work: (table: IDBObjectStore) => void): Promise<void> =>
    new Promise((done, failed) => {
      // the default durability lets a browser say that it has written before the disk has
      const transaction = database.transaction(TABLE, 'readwrite', { durability: 'strict' });
      const fail = () => failed(new Refusal('store-unwritable', transaction.error?.name ?? 'the database'));
      transaction.oncomplete = () => done();
      transaction.onabort = fail;
      transaction.onerror = fail;
      work(transaction.objectStore(TABLE));
    });
  return {
    get: (key) => settled(database.transaction(TABLE).objectStore(TABLE).get(key)),
    keys: async () => (await settled(database.transaction(TABLE).objectStore(TABLE).getAllKeys())).map(String),
    put: (entries) =>
      change((table) => Object.entries(entries).forEach(([key, value]) => (value === undefined ? table.delete(key) : table.put(value, key)))),
    clear: () => change((table) => table.clear()),
  };
}

/** Iterations of PBKDF2 with SHA-256, as OWASP asks for: about half a second of a telephone. */
export const ITERATIONS = 600_000;
const SALT = 16;
const NONCE = 12;
/** What a sealed value is: none opens in the place of another. */
const LABELS = { state: 'solidus/web-wallet/v1\n', contacts: 'solidus/web-wallet/contacts/v1\n' } as const;
type Kind = keyof typeof LABELS;

interface Lock {
  readonly salt: Bytes;
  readonly iterations: number;
  /** AES-256-GCM, which no script can export. */
  readonly deviceKey: CryptoKey;
}

const buffer = (bytes: Bytes): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;

async function keyOf(passphrase: string, { salt, iterations }: Lock): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', buffer(utf8(passphrase.normalize('NFKC'))), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: buffer(salt), iterations };
  return crypto.subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

async function seal(key: CryptoKey, plain: Bytes, lock: Lock, kind: Kind): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const how = { name: 'AES-GCM', iv, additionalData: buffer(concat(utf8(LABELS[kind]), lock.salt)) };
  return concat(iv, new Uint8Array(await crypto.subtle.encrypt(how, key, buffer(plain))));
}

async function unseal(key: CryptoKey, sealed: Bytes, lock: Lock, kind: Kind): Promise<Bytes> {
  const how = { name: 'AES-GCM', iv: buffer(sealed.subarray(0, NONCE)), additionalData: buffer(concat(utf8(LABELS[kind]), lock.salt)) };
  return new Uint8Array(await crypto.subtle.decrypt(how, key, buffer(sealed.subarray(NONCE))));
}

/** Whether the shelf has a wallet. */
export const hasWallet = async (shelf: Shelf): Promise<boolean> => (await shelf.get('state')) !== undefined;

/** A wallet's bytes on a shelf. */
export class Vault implements Storage {
  readonly #shelf: Shelf;
  readonly #lock: Lock;
  readonly #key: CryptoKey;
  #pinned: Pinned;
  #plain: Bytes | undefined;
  /** What goes with the first write. */
  #first: Readonly<Record<string, unknown>>;

  private constructor(shelf: Shelf, lock: Lock, key: CryptoKey, pinned: Pinned, plain: Bytes | undefined, first: Readonly<Record<string, unknown>>) {
    this.#shelf = shelf;
    this.#lock = lock;
    this.#key = key;
    this.#pinned = pinned;
    this.#plain = plain;
    this.#first = first;
  }

  /** A new vault. Nothing is on the shelf before the first write. */
  static async create(shelf: Shelf, passphrase: string, pinned: Pinned, iterations = ITERATIONS): Promise<Vault> {
    if (await hasWallet(shelf)) throw new Refusal('store-exists', 'there is a wallet already');
    const deviceKey = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    const lock = { salt: crypto.getRandomValues(new Uint8Array(SALT)), iterations, deviceKey };
    return new Vault(shelf, lock, await keyOf(passphrase, lock), pinned, undefined, { lock, pinned });
  }

  /**
   * @throws Refusal store-missing, store-corrupt or wrong-passphrase
   */
  static async open(shelf: Shelf, passphrase: string): Promise<Vault> {
    const [lock, pinned, state] = (await Promise.all(['lock', 'pinned', 'state'].map((key) => shelf.get(key)))) as [Lock?, Pinned?, Bytes?];
    if (state === undefined) throw new Refusal('store-missing', 'there is no wallet');
    if (lock === undefined || pinned === undefined) throw new Refusal('store-corrupt', 'the wallet has no lock');
    const key = await keyOf(passphrase, lock);
    const inner = await unseal(lock.deviceKey, state, lock, 'state').catch(() => {
      throw new Refusal('store-corrupt', 'the wallet is not the one that this browser sealed');
    });
    const plain = await unseal(key, inner, lock, 'state').catch(() => {
      throw new Refusal('wrong-passphrase', 'the passphrase does not open the wallet');
    });
    return new Vault(shelf, lock, key, pinned, plain, {});
  }

  get pinned(): Pinned {
    return this.#pinned;
  }

  /** Pins something else from now on, for a wallet that is on the shelf. */
  async repin(pinned: Pinned): Promise<void> {
    this.#pinned = pinned;
    await this.#shelf.put({ pinned });
  }

  async read(): Promise<Bytes | undefined> {
    return this.#plain;
  }

  async write(content: Bytes): Promise<void> {
    await this.#shelf.put({ ...this.#first, state: await this.#sealed(content, 'state') });
    this.#first = {};
    this.#plain = content;
  }

  /** What is kept beside the wallet and sealed as it is. Undefined where there is nothing that this vault sealed. */
  async more(kind: Exclude<Kind, 'state'>): Promise<Bytes | undefined> {
    const sealed = (await this.#shelf.get(kind)) as Bytes | undefined;
    if (sealed === undefined) return undefined;
    const lock = this.#lock;
    return unseal(lock.deviceKey, sealed, lock, kind)
      .then((inner) => unseal(this.#key, inner, lock, kind))
      .catch(() => undefined);
  }

  async keep(kind: Exclude<Kind, 'state'>, content: Bytes): Promise<void> {
    await this.#shelf.put({ [kind]: await this.#sealed(content, kind) });
  }

  async #sealed(content: Bytes, kind: Kind): Promise<Bytes> {
    return seal(this.#lock.deviceKey, await seal(this.#key, content, this.#lock, kind), this.#lock, kind);
  }
}
