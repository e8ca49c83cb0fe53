import { MOST_BITS } from '../../typescript/src/bucket.js';
import { equal, fromHex, sized, toHex, type Bytes } from '../../typescript/src/bytes.js';
import { Gateway, messageDigest } from '../../typescript/src/gateway.js';
import { accepted, type Transport } from '../../typescript/src/http.js';
import { readManifest, type Manifest } from '../../typescript/src/manifest.js';
import { Network } from '../../typescript/src/network.js';
import { demand } from '../../typescript/src/refusal.js';
import { fromUtf8 } from '../../typescript/src/text.js';
import type { Profile } from '../../typescript/src/wallet.js';

/** What the page trusts, from `network.json` beside it. Binary members are hexadecimal. */
export interface Trusted {
  readonly networkId: string;
  /** ISO 4217. */
  readonly currency: string;
  /** The key that signs the manifest, 32 bytes. */
  readonly manifestKey: string;
  readonly keyClasses: readonly string[];
  readonly gateway: string;
  readonly registration: string;
  readonly issuance: string;
  /** The key of the prover that may see payments, 32 bytes. */
  readonly prover: string;
  /** The key that payout instructions are sealed to, 32 bytes. Without it nothing is withdrawn. */
  readonly redemption?: string;
  /** How many bits of its address a bucket of the mailbox tells; 0 without it. */
  readonly mailboxBits?: number;
  /** The keys of the replicas of the gateway's mailbox, 64 bytes each; with them the wallet reads its mail by private queries. */
  readonly replicas?: readonly string[];
}

/** What a wallet keeps of its network for as long as it lives. */
export interface Pinned {
  readonly trusted: Trusted;
  readonly manifest: Bytes;
  readonly manifestSignature: string;
  /** Of the circuit of recovers none in a wallet that an older page made, until it is unlocked. */
  readonly keys: Readonly<Record<Circuit, Bytes>> & { readonly recover?: Bytes };
}

const CIRCUITS = ['transfer', 'register', 'mint'] as const;
type Circuit = (typeof CIRCUITS)[number];

const TEXTS = ['networkId', 'currency', 'manifestKey', 'gateway', 'registration', 'issuance', 'prover'] as const;
const KEY_LIMIT = 1 << 20;

/** Reads `network.json`. Members that are not known are left out. */
export function readTrusted(json: unknown): Trusted {
  const read = (json ?? {}) as Readonly<Record<string, unknown>>;
  const texts = TEXTS.map((name) => {
    const value = read[name];
    demand(typeof value === 'string' && value.length <= 300, 'malformed-request', `network.json has no ${name}`);
    return [name, value] as const;
  });
  const { keyClasses, redemption, mailboxBits, replicas } = read;
  demand(replicas === undefined || areReplicas(replicas), 'malformed-request', 'replicas of network.json are keys of 64 bytes');
  demand(mailboxBits === undefined || isBits(mailboxBits), 'malformed-request', `mailboxBits of network.json is 0 to ${MOST_BITS}`);
  const classes = Array.isArray(keyClasses) && keyClasses.every((one) => typeof one === 'string') ? (keyClasses as string[]) : [];
  demand(classes.length > 0, 'malformed-request', 'network.json has no keyClasses');
  const trusted = {
    ...(Object.fromEntries(texts) as unknown as Omit<Trusted, 'keyClasses' | 'mailboxBits' | 'replicas'>),
    keyClasses: classes,
    ...(typeof redemption === 'string' ? { redemption } : {}),
    ...(isBits(mailboxBits) ? { mailboxBits } : {}),
    ...(areReplicas(replicas) ? { replicas } : {}),
  };
  for (const key of [trusted.manifestKey, trusted.prover, trusted.redemption ?? trusted.prover]) sized(fromHex(key), 32, 'a key of network.json');
  return trusted;
}

const isBits = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_BITS;

/** Keys of 3f + 1 authorities (F-64), none of them twice. */
const areReplicas = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length >= 4 &&
  value.length <= 100 &&
  value.length % 3 === 1 &&
  new Set(value).size === value.length &&
  value.every((key) => typeof key === 'string' && /^[0-9a-f]{128}$/.test(key));

export const sameTrust = (one: Trusted, other: Trusted): boolean =>
  [...TEXTS, 'redemption' as const, 'mailboxBits' as const].every((name) => one[name] === other[name]) &&
  one.keyClasses.join() === other.keyClasses.join() &&
  one.replicas?.join() === other.replicas?.join();

/**
 * What a wallet trusts from now on: new keys of the replicas of its gateway, where `network.json` says nothing else that is new. Replicas
 * get new keys when they move, and who serves `network.json` could change the page as well. Keys of another number than authorities, and
 * none, are not taken: the wallet could not be opened, or would read whole.
 *
 * @param authorities how many there are, which is asked for only where there are new keys
 */
export function withReplicas(trusted: Trusted, named: Trusted, authorities: () => number): Trusted {
  const { replicas } = named;
  if (replicas === undefined || sameTrust(trusted, named) || !sameTrust({ ...trusted, replicas }, named)) return trusted;
  return replicas.length === authorities() ? { ...trusted, replicas } : trusted;
}

/** The manifest, which the trusted key signed. */
export function manifestOf({ trusted, manifest, manifestSignature }: Omit<Pinned, 'keys'>): Manifest {
  const kind = { kind: 'regulated', classes: trusted.keyClasses } as const;
  return readManifest(new Network(trusted.networkId), kind, fromHex(trusted.manifestKey), manifest, manifestSignature);
}

/** Fetches the manifest and the verifying keys, which the trusted key signed. */
export async function pin(trusted: Trusted, transport: Transport): Promise<Pinned> {
  const served = await new Gateway(transport).keys();
  const manifestSignature = fromUtf8(served.signature);
  const manifest = manifestOf({ trusted, manifest: served.manifest, manifestSignature });
  const named = [...CIRCUITS, 'recover' as const];
  const keys = Object.fromEntries(await Promise.all(named.map(async (name) => [name, await verifyingKey(manifest, name, transport)]))) as Pinned['keys'];
  return { trusted, manifest: served.manifest, manifestSignature, keys };
}

/** The file of a verifying key, as the manifest names it: a wallet keeps it for as long as it lives. */
async function verifyingKey(manifest: Manifest, name: Circuit | 'recover', transport: Transport): Promise<Bytes> {
  const key = manifest.circuits.get(name)?.verifyingKey;
  demand(key !== undefined, 'manifest-untrusted', `the manifest names no circuit ${name}`);
  const file = accepted(await transport({ method: 'GET', path: `/v1/keys/files/${toHex(key.sha256)}`, limit: KEY_LIMIT }));
  demand(equal(messageDigest(file), key.sha256), 'manifest-untrusted', `${name}.vk is not the file that the manifest names`);
  return file;
}

/** With the key of the circuit of recovers, which the manifest that the wallet keeps names. */
export async function withRecoverKey(pinned: Pinned, transport: Transport): Promise<Pinned> {
  if (pinned.keys.recover !== undefined) return pinned;
  return { ...pinned, keys: { ...pinned.keys, recover: await verifyingKey(manifestOf(pinned), 'recover', transport) } };
}

/** The profile of a wallet. The wallet compares the verifying keys with the manifest. */
export const profileOf = ({ trusted, manifest, manifestSignature, keys }: Pinned): Profile => ({
  network: new Network(trusted.networkId),
  manifestKey: fromHex(trusted.manifestKey),
  classes: trusted.keyClasses,
  currency: trusted.currency,
  manifest,
  manifestSignature,
  transferKey: keys.transfer,
  registerKey: keys.register,
  mintKey: keys.mint,
  ...(keys.recover === undefined ? {} : { recoverKey: keys.recover }),
  ...(trusted.redemption === undefined ? {} : { redemptionKey: fromHex(trusted.redemption) }),
  ...(trusted.mailboxBits === undefined ? {} : { mailboxBits: trusted.mailboxBits }),
  ...(trusted.replicas === undefined ? {} : { replicas: trusted.replicas.map(fromHex) }),
});
