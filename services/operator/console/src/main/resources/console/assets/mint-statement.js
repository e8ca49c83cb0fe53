// The bytes that an approver of mints signs (F-28), made from what the page shows and from nothing else.

const encoder = new TextEncoder();

/** Decodes base64 or base64url with or without padding; throws unless it has `length` bytes. */
export function decode(text, length, what) {
  const plain = text.trim().replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(plain)) {
    throw new Error(`${what} is not readable`);
  }
  const bytes = Uint8Array.from(atob(plain), (c) => c.charCodeAt(0));
  if (bytes.length !== length) {
    throw new Error(`${what} does not have ${length} bytes`);
  }
  return bytes;
}

/** Encodes bytes as base64url without padding. */
export function encode(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Reads an amount as people see it, for example "EUR 1,234.50"; returns minor units as a BigInt. */
export function minorUnits(shown) {
  const match = /^[A-Z]{3} ([0-9]{1,3}(?:,[0-9]{3})*)\.([0-9]{2})$/.exec(shown.trim().replace(/\u00a0/g, ' '));
  if (!match) {
    throw new Error('the amount is not readable');
  }
  return BigInt(match[1].replace(/,/g, '') + match[2]);
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', join(parts)));
}

function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * "solidus/mint-approval/v1\n" || network digest || mint id || value u64 || c_m || k.
 * `statement` has the texts of the page: network, mintId, amount, cm, k.
 */
export async function mintMessage(statement) {
  const value = minorUnits(statement.amount);
  if (value <= 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Error('the amount is out of range');
  }
  const u64 = new Uint8Array(8);
  new DataView(u64.buffer).setBigUint64(0, value);
  return join([
    encoder.encode('solidus/mint-approval/v1\n'),
    await sha256(encoder.encode('solidus/network/v1\0'), encoder.encode(statement.network)),
    decode(statement.mintId, 32, 'the id of the mint'),
    u64,
    decode(statement.cm, 32, 'the coin'),
    decode(statement.k, 96, 'the coin'),
  ]);
}
