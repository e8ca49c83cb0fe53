// An approver's own Ed25519 key in this browser. Its private half is a CryptoKey that cannot be exported.

const DATABASE = 'solidus-approver';
const STORE = 'keys';
// the DER around the 32 bytes of a seed: PKCS#8, RFC 8410
const PKCS8 = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);
const SEED_BYTES = 32;

function request(of) {
  return new Promise((resolve, reject) => {
    of.onsuccess = () => resolve(of.result);
    of.onerror = () => reject(of.error);
  });
}

async function inStore(mode, work) {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'subject' });
  const database = await request(opening);
  try {
    return await request(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** The key of a person: {subject, name, network, privateKey, publicKey}; undefined when this browser has none. */
export function load(subject) {
  return inStore('readonly', (store) => store.get(subject));
}

export function remove(subject) {
  return inStore('readwrite', (store) => store.delete(subject));
}

async function keep(owner, privateKey, publicKey) {
  // an existing key is not replaced: add fails
  await inStore('readwrite', (store) => store.add({ ...owner, privateKey, publicKey }));
  await navigator.storage?.persist?.();
}

/**
 * Makes a new key; its private half never exists outside the browser's key store.
 * An owner has a subject, a name in the network's settings, and the network that the key signs for.
 */
export async function make(owner) {
  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  await keep(owner, pair.privateKey, new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
}

/** Reads a key file: the 32 bytes of `./solidus approve new-key`, or PKCS#8 as DER or PEM. */
export async function fromFile(owner, file) {
  if (file.size > 4096) {
    throw new Error('the file is no key');
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const der = pkcs8(bytes);
  try {
    const readable = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', true, ['sign']);
    const { x } = await crypto.subtle.exportKey('jwk', readable);
    const publicKey = Uint8Array.from(atob(x.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    await keep(owner, await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']), publicKey);
  } catch (e) {
    throw e.name === 'ConstraintError' ? new Error('this browser has a key of yours already') : new Error('the file is no Ed25519 key');
  } finally {
    bytes.fill(0);
    der.fill(0);
  }
}

function pkcs8(bytes) {
  if (bytes.length === SEED_BYTES) {
    const der = new Uint8Array(PKCS8.length + SEED_BYTES);
    der.set(PKCS8);
    der.set(bytes, PKCS8.length);
    return der;
  }
  const text = new TextDecoder('latin1').decode(bytes);
  const pem = /^-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/.exec(text);
  return pem ? Uint8Array.from(atob(pem[1].replace(/\s/g, '')), (c) => c.charCodeAt(0)) : bytes.slice();
}

/** Signs, and verifies the signature with the public half that was shown. */
export async function sign(key, message) {
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key.privateKey, message));
  const verifier = await crypto.subtle.importKey('raw', key.publicKey, 'Ed25519', true, ['verify']);
  if (!(await crypto.subtle.verify('Ed25519', verifier, signature, message))) {
    throw new Error('the key does not fit its public half');
  }
  return signature;
}

/** Base64 of the public half, as it stands in the network's settings. */
export function publicText(key) {
  return btoa(String.fromCharCode(...key.publicKey));
}

/** The first 16 bytes of SHA-256 of the public half, in groups to read aloud. */
export async function fingerprint(key) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', key.publicKey));
  return [...digest.slice(0, 16)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/(.{4})(?=.)/g, '$1 ');
}
