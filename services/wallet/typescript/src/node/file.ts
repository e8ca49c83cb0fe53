import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { demand, Refusal } from '../refusal.js';
import type { Storage } from '../store.js';

// A wallet's file for Node: AES-256-GCM under a passphrase, and a new file in place of the old one at each write.

const MAGIC = Buffer.from('solidus/second-wallet/v1\n', 'latin1');
const SALT = 16;
const NONCE = 12;
const TAG = 16;

/** The cost of scrypt: 128 MiB. */
const COST = { N: 1 << 17, r: 8, p: 1, maxmem: 256 << 20 } as const;

/** A file that one process has. */
export interface WalletFile extends Storage {
  /** Lets another process have it. */
  close(): Promise<void>;
}

/**
 * The storage in a file, which need not exist. Nobody else opens it until it is closed.
 *
 * @param passphrase overwritten
 * @throws Refusal store-locked, wrong-passphrase, store-version or store-corrupt
 */
export async function openFile(path: string, passphrase: Uint8Array): Promise<WalletFile> {
  await lock(path);
  try {
    const content = await existing(path);
    const salt = content === undefined ? randomBytes(SALT) : content.subarray(MAGIC.length, MAGIC.length + SALT);
    const key = scryptSync(passphrase, salt, 32, COST);
    passphrase.fill(0);
    let plain: Uint8Array | undefined = content === undefined ? undefined : decrypt(key, content);
    return {
      read: async () => plain,
      write: async (next) => {
        await replace(path, encrypt(key, salt, next));
        plain = next;
      },
      close: async () => {
        key.fill(0);
        plain = undefined;
        await rm(lockOf(path), { force: true });
      },
    };
  } catch (e) {
    await rm(lockOf(path), { force: true });
    throw e;
  }
}

const lockOf = (path: string): string => `${path}.lock`;

/** The lock has the number of its process, so that one which a killed process left does not hold. */
async function lock(path: string): Promise<void> {
  const file = lockOf(path);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(String(process.pid));
      await handle.close();
      return;
    } catch (e) {
      if (codeOf(e) !== 'EEXIST') throw e;
    }
    const holder = Number(await readFile(file, 'latin1').catch(() => '0'));
    demand(!isAlive(holder), 'store-locked', 'another process has the wallet open');
    await rm(file, { force: true });
  }
  throw new Refusal('store-locked', 'another process has the wallet open');
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return codeOf(e) === 'EPERM';
  }
}

const codeOf = (e: unknown): unknown => (e as { readonly code?: unknown }).code;

async function existing(path: string): Promise<Buffer | undefined> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (e) {
    if (codeOf(e) === 'ENOENT') return undefined;
    throw e;
  }
  demand(content.subarray(0, MAGIC.length).equals(MAGIC), 'store-version', 'not a file of this program');
  demand(content.length >= MAGIC.length + SALT + NONCE + TAG, 'store-corrupt', 'the file is cut off');
  return content;
}

function encrypt(key: Buffer, salt: Uint8Array, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE);
  const head = Buffer.concat([MAGIC, salt]);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(head);
  return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, content: Buffer): Buffer {
  const start = MAGIC.length + SALT;
  const nonce = content.subarray(start, start + NONCE);
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(content.subarray(0, start));
  cipher.setAuthTag(content.subarray(-TAG));
  try {
    return Buffer.concat([cipher.update(content.subarray(start + NONCE, -TAG)), cipher.final()]);
  } catch {
    throw new Refusal('wrong-passphrase', 'the passphrase does not open the file, or the file is damaged');
  }
}

/** Writes the file. Nothing was written that the next opening would read when it fails. */
async function replace(path: string, content: Uint8Array): Promise<void> {
  try {
    await replaceDurably(path, content);
  } catch (e) {
    throw new Refusal('store-unwritable', String(codeOf(e)));
  }
}

/** Old or new, never half: the new file is on the disk before it has the name. */
async function replaceDurably(path: string, content: Uint8Array): Promise<void> {
  const next = `${path}.next`;
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
