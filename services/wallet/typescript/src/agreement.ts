import { x25519 } from '@noble/curves/ed25519.js';
import { concat, equal, fromHex, type Bytes } from './bytes.js';

// X25519 of one private key with many public keys (RFC 7748).

/** Products with public keys; undefined for what is no key, and for keys of small order, whose product is zero. */
export type Agree = (publicKeys: readonly Bytes[]) => Promise<readonly (Bytes | undefined)[]>;

const X25519 = { name: 'X25519' };
/** In front of a private key of 32 bytes (RFC 8410). */
const PKCS8 = fromHex('302e020100300506032b656e04220420');
/** Calls that are under way at once: more keep more processors busy, and more memory. */
const AT_ONCE = 64;

/**
 * Public keys on which implementations differ that do not follow RFC 7748: one with its highest bit set, one that is not below
 * 2^255 - 19, and one of small order.
 */
const UNUSUAL = [
  'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1ccc',
  'f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
].map(fromHex);

/** The product by this program itself, which is slow. */
function product(privateKey: Bytes, publicKey: Bytes): Bytes | undefined {
  try {
    return x25519.getSharedSecret(privateKey, publicKey);
  } catch {
    return undefined;
  }
}

export const bySoftware =
  (privateKey: Bytes): Agree =>
  (publicKeys) =>
    Promise.resolve(publicKeys.map((publicKey) => product(privateKey, publicKey)));

/** The platform's products, if it has X25519 and it is that of RFC 7748. It gets a key that nobody can read out of it. */
async function byPlatform(privateKey: Bytes): Promise<Agree | undefined> {
  const encoded = new Uint8Array(concat(PKCS8, privateKey));
  try {
    const key = await crypto.subtle.importKey('pkcs8', encoded, X25519, false, ['deriveBits']);
    const one = async (publicKey: Bytes): Promise<Bytes | undefined> => {
      try {
        const other = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), X25519, false, []);
        return new Uint8Array(await crypto.subtle.deriveBits({ ...X25519, public: other }, key, 256));
      } catch {
        // It says the same of a key of small order and of any failure of its own, which is no reason to lose a message.
        return product(privateKey, publicKey);
      }
    };
    const agree: Agree = async (publicKeys) => {
      const products: (Bytes | undefined)[] = [];
      for (let from = 0; from < publicKeys.length; from += AT_ONCE) {
        products.push(...(await Promise.all(publicKeys.slice(from, from + AT_ONCE).map(one))));
      }
      return products;
    };
    const [known, found] = await Promise.all([bySoftware(privateKey)(UNUSUAL), agree(UNUSUAL)]);
    return known.every((wanted, i) => same(wanted, found[i])) ? agree : undefined;
  } catch {
    return undefined; // there is no such platform, or this one does not know the algorithm
  } finally {
    encoded.fill(0);
  }
}

const same = (one: Bytes | undefined, other: Bytes | undefined): boolean =>
  one === undefined || other === undefined ? one === other : equal(one, other);

/** The platform's X25519, or this program's where the platform has none. */
export const fastest = async (privateKey: Bytes): Promise<Agree> => (await byPlatform(privateKey)) ?? bySoftware(privateKey);
